import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'

export type InvitationState = 'counted' | 'suspected' | 'cleared' | 'barred'
export type ShareState = 'pending' | 'available' | 'refused'

export type DueShare = {
  id: bigint
  invited_id: number
  gross_micros: bigint
  back_micros: bigint
  base_currency: Currency
  percent: number
  currency: Currency
  rate_micros: bigint | null
  rate_source: string | null
  due_micros: bigint
  given_micros: bigint
  moves: number
  state: ShareState
  available_at: Date
}

export async function listReferrersDue(
  db: Db,
  input: { now: Date; without: number[]; limit: number },
): Promise<number[]> {
  const { rows } = await db.query<{ user_id: number }>({
    name: 'referral-due',
    text: `SELECT user_id FROM (SELECT user_id, look_at FROM referral_shares WHERE look_at <= $now AND user_id <> ALL ($without::integer[])
        ORDER BY look_at LIMIT 2000) due GROUP BY user_id ORDER BY min(look_at) LIMIT $limit`,
    values: input,
  })
  return rows.map(({ user_id: userId }) => userId)
}

/**
 * Locks and returns the referral shares of a referrer that are due to be settled. The referrer's account must be
 * locked.
 */
export async function lockDueShares(tx: Db, input: { userId: number; now: Date; limit: number }): Promise<DueShare[]> {
  const { rows } = await tx.query<DueShare>({
    name: 'referral-due-shares',
    text: `SELECT id, invited_id, gross_micros, back_micros, base_currency, percent, currency, rate_micros, rate_source, due_micros,
        given_micros, moves, state, available_at
      FROM referral_shares WHERE user_id = $userId AND look_at <= $now ORDER BY id LIMIT $limit FOR UPDATE`,
    values: input,
  })
  return rows
}

export type InvitationRow = { invited_id: number; state: InvitationState; due_micros: bigint }

export async function lockInvitations(tx: Db, invitedIds: readonly number[]): Promise<InvitationRow[]> {
  const { rows } = await tx.query<InvitationRow>({
    name: 'referral-invitations-lock',
    text: `SELECT invited_id, state, due_micros FROM referral_invitations WHERE invited_id = ANY ($1)
      ORDER BY invited_id FOR NO KEY UPDATE`,
    values: [invitedIds],
  })
  return rows
}

export async function suspectInvitation(
  tx: Db,
  input: { invitedId: number; reasons: readonly string[]; now: Date },
): Promise<void> {
  await tx.query({
    name: 'referral-suspect',
    text: `UPDATE referral_invitations SET state = 'suspected', reasons = $reasons, changed_at = $now
      WHERE invited_id = $invitedId AND state = 'counted'`,
    values: input,
  })
}

export type SettledShare = Pick<
  DueShare,
  'id' | 'rate_micros' | 'rate_source' | 'due_micros' | 'given_micros' | 'moves' | 'state'
> & { lookAt: Date | null }

export async function storeShares(tx: Db, shares: readonly SettledShare[]): Promise<void> {
  await tx.query({
    name: 'referral-shares-store',
    text: `UPDATE referral_shares s SET rate_micros = n.rate_micros, rate_source = n.rate_source, due_micros = n.due_micros,
        given_micros = n.given_micros, moves = n.moves, state = n.state, look_at = n.look_at
      FROM unnest($ids::bigint[], $rates::bigint[], $sources::text[], $dues::bigint[], $given::bigint[], $moves::integer[],
        $states::text[], $looks::timestamptz[]) AS n (id, rate_micros, rate_source, due_micros, given_micros, moves, state, look_at)
      WHERE s.id = n.id`,
    values: {
      ids: shares.map(({ id }) => id),
      rates: shares.map((share) => share.rate_micros),
      sources: shares.map((share) => share.rate_source),
      dues: shares.map((share) => share.due_micros),
      given: shares.map((share) => share.given_micros),
      moves: shares.map(({ moves }) => moves),
      states: shares.map(({ state }) => state),
      looks: shares.map(({ lookAt }) => lookAt),
    },
  })
}

export async function addToInvitations(tx: Db, deltas: ReadonlyMap<number, bigint>): Promise<void> {
  await tx.query({
    name: 'referral-invitations-add',
    text: `UPDATE referral_invitations i SET due_micros = i.due_micros + n.micros
      FROM unnest($ids::integer[], $micros::bigint[]) AS n (id, micros) WHERE i.invited_id = n.id`,
    values: { ids: [...deltas.keys()], micros: [...deltas.values()] },
  })
}
