import type { OpenNumber } from '#server/adapters/shared/resold/open-number.ts'
import { closeByOther, takeMessages } from '#server/adapters/shared/resold/open-numbers.ts'
import { forEachOpen } from '#server/adapters/shared/resold/poll.ts'
import { findOrder } from '#server/adapters/shared/resold/queries/orders.ts'
import type { ActiveItem } from '../wire/read-active.ts'
import { type Account, lookAtActive, referenceOfName } from './account.ts'
import { askStatus } from './status.ts'

/** Not in two looks in a row: a page may have shifted. */
const MISSED = 2
const MOST_STRAYS = 20

/** At all open numbers. */
export async function lookAtOpen(account: Account, stopping: AbortSignal): Promise<void> {
  const open = [...account.open.values()]
  const items = await takeOpen(account, { open, stopping }, async (number) => {
    number.missed += 1
    if (number.missed >= MISSED) await lookAtOne(account, number, stopping)
  })
  if (!stopping.aborted) await giveBackStrays(account, items)
}

/** Takes what came to these numbers. `missing`: of one that the other does not list. Returns all that it lists. */
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
  // Ended here meanwhile: the job tells the other.
  if (status.isOver && !stopping.aborted && account.open.has(number.reference)) await closeByOther(account, number)
}

/**
 * A purchase that reached the other after we were told that there is none. It bears our name, so it is nobody else's,
 * and its buyer has the money back.
 */
async function giveBackStrays(account: Account, items: readonly ActiveItem[]): Promise<void> {
  const { ctx, supplierId, code } = account
  const named = items.flatMap(({ activationId, orderId }) => {
    const reference = referenceOfName(account, orderId)
    return reference === null || account.open.has(reference) ? [] : [{ activationId, reference }]
  })
  for (const { activationId, reference } of named.slice(0, MOST_STRAYS)) {
    const order = await findOrder(ctx.db, { supplierId, reference })
    if (order?.state !== 'none' && order?.state !== 'refused') continue
    const reply = await account.ask({ action: 'setStatus', parameters: { id: activationId, status: '8' } })
    // In the first minutes it may be refused; the next look asks again.
    const level = reply.word === 'ACCESS_CANCEL' ? 'warn' : 'debug'
    ctx.log[level]({ supplier: code, reference, word: reply.word }, 'a purchase that came too late is given back')
  }
}
