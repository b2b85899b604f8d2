import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import type { AppError } from '#server/house/errors/errors.ts'
import { createRateLimit, type RateLimit } from '#server/house/limits/rate-limit.ts'
import { isSandbox } from '#server/house/sandbox.ts'

/** About what the play money of a day buys, and as many again as a test gives back. */
const perAccount = createRateLimit({ name: 'play purchases of an account', burst: 1_000, refillMs: 30 * SECOND })
/** What opens nothing is a statement, too: a full sandbox may be tried for as long as it is full. */
const inVain = createRateLimit({ name: 'play purchases in vain', burst: 1_000, refillMs: SECOND })
/** All accounts together: 600 a minute, so that they never keep the database busy. */
const ofAll = createRateLimit({ name: 'play purchases', burst: 600, refillMs: SECOND / 10 })
const ALL = 'all'
/** Whoever does no more than this may use the last tokens of all, too: down to `kept`. The least is first. */
const MODEST = [
  { rate: createRateLimit({ name: 'play purchases by strangers', burst: 5, refillMs: 60 * SECOND }), kept: 0 },
  { rate: createRateLimit({ name: 'play purchases by customers', burst: 20, refillMs: 3 * SECOND }), kept: 100 },
]
const KEPT_FOR_MODEST = 300
const COME_AGAIN_SECONDS = 3

type Wanted = { userId: number; full: (retryAfterSeconds: number) => AppError }
type Taken = { rate: RateLimit; name: string }

/**
 * Runs `work` within the rates of the sandbox, elsewhere at once. Each purchase there is a row for good, and each further code a
 * message; what comes back is spent by no limit of money. Work that gives null or throws has opened nothing, and spends a try
 * instead of the tokens. Throws TOO_MANY_REQUESTS, and `full` when all accounts together do too much.
 */
export async function withinPlayRate<T>(
  ctx: Context,
  wanted: Wanted,
  work: () => Promise<T | null>,
): Promise<T | null> {
  if (!isSandbox(ctx)) return work()
  const account = String(wanted.userId)
  // Both stand until it is known which of them is spent, so calls at the same time get past neither.
  const tried = spend(ctx, { rate: inVain, name: account })
  let spent: Taken[] = []
  let hasOpened = false
  try {
    spent = spendAll(ctx, account, wanted.full)
    const opened = await work()
    hasOpened = opened !== null
    return opened
  } finally {
    for (const { rate, name } of hasOpened ? [tried] : spent) rate.giveBack(ctx, name)
  }
}

/** All or none. Only what was taken is named, so giving back never makes a token. */
function spendAll(ctx: Context, account: string, full: Wanted['full']): Taken[] {
  const now = ctx.clock.now()
  const own = spend(ctx, { rate: perAccount, name: account })
  const { remaining } = ofAll.standing(ctx, ALL, now)
  const modest = MODEST.filter(({ rate }) => rate.take(ctx, account, now) === 0)
  const taken = [own, ...modest.map(({ rate }) => ({ rate, name: account }))]
  const kept = modest[0]?.kept ?? KEPT_FOR_MODEST
  if (remaining > kept && ofAll.take(ctx, ALL, now) === 0) return [...taken, { rate: ofAll, name: ALL }]
  for (const { rate, name } of taken) rate.giveBack(ctx, name)
  throw full(COME_AGAIN_SECONDS)
}

function spend(ctx: Context, wanted: Taken): Taken {
  wanted.rate.spend(ctx, wanted.name)
  return wanted
}
