import type { BulkReply, PurchaseInput } from '#contract/activation.ts'
import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { tooBusy, tooManyRequests } from '#server/house/errors/errors.ts'
import { hashParts } from '#server/house/hash-parts.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { toAppError, toReply } from '#server/house/http/error-reply.ts'
import { perContext } from '#server/house/memory.ts'

/** At a time, so that one call keeps no more suppliers busy than a few buyers do. */
const AT_A_TIME = 5
/** After which no further item is begun: programs do not wait longer. */
const MOST_MS = 60 * SECOND
const COME_AGAIN_SECONDS = 2

type Item = BulkReply['data']['items'][number]
type Bought = Extract<Item, { status: true }>

/** Each person has one at a time, and one with play money. */
const underWayOf = perContext(
  'bulk purchases',
  { scope: 'world', lost: 'nothing: their connections end' },
  () => new Set<number>(),
)

/**
 * Buys item by item, each settled for itself: one that fails takes no other with it. A repeat with the same `idempotencyKey` buys
 * what was not tried, and nothing twice. Nothing is begun for somebody who has hung up, or whom `requireBuyer` refuses by then.
 * Throws TOO_MANY_REQUESTS while another of the same person is under way.
 */
export async function buyMany(
  ctx: Context,
  input: {
    caller: MemberCaller
    items: readonly PurchaseInput[]
    idempotencyKey: string | undefined
    hungUp: AbortSignal
    requireBuyer: () => Promise<void>
    buy: (item: PurchaseInput, idempotencyKey: string | undefined) => Promise<Bought>
  },
): Promise<BulkReply['data']> {
  const { caller, items, idempotencyKey: key, hungUp, requireBuyer, buy } = input
  const leave = enter(ctx, caller.member.userId)
  const begunAt = ctx.clock.now().getTime()
  const results: Item[] = []
  const queue = items.entries()
  const work = async () => {
    // One iterator for all of them: each item is taken once.
    for (const [n, item] of queue) {
      const isLate = ctx.clock.now().getTime() - begunAt > MOST_MS
      results[n] = await settled(ctx, caller, async () => {
        if (isLate || hungUp.aborted) throw tooBusy(COME_AGAIN_SECONDS)
        await requireBuyer()
        return buy(item, key === undefined ? undefined : `bulk:${hashParts([key, n])}`)
      })
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_A_TIME }, work))
  } finally {
    leave()
  }
  return { bought: results.filter(({ status }) => status).length, items: results }
}

async function settled(ctx: Context, { locale }: MemberCaller, buy: () => Promise<Bought>): Promise<Item> {
  try {
    return await buy()
  } catch (error) {
    const known = toAppError(error)
    if (known.code === 'SERVER_ERROR') ctx.log.error({ error }, 'an item of a bulk purchase failed')
    return toReply(known, locale)
  }
}

function enter(ctx: Context, userId: number): () => void {
  const known = underWayOf(ctx)
  if (known.has(userId)) throw tooManyRequests(COME_AGAIN_SECONDS)
  known.add(userId)
  return () => {
    known.delete(userId)
  }
}
