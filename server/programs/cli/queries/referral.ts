import type { Currency } from '#contract/money.ts'
import type { WithdrawalState } from '#contract/programmes/referral.ts'
import type { Db } from '#server/house/db/pool.ts'

export type WithdrawalSheet = {
  id: bigint
  user_id: number
  email: string | null
  amount_micros: bigint
  currency: Currency
  network: string | null
  address: string | null
  tx: string | null
  state: WithdrawalState
  debt_micros: bigint
  created_at: Date
}

const SHEET = `SELECT w.id, w.user_id, u.email, w.amount_micros, w.currency, w.network, w.address, w.tx, w.state, a.debt_micros, w.created_at
  FROM referral_withdrawals w JOIN users u ON u.id = w.user_id JOIN accounts a ON a.user_id = w.user_id`

export async function findWithdrawalSheet(db: Db, id: bigint): Promise<WithdrawalSheet | null> {
  const { rows } = await db.query<WithdrawalSheet>({
    text: `${SHEET} WHERE w.id = $1 AND w.target = 'address'`,
    values: [id],
  })
  return rows[0] ?? null
}

/** Lists withdrawals that wait for staff, oldest first. For a given user, lists all, newest first. */
export async function listWithdrawalSheets(
  db: Db,
  wanted: { userId: number | null; limit: number },
): Promise<WithdrawalSheet[]> {
  const { rows } = await db.query<WithdrawalSheet>({
    text: `${SHEET} WHERE CASE WHEN $userId::integer IS NULL THEN w.state IN ('asked', 'approved') ELSE w.user_id = $userId END
      ORDER BY CASE WHEN $userId::integer IS NULL THEN w.id ELSE -w.id END LIMIT $limit`,
    values: wanted,
  })
  return rows
}

export type InvitationSheet = {
  invited_id: number
  email: string | null
  user_id: number
  referrer_email: string | null
  state: 'counted' | 'suspected' | 'cleared' | 'barred'
  reasons: string[]
  due_micros: bigint
  waiting_micros: bigint
  currency: Currency
  changed_at: Date
}

const INVITATION = `SELECT i.invited_id, u.email, i.user_id, r.email AS referrer_email, i.state, i.reasons, i.due_micros,
    (SELECT COALESCE(sum(due_micros), 0) FROM referral_shares s WHERE s.invited_id = i.invited_id AND s.state = 'pending')::bigint AS waiting_micros,
    a.currency, i.changed_at
  FROM referral_invitations i JOIN users u ON u.id = i.invited_id JOIN users r ON r.id = i.user_id JOIN accounts a ON a.user_id = i.user_id`

export async function findInvitationSheet(db: Db, invitedId: number): Promise<InvitationSheet | null> {
  const { rows } = await db.query<InvitationSheet>({
    text: `${INVITATION} WHERE i.invited_id = $1`,
    values: [invitedId],
  })
  return rows[0] ?? null
}

/** Lists suspected invitations, oldest first. For a given referrer, lists all invitations, newest first. */
export async function listInvitationSheets(
  db: Db,
  wanted: { userId: number | null; limit: number },
): Promise<InvitationSheet[]> {
  const { rows } = await db.query<InvitationSheet>({
    text: `${INVITATION} WHERE CASE WHEN $userId::integer IS NULL THEN i.state = 'suspected' ELSE i.user_id = $userId END
      ORDER BY CASE WHEN $userId::integer IS NULL THEN i.invited_id ELSE -i.invited_id END LIMIT $limit`,
    values: wanted,
  })
  return rows
}

export type MemberSheet = { id: number; email: string | null; referrer_id: number | null }

/** Finds a user by e-mail or id, because users who signed up through a social network may have no e-mail. */
export async function findMember(db: Db, name: string): Promise<MemberSheet | null> {
  const { rows } = await db.query<MemberSheet>({
    text: 'SELECT id, email, referrer_id FROM users WHERE lower(email) = lower($1) OR id = $2 ORDER BY id LIMIT 1',
    values: [name, /^\d{1,9}$/.test(name) ? Number(name) : null],
  })
  return rows[0] ?? null
}
