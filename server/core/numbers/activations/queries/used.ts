import { transitions } from '#server/core/numbers/activations/state.ts'
import type { Config } from '#server/house/config/config.ts'
import type { Db } from '#server/house/db/pool.ts'
import { sqlList } from '#server/house/db/sql-list.ts'
import { isTrusted, isWeighed } from '#server/house/money/accounts.ts'
import { releaseIf } from '#server/house/money/settle-sql.ts'
import { type ActivationRow, COLUMNS, columnsOf, endTold, stateEvents } from './row.ts'

type Reported = { id: bigint; now: Date }

/**
 * Ends a waiting activation as "number already used" and releases the money. A report within the limits of `free` takes
 * effect at once; above the limits, the activation must be older than `createdBefore`. Otherwise returns null. The
 * statement locks the account before it counts reports, so concurrent reports cannot exceed the limit
 * (migrations/0055_used_reports.sql).
 */
export async function endUsed(
  db: Db,
  input: Reported & { createdBefore: Date; free: Config['usedReports'] },
): Promise<ActivationRow | null> {
  const { rows } = await db.query<ActivationRow>({
    name: 'activation-end-used',
    queuesJobs: true,
    text: `${usedStatement({
      when: `(wanted.created_at <= $createdBefore OR used_is_free(wanted.user_id, wanted.service_code, wanted.country_id, $now, $least, $percent, $inARow))`,
      bySupplier: false,
      weighed: isWeighed('ended.user_id', { at: '$now', giving: 'ended.id' }),
      // A report of a trusted account bars a number for everybody. Reports of other accounts bar the number if two
      // accounts agree and both reports carry weight.
      barsAll: `(weighed AND EXISTS (SELECT FROM used_reports r WHERE r.phone = ended.phone AND r.service_code = ended.service_code
          AND r.user_id <> ended.user_id AND r.weighed AND r.lifted_at IS NULL)
        OR ${isTrusted('ended.user_id')})`,
    })}`,
    values: { ...input, ...input.free },
  })
  return rows[0] ?? null
}

/**
 * Ends an activation because the supplier reported its number as unusable. Bars the number for everybody and does not
 * count as a report of the buyer.
 */
export async function endUnusable(db: Db, input: Reported): Promise<ActivationRow | null> {
  const { rows } = await db.query<ActivationRow>({
    name: 'activation-end-unusable',
    queuesJobs: true,
    text: usedStatement({ when: 'true', bySupplier: true, weighed: 'true', barsAll: 'true' }),
    values: input,
  })
  return rows[0] ?? null
}

function usedStatement(rule: { when: string; bySupplier: boolean; weighed: string; barsAll: string }): string {
  return `WITH wanted AS (
      SELECT ${COLUMNS} FROM activations WHERE id = $id AND state IN (${sqlList(transitions.giveBack)}) FOR UPDATE
    ), ${releaseIf('wanted', rule.when)}, ended AS (
      UPDATE activations SET state = 'used', money = 'released', ended_at = $now, outcome_at = $now
      FROM payee WHERE activations.id = $id
      RETURNING ${columnsOf('activations')}
    ), ${stateEvents('ended')}, reported AS (
      INSERT INTO used_reports (activation_id, user_id, service_code, country_id, phone, by_supplier, weighed, bars_all, reported_at)
      SELECT id, user_id, service_code, country_id, phone, ${rule.bySupplier}, weighed, ${rule.barsAll}, $now
      FROM ended, LATERAL (SELECT ${rule.weighed} AS weighed) said
      RETURNING phone, service_code, bars_all
    ), burnt AS (
      INSERT INTO burnt_numbers (phone, service_code, reason) SELECT phone, service_code, 'used' FROM reported WHERE bars_all
      ON CONFLICT DO NOTHING
    )
    SELECT ended.* FROM ended WHERE ${endTold('ended')}`
}

/**
 * Returns true if buyers' reports bar the activation's number for everybody. The supplier does not know these reports.
 */
export async function barsForAll(db: Db, activationId: bigint): Promise<boolean> {
  const { rows } = await db.query<{ bars: boolean }>({
    name: 'activation-used-bars-all',
    text: 'SELECT bars_all AND NOT by_supplier AS bars FROM used_reports WHERE activation_id = $activationId',
    values: { activationId },
  })
  return rows[0]?.bars ?? false
}

/** SQL: true if the buyer has reported the number as already used for the service. */
export function reportedBy({
  phone,
  serviceCode,
  userId,
}: {
  phone: string
  serviceCode: string
  userId: string
}): string {
  return `EXISTS (SELECT FROM used_reports r WHERE r.phone = ${phone} AND r.service_code = ${serviceCode}
          AND r.user_id = ${userId} AND r.lifted_at IS NULL)`
}
