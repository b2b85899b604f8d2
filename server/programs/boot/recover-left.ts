import { MINUTE, SECOND } from '#contract/time.ts'
import { carryOut, endForgotten } from '#server/adapters/sim-bank/serve/end-order.ts'
import { pushMessages } from '#server/adapters/sim-bank/serve/push-messages.ts'
import { ANY_OUTLET } from '#server/adapters/sim-bank/serve/queries/outlets.ts'
import { watchPrices } from '#server/core/notifications/prices/watch-prices.ts'
import { ANY_NEWS } from '#server/core/notifications/queries/news.ts'
import { spreadOpenNews } from '#server/core/notifications/spread-news.ts'
import { watchBalances } from '#server/core/notifications/watch-balances.ts'
import { ANY_EXPIRED } from '#server/core/numbers/activations/queries/end.ts'
import { ANY_RESERVING } from '#server/core/numbers/activations/queries/purchase.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { handOverLeft, noteHeldNumbers } from '#server/core/numbers/delivery/hand-over.ts'
import { processStoredRequests } from '#server/core/numbers/intake/process-request.ts'
import { ANY_STORED } from '#server/core/numbers/intake/queries/requests.ts'
import { ANY_BUYING } from '#server/core/numbers/preorders/queries/read.ts'
import { giveUpBuying, sweepPreorders } from '#server/core/numbers/preorders/sweep.ts'
import {
  claimOrphans,
  giveUpReserving,
  settleOrphans,
  sweepReserving,
} from '#server/core/numbers/purchase/activation-orphans.ts'
import {
  claimRentalOrphans,
  giveUpRenting,
  settleRentalOrphans,
  sweepRenting,
} from '#server/core/numbers/purchase/rental-orphans.ts'
import { takeOverOrphans } from '#server/core/numbers/purchase/take-over-orphans.ts'
import { ANY_RENTAL_DUE } from '#server/core/numbers/rentals/queries/end.ts'
import { ANY_RENTING } from '#server/core/numbers/rentals/queries/extend.ts'
import { sweepRentals } from '#server/core/numbers/rentals/sweep.ts'
import { followArrivals } from '#server/core/payments/follow-arrivals.ts'
import { reconcilePayments } from '#server/core/payments/reconcile.ts'
import { sweepDeletions } from '#server/core/privacy/deletion/sweep-deletions.ts'
import { failExports } from '#server/core/privacy/export/fail-exports.ts'
import { payRewards } from '#server/core/programmes/loyalty/pay-rewards.ts'
import { sweepReferral } from '#server/core/programmes/referral/settle-shares.ts'
import { NUMBER_HELD_MS } from '#server/core/suppliers/supplier.ts'
import { giveUpLateDeliveries } from '#server/core/webhooks/give-up-late.ts'
import type { Context } from '#server/house/context.ts'
import type { PeriodicTask } from '#server/house/jobs/periodic-tasks.ts'
import type { Work } from '#server/house/nodes/work.ts'
import { loadNotices } from '#server/surfaces/site/notices/shown-notices.ts'
import { runDelayedLeft } from './run-delayed-left.ts'

/** Takes over purchases that an earlier process left unfinished. Must run before suppliers deliver SMS. */
export async function claimLeft(ctx: Context): Promise<void> {
  await takeOverOrphans(ctx)
  await claimOrphans(ctx)
  await claimRentalOrphans(ctx)
  await noteHeldNumbers(ctx)
}

/** Settles purchases that an earlier process left unfinished. Must run before anything new is bought. */
export async function settleLeft(ctx: Context): Promise<void> {
  const settled = (await settleOrphans(ctx)) + (await settleRentalOrphans(ctx))
  if (settled > 0) ctx.log.warn({ settled }, 'purchases that an earlier process left open were settled')
  await handOverLeftSince(ctx, NUMBER_HELD_MS)
}

