import { MINUTE, SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import {
  countAlarms,
  countJobs,
  findNewestTransfer,
  findWaiting,
  listStocks,
  sumAccounts,
  sumMoved,
} from './queries.ts'

/**
 * The longest time until a transfer becomes visible, because its transaction may commit late. Transfers are counted at
 * intervals of at least this length.
 */
const SETTLING_MS = 5 * SECOND
const MICROS = 1_000_000

/**
 * Starts to count the money that moves. Returns a function that updates the metrics before a scrape, and empties the
 * gauges if the update fails. Concurrent scrapes share an update, so that nothing is counted twice.
 */
export async function measureBusiness(ctx: Context): Promise<() => Promise<void>> {
  const measure = measuring(ctx, await followMoved(ctx))
  let reading: Promise<void> | null = null
  return () => {
    reading ??= measure().finally(() => {
      reading = null
    })
    return reading
  }
}

function measuring(ctx: Context, measureMoved: () => Promise<void>): () => Promise<void> {
  let summedAt = Number.NEGATIVE_INFINITY
  return async () => {
    try {
      await measureMoved()
      const now = ctx.clock.now().getTime()
      // Sums of accounts are read at most once a minute, because the query reads all accounts.
      if (now - summedAt >= MINUTE) {
        await measureAccounts(ctx)
        summedAt = now
      }
      await measureQueues(ctx)
    } catch (error) {
      summedAt = Number.NEGATIVE_INFINITY
      resetGauges(ctx)
      ctx.log.debug({ error }, 'the business could not be measured')
    }
  }
}

/**
 * Counts new transfers by time, not by id, because a transfer with a lower id may be committed later. The newest id of
 * an earlier reading limits the rows that are read.
 */
async function followMoved({ db, clock, metrics }: Context): Promise<() => Promise<void>> {
  let after = new Date(clock.now().getTime() - SETTLING_MS)
  const newest = await findNewestTransfer(db)
  let bounds = { earlier: newest, last: newest }
  return async () => {
    const until = new Date(clock.now().getTime() - SETTLING_MS)
    if (until.getTime() - after.getTime() < SETTLING_MS) return
    const last = await findNewestTransfer(db)
    for (const { kind, currency, moves, micros } of await sumMoved(db, { from: bounds.earlier, after, until })) {
      metrics.moneyMoves.inc({ kind, currency }, moves)
      metrics.moneyMoved.inc({ kind, currency }, Number(micros) / MICROS)
    }
    bounds = { earlier: bounds.last, last }
    after = until
  }
}

async function measureAccounts({ db, metrics }: Context): Promise<void> {
  for (const { currency, ...sums } of await sumAccounts(db)) {
    for (const [state, micros] of Object.entries(sums)) {
      metrics.accountsMoney.set({ state, currency }, Number(micros) / MICROS)
    }
  }
}

async function measureQueues({ db, clock, metrics }: Context): Promise<void> {
  const { count, oldest } = await findWaiting(db)
  metrics.waiting.set(count)
  metrics.waitingOldest.set(oldest === null ? 0 : Math.max(0, clock.now().getTime() - oldest.getTime()) / SECOND)
  metrics.supplierStock.reset()
  for (const { code, stock } of await listStocks(db)) metrics.supplierStock.set({ supplier: code }, Number(stock))
  for (const { task, due, oldest_seconds: seconds, given_up: givenUp } of await countJobs(db)) {
    metrics.jobs.set({ task }, due)
    metrics.jobsOldest.set({ task }, seconds)
    metrics.jobsGivenUp.set({ task }, givenUp)
  }
  metrics.alarms.reset()
  for (const { kind, count: standing } of await countAlarms(db)) metrics.alarms.set({ kind }, standing)
}

function resetGauges({ metrics }: Context): void {
  const { accountsMoney, waiting, waitingOldest, supplierStock, jobs, jobsOldest, jobsGivenUp, alarms } = metrics
  for (const gauge of [accountsMoney, waiting, waitingOldest, supplierStock, jobs, jobsOldest, jobsGivenUp, alarms]) {
    gauge.reset()
  }
  // `waiting` and `waitingOldest` have no labels, so a reset would report a wrong zero. They are removed instead.
  waiting.remove()
  waitingOldest.remove()
}
