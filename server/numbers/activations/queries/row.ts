import type { ActivationState } from '#contract/activation.ts'
import type { Currency } from '#contract/money.ts'

/** One activation as stored. Amounts are micros; ids come as bigint from PostgreSQL. */
export type ActivationRow = {
  id: bigint
  user_id: number
  service_code: string
  country_id: number
  operator_wanted: string | null
  operator: string | null
  state: ActivationState
  money: 'held' | 'captured' | 'released'
  price_micros: bigint
  currency: Currency
  supplier_id: number
  attempt: number
  supplier_reference: string | null
  phone: string | null
  code: string | null
  sms_count: number
  again_asked_at: Date | null
  cost_limit_micros: bigint | null
  excluded_prefixes: string[]
  /** The activation whose number is bought once more. */
  repeat_of: bigint | null
  input_hash: string | null
  created_at: Date
  expires_at: Date
  ended_at: Date | null
}

/** The columns of an ActivationRow, for RETURNING and SELECT. */
export const COLUMNS = `id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
  supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, cost_limit_micros, excluded_prefixes, repeat_of,
  input_hash, created_at, expires_at, ended_at`

/** What a record shows of an activation. */
export type ShownActivation = Pick<
  ActivationRow,
  | ('id' | 'user_id' | 'service_code' | 'country_id' | 'operator' | 'state' | 'money' | 'price_micros' | 'currency')
  | ('phone' | 'code' | 'sms_count' | 'created_at' | 'expires_at')
>

/** The columns of a ShownActivation, for the one statement a buyer waits for: there each column costs a measurable microsecond. */
export const SHOWN_COLUMNS = `id, user_id, service_code, country_id, operator, state, money, price_micros, currency,
  phone, code, sms_count, created_at, expires_at`

/** COLUMNS with each name prefixed by a table or alias. */
export function columnsOf(table: string): string {
  return COLUMNS.replaceAll(/(\w+)/g, `${table}.$1`)
}

/** One event row for each activation of `source`, named after its new state. */
export const stateEvents = (source: string) => `state_event AS (
    INSERT INTO events (at, kind, user_id, subject_id)
    SELECT $now, 'activation.' || state, user_id, id FROM ${source}
  )`

/**
 * Tells the supplier how it ended, after the commit and until it answers: a job, queued by the same statement. PostgreSQL
 * runs a SELECT in WITH only as far as its rows are needed, so the statement must count them where the planner cannot
 * leave the count out: `WHERE (SELECT count(*) FROM end_job) >= 0`, not in a LEFT JOIN.
 */
export const endJobs = (source: string) => `end_job AS (
    SELECT graphile_worker.add_job('end-number', json_build_object('activationId', id::text), max_attempts := 25) FROM ${source}
  )`
