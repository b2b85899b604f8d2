import { RESEND_COOLDOWN_SECONDS } from '#contract/account.ts'
import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import { boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import { networkOf } from '#server/house/http/door/network-of.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { perContext } from '#server/house/memory.ts'

const perNetwork = createRateLimit({ name: 'mails asked for by a network', burst: 20, refillMs: MINUTE / 20 })

/** The maximum number of mails in the token bucket of one recipient. An empty bucket refills within a day. */
const FULL = 40
const REFILL_MS = DAY / FULL
/**
 * The balance that a network's next mail needs rises by this number with each mail that it requested. So strangers
 * cannot use up the mails that the recipient requests from another network.
 */
const LEFT_PER_MAIL = 4
const MAX_RECIPIENTS = 50_000

/** `register` has no cooldown in this file, because the database row of the registration enforces one. */
type MailPurpose = 'register' | 'resend' | 'reset' | 'link-email'
type Asked = { network: string; purpose: MailPurpose; at: number }
type Share = { left: number; at: number; asked: readonly Asked[] }

/** `giveBack` refunds the reserved mail if nothing was sent; it is idempotent. */
export type MailSlot = { giveBack(): void }

const sharesOf = perContext(
  'mails of a recipient',
  { scope: 'process', lost: 'what was used of it: each recipient starts anew' },
  () => boundedCache<string, Share>(MAX_RECIPIENTS),
)

/**
 * Reserves a mail to `email` (lower case), known to us or not, so that the reply reveals nothing. Returns null if the
 * recipient got too many mails or is in the cooldown. The caller then sends nothing and replies as usual. An error
 * would show strangers that they block a recipient's mails. Throws TOO_MANY_REQUESTS at the network's own limit.
 */
export function reserveMail(
  ctx: Context,
  input: { address: string; email: string; purpose: MailPurpose },
): MailSlot | null {
  const { email, purpose } = input
  const now = ctx.clock.now()
  const at = now.getTime()
  const network = networkOf(input.address)
  perNetwork.spend(ctx, network)
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

/** Runs `work` and refunds the reserved mail if `work` throws, so that a retry may send a mail. */
export async function withMailSlot<T>(slot: MailSlot | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    slot?.giveBack()
    throw error
  }
}

const COOLDOWN_MS = RESEND_COOLDOWN_SECONDS * SECOND

function shareNow(share: Share | undefined, at: number): Share {
  if (share === undefined) return { left: FULL, at, asked: [] }
  const left = Math.min(FULL, share.left + Math.max(0, at - share.at) / REFILL_MS)
  return { left, at, asked: share.asked.filter((one) => at - one.at < DAY) }
}
