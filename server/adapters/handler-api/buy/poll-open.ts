import type { OpenNumber } from '#server/adapters/shared/resold/open-number.ts'
import { closeByOther, takeMessages } from '#server/adapters/shared/resold/open-numbers.ts'
import { forEachOpen } from '#server/adapters/shared/resold/poll.ts'
import { findOrder } from '#server/adapters/shared/resold/queries/orders.ts'
import { isStray } from '#server/adapters/shared/resold/stray.ts'
import type { ActiveItem } from '../wire/read-active.ts'
import { type Account, lookAtActive, referenceOfName } from './account.ts'
import { askStatus } from './status.ts'

/** A number counts as ended only after two polls without it, because pages may have shifted during one poll. */
const MISSED = 2
const MOST_STRAYS = 20

export async function pollOpen(account: Account, stopping: AbortSignal): Promise<void> {
  const open = [...account.open.values()]
  const items = await takeOpen(account, { open, stopping }, async (number) => {
    number.missed += 1
    if (number.missed >= MISSED) await lookAtOne(account, number, stopping)
  })
  if (!stopping.aborted) await giveBackStrays(account, items)
}

/**
 * Stores new messages of the given open numbers. Returns all activations in the supplier's list, and calls `missing`
 * for each number that is not in it. If the supplier has no list, each number is polled alone and the result is empty.
 */
export async function takeOpen(
  account: Account,
  { open, stopping }: { open: readonly OpenNumber[]; stopping: AbortSignal },
  missing: (number: OpenNumber) => Promise<void>,
): Promise<readonly ActiveItem[]> {
  if (account.dialect.list === null) {
    await forEachOpen(account, { open, stopping }, (number) => lookAtOne(account, number, stopping))
    return []
  }
  const beganMs = performance.now()
  const items = await lookAtActive(account, { fresh: true, signal: stopping })
  const byId = new Map(items.map((item) => [item.activationId, item]))
  await forEachOpen(account, { open, stopping }, async (number) => {
    const item = byId.get(number.activationId)
    if (item === undefined) return missing(number)
    number.missed = 0
    await takeMessages(account, number, { ...item, beganMs, stopping })
  })
  return items
}

async function lookAtOne(account: Account, number: OpenNumber, stopping: AbortSignal): Promise<void> {
  const beganMs = performance.now()
  const status = await askStatus(account, number, stopping)
  await takeMessages(account, number, { ...status, beganMs, stopping })
  // If our buyer ended the number meanwhile, a job already informs the supplier of the end.
  if (status.isOver && !stopping.aborted && account.open.has(number.reference)) await closeByOther(account, number)
}

/**
 * Cancels purchases that reached the supplier after it had answered that no such order exists, and those that a
 * fail-over of PostgreSQL lost. Their names prove that they are ours, and no buyer pays for them.
 */
async function giveBackStrays(account: Account, items: readonly ActiveItem[]): Promise<void> {
  const { ctx, supplierId, code } = account
  const named = items.flatMap(({ activationId, orderId }) => {
    const reference = referenceOfName(account, orderId)
    return reference === null || account.open.has(reference) ? [] : [{ activationId, reference }]
  })
  for (const { activationId, reference } of named.slice(0, MOST_STRAYS)) {
    const order = await findOrder(ctx.db, { supplierId, reference })
    if (!(await isStray(ctx.db, { reference, kind: 'activation', order }))) continue
    const reply = await account.ask({ action: 'setStatus', parameters: { id: activationId, status: '8' } })
    // The supplier may refuse a cancellation in the first minutes. The next poll then tries again.
    const level = reply.word === 'ACCESS_CANCEL' ? 'warn' : 'debug'
    ctx.log[level](
      { supplier: code, reference, word: reply.word },
      order === null ? 'a purchase that a fail-over lost is given back' : 'a purchase that came too late is given back',
    )
  }
}
