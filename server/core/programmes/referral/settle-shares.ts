import type { Currency } from '#contract/money.ts'
import { DAY } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { settledThrough } from '#server/house/money/checkpoints.ts'
import { type AccountState, lockAccount, moveMoney } from '#server/house/money/move-money.ts'
import { findRate } from '#server/house/rates/queries.ts'
import { decideShare } from './decide-share.ts'
import { countBack, countPaid, lockProgress, storeProgress } from './queries/count.ts'
import { isReferrerBlocked } from './queries/members.ts'
import {
  addToInvitations,
  type DueShare,
  type InvitationRow,
  listReferrersDue,
  lockDueShares,
  lockInvitations,
  type SettledShare,
  storeShares,
  suspectInvitation,
} from './queries/settle.ts'
import { type ShareRun, settleGiven } from './settle-given.ts'
import { findReasons } from './suspect.ts'

const MOST_AT_ONCE = 50_000n

const REFERRERS_AT_ONCE = 50
/** The maximum number of shares settled in one transaction, which blocks purchases and payments of the account. */
const SHARES_AT_ONCE = 500
const BLOCKED_AGAIN_MS = DAY

/**
 * Creates the referral shares of new payments and settles due shares. Runs every few seconds; concurrent runs settle
 * only once.
 */
export async function sweepReferral(ctx: Context): Promise<void> {
  await countShares(ctx)
  const { mostMicros } = ctx.config.programmes.referral
  const failed: number[] = []
  for (;;) {
    const now = ctx.clock.now()
    const due = await listReferrersDue(ctx.db, { now, without: failed, limit: REFERRERS_AT_ONCE })
    if (due.length === 0) return
    for (const userId of due) {
      try {
        await transaction(ctx.db, (tx) => settleSharesOf(tx, { userId, now, mostMicros }))
      } catch (error) {
        // A failure does not stop the settling of other users; the next run tries this user again.
        failed.push(userId)
        ctx.log.warn({ error, userId }, 'the referral shares of a user could not be settled')
      }
    }
  }
}

type Settling = { userId: number; now: Date; mostMicros: Record<Currency, bigint | null> }

/**
 * Settles a referrer's due referral shares in the caller's transaction: decides their states and moves the money. The
 * lock order is: the referrer's account, shares, invitations.
 */
export async function settleSharesOf(tx: Db, settling: Settling): Promise<void> {
  const { userId, now } = settling
  const account = await lockAccount(tx, userId)
  const shares = await lockDueShares(tx, { userId, now, limit: SHARES_AT_ONCE })
  if (shares.length === 0) return
  const invitations = await lockInvitations(tx, [...new Set(shares.map((share) => share.invited_id))])
  for (const invitation of invitations) {
    if (invitation.state === 'counted') await suspect(tx, { userId, invitation, now })
  }
  const settled = await decideAll(tx, { ...settling, account, shares, invitations })
  const run: ShareRun = { ...account, moves: [] }
  const stored = settled.map((share) => settleGiven(run, share))
  if (run.moves.length > 0) await moveMoney(tx, { userId, at: now, moves: run.moves })
  await storeShares(tx, stored)
}

async function suspect(
  tx: Db,
  { userId, invitation, now }: { userId: number; invitation: InvitationRow; now: Date },
): Promise<void> {
  const reasons = await findReasons(tx, { userId, invitedId: invitation.invited_id })
  if (reasons.length === 0) return
  await suspectInvitation(tx, { invitedId: invitation.invited_id, reasons, now })
  invitation.state = 'suspected'
}

type Known = Settling & { account: AccountState; shares: DueShare[]; invitations: InvitationRow[] }

async function decideAll(tx: Db, known: Known): Promise<SettledShare[]> {
  const { userId, now, shares, invitations } = known
  const isBlocked = await isReferrerBlocked(tx, userId)
  const needsRate = shares.some((share) => share.base_currency !== share.currency && share.rate_micros === null)
  const rate = needsRate ? await findRate(tx, 'usd') : null
  const mostMicros = known.mostMicros[known.account.currency]
  const dueOf = new Map(invitations.map((one) => [one.invited_id, one]))
  const deltas = new Map<number, bigint>()
  const settled = shares.map((share) => {
    const invitation = dueOf.get(share.invited_id)
    if (invitation === undefined) throw new Error(`share ${share.id} has no invitation`)
    const othersMicros = invitation.due_micros + (deltas.get(share.invited_id) ?? 0n) - share.due_micros
    const decided = decideShare(share, { now, invitation: invitation.state, othersMicros, mostMicros, rate })
    const delta = (deltas.get(share.invited_id) ?? 0n) + decided.due_micros - share.due_micros
    deltas.set(share.invited_id, delta)
    const becomesAvailable = share.state === 'pending' && decided.state === 'available'
    if (!isBlocked || !becomesAvailable) return decided
    return { ...decided, state: 'pending' as const, lookAt: new Date(now.getTime() + BLOCKED_AGAIN_MS) }
  })
  await addToInvitations(tx, deltas)
  return settled
}

/**
 * Counts each transfer exactly once, because the id of the last counted one moves in the same transaction. Locks no
 * account. Payments made while the programme is closed bring no share.
 */
async function countShares(ctx: Context): Promise<number> {
  const through = await settledThrough(ctx.db)
  // Nothing is counted now, because a long transaction may still write transfers with low ids.
  if (through === null) return 0
  let counted = 0
  for (let isOver = false; !isOver; ) {
    const step = await transaction(ctx.db, async (tx) => {
      const after = await lockProgress(tx)
      if (after >= through) return { counted: 0, isOver: true }
      const until = through - after > MOST_AT_ONCE ? after + MOST_AT_ONCE : through
      const known = { after, through: until, now: ctx.clock.now() }
      const { percent, of, months, pendingDays } = ctx.config.programmes.referral
      const kind = of === 'spend' ? 'capture' : 'topup'
      const paid = percent === null ? 0 : await countPaid(tx, { ...known, kind, percent, months, pendingDays })
      const back = await countBack(tx, known)
      await storeProgress(tx, until)
      return { counted: paid + back, isOver: until === through }
    })
    counted += step.counted
    isOver = step.isOver
  }
  return counted
}
