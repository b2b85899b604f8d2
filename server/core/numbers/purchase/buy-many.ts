import type { BulkReply, PurchaseInput } from '#contract/activation.ts'
import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { tooBusy, tooManyRequests } from '#server/house/errors/errors.ts'
import { hashParts } from '#server/house/hash-parts.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { toAppError, toReply } from '#server/house/http/error-reply.ts'
import { perContext } from '#server/house/memory.ts'

/** The maximum number of items bought in parallel, so that a call loads suppliers like a few buyers. */
const AT_A_TIME = 5
/** The time after which no further item is begun, because programs do not wait longer for a reply. */
const MOST_MS = 60 * SECOND
const COME_AGAIN_SECONDS = 2

type Item = BulkReply['data']['items'][number]
type Bought = Extract<Item, { status: true }>

/** The accounts with a bulk purchase in progress. Each account may have one, and one in the sandbox. */
const underWayOf = perContext(
  'bulk purchases',
  { scope: 'world', nodes: 'own', lost: 'nothing: their connections end' },
  () => new Set<number>(),
)

/**
 * Buys item by item; an item that fails does not affect other items. A repeated request with the same `idempotencyKey`
 * buys only the items that were not tried. No item begins after the caller hangs up or once `requireBuyer` refuses.
 * Throws TOO_MANY_REQUESTS if another bulk purchase of the account is running.
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
    // All workers share one iterator, so each item is taken once.
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
