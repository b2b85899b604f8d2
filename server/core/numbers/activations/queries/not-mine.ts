import type { Config } from '#server/house/config/config.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { ActivationRow } from './row.ts'

type ReportedOrder = Pick<ActivationRow, 'id' | 'user_id' | 'service_code' | 'country_id' | 'state'>

/** Locks a user's order and then the account, as every statement does. Returns null for another user's order. */
export async function lockOrder(tx: Db, input: { id: number; userId: number }): Promise<ReportedOrder | null> {
  const { rows } = await tx.query<ReportedOrder>({
    name: 'activation-lock-reported',
    text: `WITH wanted AS (
        SELECT id, user_id, service_code, country_id, state FROM activations WHERE id = $id AND user_id = $userId FOR UPDATE
      ) SELECT wanted.* FROM wanted JOIN accounts USING (user_id) FOR UPDATE OF accounts`,
    values: input,
  })
  return rows[0] ?? null
}

type Charge = {
  /** The message that captured the price of the order. `given` is `opened` if the buyer paid to read a notice. */
  messageId: bigint | null
  sender: string | null
  given: string | null
  reported: boolean
}

/** Finds the message that captured the order's price. The caller must hold the lock of the order. */
export async function findCharge(tx: Db, id: bigint): Promise<Charge> {
  const { rows } = await tx.query<Charge>({
    name: 'activation-find-charge',
    text: `SELECT m.id AS "messageId", m.sender, m.given,
        EXISTS (SELECT FROM used_reports WHERE activation_id = $id AND message_id IS NOT NULL) AS reported
      FROM (VALUES (0)) one (row) LEFT JOIN LATERAL (SELECT id, sender, given FROM messages
        WHERE activation_id = $id AND given NOT IN ('late', 'notice', 'folded')
        ORDER BY given <> 'opened', id LIMIT 1) m ON true`,
    values: { id },
  })
  return rows[0] ?? { messageId: null, sender: null, given: null, reported: false }
}

/**
 * Returns true if a further report of the buyer is within the limits (migrations/0055_used_reports.sql). A code
 * normally resets the count of consecutive reports, but the code of the reported order does not. The caller must hold
 * the lock of the account.
 */
export async function isReportFree(
  tx: Db,
  order: Pick<ReportedOrder, 'id' | 'user_id' | 'service_code' | 'country_id'> & Config['usedReports'] & { now: Date },
): Promise<boolean> {
  const { rows } = await tx.query<{ free: boolean }>({
    name: 'activation-report-is-free',
    text: `SELECT used_is_free($user_id, $service_code, $country_id, $now, $least, $percent, $inARow) AND NOT EXISTS (
        SELECT FROM (SELECT reported_at FROM used_reports
          WHERE user_id = $user_id AND NOT by_supplier AND reported_at > $now::timestamptz - interval '24 hours'
          ORDER BY reported_at DESC OFFSET $inARow - 1 LIMIT 1) first
        WHERE NOT EXISTS (SELECT FROM activations a WHERE a.user_id = $user_id AND a.id <> $id
          AND a.created_at > first.reported_at - interval '24 hours' AND a.first_code_at > first.reported_at
          AND NOT EXISTS (SELECT FROM used_reports r WHERE r.activation_id = a.id))) AS free`,
    values: order,
  })
  return rows[0]?.free ?? false
}

/** Stores a "not my code" report, which bars the number for this buyer and service only. */
export async function insertNotMine(tx: Db, input: { id: bigint; messageId: bigint; now: Date }): Promise<void> {
  await tx.query({
    name: 'activation-insert-not-mine',
    text: `INSERT INTO used_reports (activation_id, user_id, service_code, country_id, phone, by_supplier, weighed, bars_all,
        reported_at, message_id)
      SELECT id, user_id, service_code, country_id, phone, false, false, false, $now, $messageId FROM activations WHERE id = $id`,
    values: input,
  })
}