async function handOverLeftSince(ctx: Context, ageMs: number): Promise<void> {
  const given = await handOverLeft(ctx, { since: new Date(ctx.clock.now().getTime() - ageMs) })
  if (given > 0) ctx.log.warn({ given }, 'messages that had been left behind were handed over')
}

/** A sweep without a lease runs on every node, because it looks after the node's own orders or memory. */
type Sweep = Omit<PeriodicTask, 'due'> & { due?: string; lease?: Work }

export function sweepsOf(ctx: Context): Sweep[] {
  return [
    {
      name: 'expiry',
      lease: 'sweeps',
      everyMs: SECOND,
      due: `${ANY_EXPIRED} OR ${ANY_RENTAL_DUE}`,
      // The two sweeps run one after another, because each locks several accounts in no fixed order, and they could
      // deadlock.
      work: async () => {
        await sweepExpired(ctx)
        await sweepRentals(ctx)
      },
    },
    { name: 'reserving', everyMs: 5 * SECOND, due: ANY_RESERVING, work: () => sweepReserving(ctx) },
    { name: 'renting', everyMs: 5 * SECOND, due: ANY_RENTING, work: () => sweepRenting(ctx) },
    {
      name: 'given up',
      everyMs: SECOND,
      due: `${ANY_RESERVING} OR ${ANY_BUYING} OR ${ANY_RENTING}`,
      // Giving up purchases has its own loop, because it may wait for suppliers.
      work: async () => {
        await takeOverOrphans(ctx)
        await giveUpReserving(ctx)
        await giveUpBuying(ctx)
        await giveUpRenting(ctx)
      },
    },
    { name: 'pre-orders', lease: 'sweeps', everyMs: SECOND, work: () => sweepPreorders(ctx) },
    { name: 'payments', lease: 'payments', everyMs: 5 * SECOND, work: () => reconcilePayments(ctx) },
    // Looking for deposits on blockchains has its own loop, because their nodes may be slow.
    { name: 'arrivals', lease: 'payments', everyMs: 3 * SECOND, work: () => followArrivals(ctx) },
    { name: 'referral shares', lease: 'sweeps', everyMs: 15 * SECOND, work: () => sweepReferral(ctx) },
    { name: 'deletions', lease: 'sweeps', everyMs: MINUTE, work: () => sweepDeletions(ctx) },
    { name: 'exports', lease: 'sweeps', everyMs: MINUTE, work: () => failExports(ctx) },
    { name: 'loyalty', lease: 'sweeps', everyMs: MINUTE, work: () => payRewards(ctx) },
    { name: 'balances', lease: 'sweeps', everyMs: 15 * SECOND, work: () => watchBalances(ctx) },
    { name: 'favourite prices', lease: 'sweeps', everyMs: MINUTE, work: () => watchPrices(ctx) },
    { name: 'notices', everyMs: 5 * SECOND, work: () => loadNotices(ctx) },
    { name: 'late webhooks', lease: 'webhooks', everyMs: MINUTE, work: () => giveUpLateDeliveries(ctx) },
    { name: 'news', lease: 'sweeps', everyMs: 5 * SECOND, due: ANY_NEWS, work: () => spreadOpenNews(ctx) },
    { name: 'intake', everyMs: SECOND, due: ANY_STORED, work: () => processStoredRequests(ctx) },
    { name: 'job times', lease: 'sweeps', everyMs: MINUTE, work: () => runDelayedLeft(ctx) },
    { name: 'pushes of outlets', lease: 'webhooks', everyMs: SECOND, due: ANY_OUTLET, work: () => pushMessages(ctx) },
    {
      name: 'ends of outlets',
      lease: 'webhooks',
      everyMs: 5 * SECOND,
      due: ANY_OUTLET,
      work: async () => {
        await carryOut(ctx)
        await endForgotten(ctx)
      },
    },
    { name: 'early messages', lease: 'sweeps', everyMs: MINUTE, work: () => handOverLeftSince(ctx, 2 * MINUTE) },
  ]
}
