import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import type { AppError } from '#server/house/errors/errors.ts'
import { createRateLimit, type RateLimit } from '#server/house/limits/rate-limit.ts'
import { isSandbox } from '#server/house/sandbox.ts'

/** The rate limit of an account. A day's play money buys 1000 numbers, and refunds in a test as many again. */
const perAccount = createRateLimit({ name: 'play purchases of an account', burst: 1_000, refillMs: 30 * SECOND })
/** The rate limit of failed purchases. A client may retry once a second for as long as the sandbox is full. */
const inVain = createRateLimit({ name: 'play purchases in vain', burst: 1_000, refillMs: SECOND })
/** The rate limit of all accounts together, 600 numbers a minute, so that the sandbox never keeps the database busy. */
const ofAll = createRateLimit({ name: 'play purchases', burst: 600, refillMs: SECOND / 10 })
const ALL = 'all'
/**
 * The purchase rates of light users. An account below a rate may use the tokens that all accounts share until `kept`
 * tokens are left. Other accounts stop at KEPT_FOR_MODEST. The lowest rate comes first.
 */
const MODEST = [
  { rate: createRateLimit({ name: 'play purchases by strangers', burst: 5, refillMs: 60 * SECOND }), kept: 0 },
  { rate: createRateLimit({ name: 'play purchases by customers', burst: 20, refillMs: 3 * SECOND }), kept: 100 },
]
const KEPT_FOR_MODEST = 300
const COME_AGAIN_SECONDS = 3

type Wanted = { userId: number; full: (retryAfterSeconds: number) => AppError }
type Taken = { rate: RateLimit; name: string }

/**
 * Runs `work` within the rate limits of the sandbox; outside the sandbox runs it at once. Every sandbox purchase leaves
 * a row for good, and money limits do not stop an account that cancels and buys again. If `work` returns null or
 * throws, no number was opened, and a token of failed purchases is spent instead. Throws TOO_MANY_REQUESTS, or the
 * error `full` when all accounts together exceed the limit.
 */
export async function withinPlayRate<T>(
  ctx: Context,
  wanted: Wanted,
  work: () => Promise<T | null>,
): Promise<T | null> {
  if (!isSandbox(ctx)) return work()
  const account = String(wanted.userId)
  // Both a success and a failure token are taken until the result is known, so parallel calls exceed no limit.
  const tried = await spend(ctx, { rate: inVain, name: account })
  let spent: Taken[] = []
  let hasOpened = false
  try {
    spent = await spendAll(ctx, account, wanted.full)
    const opened = await work()
    hasOpened = opened !== null
    return opened
  } finally {
    for (const { rate, name } of hasOpened ? [tried] : spent) await rate.giveBack(ctx, name)
  }
}

/** Takes all tokens or none. Returns only tokens that were really taken, so that giving back never creates a token. */
async function spendAll(ctx: Context, account: string, full: Wanted['full']): Promise<Taken[]> {
  const taken = [await spend(ctx, { rate: perAccount, name: account })]
  let keptForOthers = KEPT_FOR_MODEST
  for (const { rate, kept } of MODEST) {
    const { isTaken } = await rate.take(ctx, account)
    if (!isTaken) continue
    taken.push({ rate, name: account })
    keptForOthers = Math.min(keptForOthers, kept)
  }
  if ((await ofAll.take(ctx, ALL, keptForOthers)).isTaken) return [...taken, { rate: ofAll, name: ALL }]
  for (const { rate, name } of taken) await rate.giveBack(ctx, name)
  throw full(COME_AGAIN_SECONDS)
}

async function spend(ctx: Context, wanted: Taken): Promise<Taken> {
  await wanted.rate.spend(ctx, wanted.name)
  return wanted
}
