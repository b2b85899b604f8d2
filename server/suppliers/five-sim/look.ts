import type { OpenNumber } from '../resold/open-number.ts'
import { closeByOther, takeMessages } from '../resold/open-numbers.ts'
import { forEachNumber } from '../resold/poll.ts'
import { type Account, checkOrder, listOrders, PAGE } from './account.ts'
import { type FiveSimOrder, isOver } from './wire/read-order.ts'

const MAX_PAGES = 50
/** A page must spare more than one question. */
const WORTH_A_PAGE = 2

/** At all open numbers: by pages of the newest orders, and one by one what lies too far back for that. */
export async function lookAtOpen(account: Account): Promise<void> {
  const open = [...account.open.values()]
  const beganMs = performance.now()
  const seen = await readNewest(account, new Set(open.map(({ activationId }) => activationId)))
  await forEachNumber(account, open, async (number) => {
    const order = seen.get(number.activationId)
    if (order !== undefined) await takeOrder(account, number, { order, beganMs })
    else await lookAtOne(account, number)
  })
}

async function readNewest(account: Account, wanted: ReadonlySet<string>): Promise<Map<string, FiveSimOrder>> {
  const seen = new Map<string, FiveSimOrder>()
  for (let page = 0; page < MAX_PAGES && wanted.size - seen.size >= WORTH_A_PAGE; page += 1) {
    const before = seen.size
    const { orders, rows } = await listOrders(account, page)
    for (const order of orders) if (wanted.has(order.activationId)) seen.set(order.activationId, order)
    if (rows < PAGE || seen.size - before < WORTH_A_PAGE) break
  }
  return seen
}

async function lookAtOne(account: Account, number: OpenNumber): Promise<void> {
  const beganMs = performance.now()
  const order = await checkOrder(account, number.activationId)
  if (order !== null) return takeOrder(account, number, { order, beganMs })
  if (account.open.has(number.reference)) await closeByOther(account, number)
}

/** Also messages that came just before the end. */
async function takeOrder(
  account: Account,
  number: OpenNumber,
  { order, beganMs }: { order: FiveSimOrder; beganMs: number },
): Promise<void> {
  await takeMessages(account, number, { isAgain: false, messages: order.messages, beganMs })
  // Ended here meanwhile: the job tells the other.
  if (isOver(order) && account.open.has(number.reference)) await closeByOther(account, number)
}
