import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'

export type Account = { currency: Currency; availableMicros: bigint; heldMicros: bigint; debtMicros: bigint }

type AccountRow = { currency: Currency; available_micros: bigint; held_micros: bigint; debt_micros: bigint }

export async function findAccount(db: Db, userId: number): Promise<Account | null> {
  const { rows } = await db.query<AccountRow>({
    name: 'account-find',
    text: 'SELECT currency, available_micros, held_micros, debt_micros FROM accounts WHERE user_id = $1',
    values: [userId],
  })
  const row = rows[0]
  if (row === undefined) return null
  return {
    currency: row.currency,
    availableMicros: row.available_micros,
    heldMicros: row.held_micros,
    debtMicros: row.debt_micros,
  }
}

/** Returns the available balance, or null without an account. Reads one column only, because programs poll it often. */
export async function findAvailableMicros(db: Db, userId: number): Promise<bigint | null> {
  const { rows } = await db.query<{ available_micros: bigint }>({
    name: 'account-find-available',
    text: 'SELECT available_micros FROM accounts WHERE user_id = $1',
    values: [userId],
  })
  return rows[0]?.available_micros ?? null
}

export async function openAccount(db: Db, input: { userId: number; currency: Currency }): Promise<void> {
  await db.query({
    text: 'INSERT INTO accounts (user_id, currency) VALUES ($1, $2) ON CONFLICT (user_id) DO NOTHING',
    values: [input.userId, input.currency],
  })
}

/** The number of paid SMS codes from which an account is trusted to report bad numbers. */
const TRUSTED_CODES = 50
/** The number of latest purchases among which the paid codes are counted. */
const TRUSTED_AMONG = 1_000

/**
 * SQL that is true if the user `buyer` is trusted, having paid for many codes among the latest purchases. An attacker
 * would have to pay as much.
 */
export function isTrusted(buyer: string): string {
  return `${TRUSTED_CODES} <= (SELECT count(*) FILTER (WHERE money = 'captured') FROM (SELECT money FROM activations latest
      WHERE latest.user_id = ${buyer} ORDER BY created_at DESC, id DESC LIMIT ${TRUSTED_AMONG}) latest)`
}

/**
 * SQL that is true while the buyer's reports can take numbers and suppliers off sale (migrations/0272_word_weighs.sql).
 * Giving a number back reports it. Two reports in seven days have this effect, and nine more for each paid code.
 * `giving` is SQL for the activation being given back; if it is set, the statement must hold the account's lock.
 */
export function isWeighed(buyer: string, { at, giving = 'NULL' }: { at: string; giving?: string }): string {
  return `word_weighs(${buyer}, ${at}::timestamptz, ${giving})`
}
