import type { Db } from '#server/house/db/pool.ts'

export async function isReferrerBlocked(db: Db, userId: number): Promise<boolean> {
  const { rows } = await db.query<{ blocked: boolean }>({
    name: 'referral-blocked',
    text: 'SELECT blocked_at IS NOT NULL AS blocked FROM users WHERE id = $1',
    values: [userId],
  })
  return rows[0]?.blocked ?? true
}

export type Trace = { what: 'email' | 'device' | 'network' | 'payer'; value: string; invited: boolean }

const MOST_SESSIONS = 50

/**
 * Returns mail and IP addresses, browsers and payer hashes of an invited user, the referrer, and others invited by the
 * referrer.
 */
export async function listTraces(
  db: Db,
  input: { userId: number; invitedId: number; limit: number },
): Promise<Trace[]> {
  const { rows } = await db.query<Trace>({
    name: 'referral-traces',
    text: `WITH people AS (
      SELECT $invitedId::integer AS id, true AS invited UNION ALL SELECT $userId::integer, false
      UNION ALL (SELECT invited_id, false FROM referral_invitations WHERE user_id = $userId AND invited_id <> $invitedId
        ORDER BY invited_id DESC LIMIT $limit)
    ), used AS (
      SELECT p.invited, s.device_hash, s.address FROM people p CROSS JOIN LATERAL
        (SELECT device_hash, address FROM sessions WHERE user_id = p.id ORDER BY id DESC LIMIT ${MOST_SESSIONS}) s
    )
    SELECT DISTINCT 'email' AS what, u.email AS value, p.invited FROM people p JOIN users u ON u.id = p.id WHERE u.email IS NOT NULL
    UNION SELECT 'device', encode(device_hash, 'hex'), invited FROM used WHERE device_hash IS NOT NULL
    UNION SELECT 'network', address, invited FROM used
    UNION SELECT 'payer', encode(d.payer_hash, 'hex'), p.invited
      FROM people p JOIN payments m ON m.user_id = p.id JOIN deposits d ON d.payment_id = m.id WHERE d.payer_hash IS NOT NULL`,
    values: input,
  })
  return rows
}
