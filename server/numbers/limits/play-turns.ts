import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { type AppError, tooManyRequests } from '#server/errors.ts'
import { createRateLimit } from '#server/http/door/rate-limit.ts'
import { isSandbox } from '#server/sandbox-world.ts'

/** About what the play money of a day buys, and as many again as a test gives back. */
const perAccount = createRateLimit({ burst: 1_000, refillMs: 30 * SECOND })
/** All accounts together: 600 a minute, so that they never keep the database busy. */
const ofAll = createRateLimit({ burst: 600, refillMs: SECOND / 10 })
const ALL = 'all'
/** Whoever does no more than this may use the last turns of all, too. */
const ofFew = createRateLimit({ burst: 20, refillMs: 3 * SECOND })
const KEPT_FOR_FEW = 300
const COME_AGAIN_SECONDS = 3

/**
 * Each purchase in the sandbox is a row for good, and each further code a message. What comes back is spent by no limit, and
 * costs no money that anybody paid. Throws TOO_MANY_REQUESTS, and `full` when all accounts together do too much.
 */
export function takePlayTurn(ctx: Context, userId: number, full: (retryAfterSeconds: number) => AppError): void {
  if (!isSandbox(ctx)) return
  const now = ctx.clock.now()
  const account = String(userId)
  const waitMs = perAccount.take(ctx, account, now)
  if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / SECOND))
  const isOneOfFew = ofFew.take(ctx, account, now) === 0
  const mayTake = isOneOfFew || ofAll.standing(ctx, ALL, now).remaining > KEPT_FOR_FEW
  if (mayTake && ofAll.take(ctx, ALL, now) === 0) return
  perAccount.giveBack(ctx, account)
  throw full(COME_AGAIN_SECONDS)
}

/** Nothing came of it, which costs the others no turn. The account's own is spent: a try is work, too. */
export function givePlayTurnBack(ctx: Context): void {
  ofAll.giveBack(ctx, ALL)
}
