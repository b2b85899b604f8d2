import { RESEND_COOLDOWN_SECONDS } from '#contract/account.ts'
import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import { type BoundedCache, boundedCache } from '#server/bounded-cache.ts'
import type { Context } from '#server/context.ts'
import { tooManyRequests } from '#server/errors.ts'
import { networkOf } from '#server/http/door/network-of.ts'
import { createRateLimit } from '#server/http/door/rate-limit.ts'

/** What one network may ask for, over all recipients. */
const perNetwork = createRateLimit({ burst: 20, refillMs: MINUTE / 20 })

/** One recipient is sent this many mails at once, and as many again in a day. */
const FULL = 40
const REFILL_MS = DAY / FULL
/**
 * For each mail that a network had within a day, this many must be left before it gets another. So whoever asks without
 * end stops early, and what is left is for those who have had less: the owner among them.
 */
const LEFT_PER_MAIL = 4
/** Recipients remembered at once; the one unseen longest is forgotten first. */
const MAX_RECIPIENTS = 50_000

/** What a mail is asked for. All but `register` have a pause of their own; a registration's row knows its own. */
type MailPurpose = 'register' | 'resend' | 'reset' | 'link-email'
type Asked = { network: string; purpose: MailPurpose; at: number }
type Share = { left: number; at: number; asked: readonly Asked[] }

/** `giveBack`: nothing was mailed after all. Once, however often it is called. */
export type MailSlot = { giveBack(): void }

const perContext = new WeakMap<Context, BoundedCache<string, Share>>()

/**
 * Whoever has a mail sent takes a turn, whether or not there is anybody to send it to: the answer must not tell. null:
 * nothing is to be sent, and nothing said; a person could be kept from his mails by others asking for them otherwise.
 * Throws TOO_MANY_REQUESTS when one network asks for too many people. `email` in lower case.
 */
export function reserveMail(
  ctx: Context,
  input: { address: string; email: string; purpose: MailPurpose },
): MailSlot | null {
  const { email, purpose } = input
  const now = ctx.clock.now()
  const at = now.getTime()
  const network = networkOf(input.address)
  const waitMs = perNetwork.take(ctx, network, now)
  if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / SECOND))
  const shares = sharesOf(ctx)
  const { left, asked } = shareNow(shares.get(email), at)
  const had = asked.filter((one) => one.network === network)
  const isPausing = purpose !== 'register' && had.some((one) => one.purpose === purpose && at - one.at < COOLDOWN_MS)
  if (isPausing || left < 1 + had.length * LEFT_PER_MAIL) return null
  const mine: Asked = { network, purpose, at }
  shares.set(email, { left: left - 1, at, asked: [...asked, mine] })
  return {
    giveBack() {
      const share = shares.get(email)
      if (share?.asked.includes(mine) !== true) return
      shares.set(email, { ...share, left: share.left + 1, asked: share.asked.filter((one) => one !== mine) })
    },
  }
}

/**
 * Queues a mail in the transaction `work`. One that failed has mailed nothing: whoever asks again at once is not told that
 * all is well, to wait for a mail that never comes.
 */
export async function withMailSlot<T>(turn: MailSlot | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    turn?.giveBack()
    throw error
  }
}

const COOLDOWN_MS = RESEND_COOLDOWN_SECONDS * SECOND

function sharesOf(ctx: Context): BoundedCache<string, Share> {
  const known = perContext.get(ctx) ?? boundedCache<string, Share>(MAX_RECIPIENTS)
  perContext.set(ctx, known)
  return known
}

function shareNow(share: Share | undefined, at: number): Share {
  if (share === undefined) return { left: FULL, at, asked: [] }
  const left = Math.min(FULL, share.left + Math.max(0, at - share.at) / REFILL_MS)
  return { left, at, asked: share.asked.filter((one) => at - one.at < DAY) }
}
