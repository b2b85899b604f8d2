import type { OpenNumber } from '#server/adapters/shared/resold/open-number.ts'
import { closeByOther, takeMessages } from '#server/adapters/shared/resold/open-numbers.ts'
import { forEachOpen } from '#server/adapters/shared/resold/poll.ts'
import { MOST_LOOK_BYTES } from '#server/adapters/shared/resold/wire/get-outside.ts'
import { type FiveSimOrder, isOver } from '../wire/read-order.ts'
import { type Account, checkOrder, listOrders, PAGE } from './account.ts'

const MAX_PAGES = 50
/** A page of orders is read only if it saves at least this many requests for single orders. */
const WORTH_A_PAGE = 2

/** Polls all open numbers. Pages cover the newest orders, and each older order gets its own request. */
export async function pollOpen(account: Account, stopping: AbortSignal): Promise<void> {
  const open = [...account.open.values()]
  const beganMs = performance.now()
  const wanted = new Set(open.map(({ activationId }) => activationId))
  const seen = await readNewest(account, wanted, stopping)
  await forEachOpen(account, { open, stopping }, async (number) => {
    const order = seen.get(number.activationId)
    if (order !== undefined) await takeOrder(account, number, { order, beganMs, stopping })
    else await lookAtOne(account, number, stopping)
  })
}

async function readNewest(
  account: Account,
  wanted: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Map<string, FiveSimOrder>> {
  let left = MOST_LOOK_BYTES
  const seen = new Map<string, FiveSimOrder>()
  for (let page = 0; page < MAX_PAGES && wanted.size - seen.size >= WORTH_A_PAGE; page += 1) {
    const before = seen.size
    const { orders, rows, bytes } = await listOrders(account, page, { left, signal })
    left -= bytes
    for (const order of orders) if (wanted.has(order.activationId)) seen.set(order.activationId, order)
    if (rows < PAGE || seen.size - before < WORTH_A_PAGE) break
  }
  return seen
}

async function lookAtOne(account: Account, number: OpenNumber, stopping: AbortSignal): Promise<void> {
  const beganMs = performance.now()
  const order = await checkOrder(account, number.activationId, stopping)
  if (order !== null) return takeOrder(account, number, { order, beganMs, stopping })
  if (!stopping.aborted && account.open.has(number.reference)) await closeByOther(account, number)
}

async function takeOrder(
  account: Account,
  number: OpenNumber,
  { order, beganMs, stopping }: { order: FiveSimOrder; beganMs: number; stopping: AbortSignal },
): Promise<void> {
  await takeMessages(account, number, { isAgain: false, messages: order.messages(), beganMs, stopping })
  // If our buyer ended the number meanwhile, a job already informs the supplier of the end.
  if (isOver(order) && !stopping.aborted && account.open.has(number.reference)) await closeByOther(account, number)
}
