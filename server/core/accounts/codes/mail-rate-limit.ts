import { RESEND_COOLDOWN_SECONDS } from '#contract/account.ts'
import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import { boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import { hashParts } from '#server/house/hash-parts.ts'
import { networkOf } from '#server/house/http/door/network-of.ts'
import { countTogether } from '#server/house/limits/count-together.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { perContext } from '#server/house/memory.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { createScript, type Redis } from '#server/house/redis/redis.ts'

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
const COOLDOWN_MS = RESEND_COOLDOWN_SECONDS * SECOND

/** `register` has no cooldown in this file, because the database row of the registration enforces one. */
type MailPurpose = 'register' | 'resend' | 'reset' | 'link-email'
type Asked = { network: string; purpose: MailPurpose; at: number }
type Share = { left: number; at: number; asked: readonly Asked[] }

/** `giveBack` refunds the reserved mail if nothing was sent; it is idempotent. */
export type MailSlot = { giveBack(): Promise<void> }

const NAME = 'mails of a recipient'

const sharesOf = perContext(
  NAME,
  { scope: 'process', nodes: 'counted', lost: 'what was used of it: each recipient starts anew' },
  () => boundedCache<string, Share>(MAX_RECIPIENTS),
)

/**
 * Reserves a mail to `email` (lower case), known to us or not, so that the reply reveals nothing. Returns null if the
 * recipient got too many mails or is in the cooldown. The caller then sends nothing and replies as usual. An error
 * would show strangers that they block a recipient's mails. Throws TOO_MANY_REQUESTS at the network's own limit.
 */
export async function reserveMail(
  ctx: Context,
  input: { address: string; email: string; purpose: MailPurpose },
): Promise<MailSlot | null> {
  const network = networkOf(input.address)
  await perNetwork.spend(ctx, network)
  const wanted = { email: input.email, purpose: input.purpose, network }
  const slot = ctx.redis === null ? undefined : await reserveTogether(ctx, ctx.redis, wanted)
  return slot === undefined ? reserveOwn(ctx, wanted) : slot
}

type Wanted = { email: string; purpose: MailPurpose; network: string }

/** Reserves a mail at all nodes together. Returns undefined while Redis is away. */
async function reserveTogether(ctx: Context, redis: Redis, wanted: Wanted): Promise<MailSlot | null | undefined> {
  const recipient = { name: NAME, caller: wanted.email }
  const id = ctx.random.uuid()
  const cooldownMs = wanted.purpose === 'register' ? 0 : COOLDOWN_MS
  const rules = [FULL, REFILL_MS, LEFT_PER_MAIL, cooldownMs, DAY]
  const asked = [id, hashParts([wanted.network]), wanted.purpose]
  const reserved = await countTogether(redis, recipient, RESERVE, [...asked, ...rules])
  if (reserved === undefined) return undefined
  if (reserved[0] === 0) return null
  return {
    async giveBack() {
      await countTogether(redis, recipient, GIVE_BACK, [id])
    },
  }
}

/** Reserves a mail at this node, which has its share of the recipient's mails. */
function reserveOwn(ctx: Context, { email, purpose, network }: Wanted): MailSlot | null {
  const at = ctx.clock.now().getTime()
  const nodes = ctx.redis === null ? 1 : nodeOf(ctx).livingNodes
  const shares = sharesOf(ctx)
  const { left, asked } = shareNow(shares.get(email), { at, nodes })
  const had = asked.filter((one) => one.network === network)
  const isPausing = purpose !== 'register' && had.some((one) => one.purpose === purpose && at - one.at < COOLDOWN_MS)
  if (isPausing || left < 1 + had.length * LEFT_PER_MAIL) return null
  const mine: Asked = { network, purpose, at }
  shares.set(email, { left: left - 1, at, asked: [...asked, mine] })
  return {
    async giveBack() {
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
    await slot?.giveBack()
    throw error
  }
}

function shareNow(share: Share | undefined, { at, nodes }: { at: number; nodes: number }): Share {
  const full = Math.floor(FULL / nodes)
  if (share === undefined) return { left: full, at, asked: [] }
  const left = Math.min(full, share.left + Math.max(0, at - share.at) / (REFILL_MS * nodes))
  return { left, at, asked: share.asked.filter((one) => at - one.at < DAY) }
}

/** Does the same as `reserveOwn`, by the time of Redis. Returns 1 if the mail is reserved under the id of ARGV. */
const RESERVE = createScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local id, network, purpose = ARGV[1], ARGV[2], ARGV[3]
local full, refill, perMail, cooldown, day =
  tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local share = redis.call('GET', KEYS[1])
share = share and cjson.decode(share) or {left = full, at = now, asked = {}}
local left = math.min(full, share.left + math.max(0, now - share.at) / refill)
local asked, had = {}, 0
for _, one in ipairs(share.asked) do
  if now - one.at < day then
    table.insert(asked, one)
    if one.network == network then
      had = had + 1
      if one.purpose == purpose and now - one.at < cooldown then return {0} end
    end
  end
end
if left < 1 + had * perMail then return {0} end
table.insert(asked, {id = id, network = network, purpose = purpose, at = now})
redis.call('SET', KEYS[1], cjson.encode({left = left - 1, at = now, asked = asked}), 'PX', day)
return {1}`)

const GIVE_BACK = createScript(`
local share = redis.call('GET', KEYS[1])
if not share then return {0} end
share = cjson.decode(share)
for at, one in ipairs(share.asked) do
  if one.id == ARGV[1] then
    table.remove(share.asked, at)
    share.left = share.left + 1
    redis.call('SET', KEYS[1], cjson.encode(share), 'KEEPTTL')
    return {1}
  end
end
return {0}`)
