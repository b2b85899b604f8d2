import type { Db } from '#server/house/db/pool.ts'

type Sum = { micros: bigint }

/**
 * Refuses the pending referral shares of an invited user and returns the sum of their values. The referrer's account
 * must be locked.
 */
export async function refuseShares(tx: Db, invitedId: number): Promise<bigint> {
  const { rows } = await tx.query<Sum>({
    name: 'referral-refuse-shares',
    text: `WITH refused AS (
        SELECT id, due_micros FROM referral_shares WHERE invited_id = $1 AND state = 'pending' FOR UPDATE
      ), stored AS (
        UPDATE referral_shares s SET state = 'refused', due_micros = 0, look_at = NULL FROM refused WHERE s.id = refused.id
      )
      SELECT COALESCE(sum(due_micros), 0)::bigint AS micros FROM refused`,
    values: [invitedId],
  })
  return rows[0]?.micros ?? 0n
}

export async function resumeShares(tx: Db, input: { invitedId: number; now: Date }): Promise<bigint> {
  const { rows } = await tx.query<Sum>({
    name: 'referral-resume-shares',
    text: `WITH resumed AS (
        UPDATE referral_shares SET look_at = LEAST(available_at, $2) WHERE invited_id = $1 AND state = 'pending' RETURNING due_micros
      )
      SELECT COALESCE(sum(due_micros), 0)::bigint AS micros FROM resumed`,
    values: [input.invitedId, input.now],
  })
  return rows[0]?.micros ?? 0n
}

export async function storeDecision(
  tx: Db,
  input: { invitedId: number; state: 'cleared' | 'barred'; lessMicros: bigint; now: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'referral-decide',
    text: `UPDATE referral_invitations SET state = $state, due_micros = due_micros - $lessMicros, changed_at = $now
      WHERE invited_id = $invitedId`,
    values: input,
  })
  return rowCount === 1
}
