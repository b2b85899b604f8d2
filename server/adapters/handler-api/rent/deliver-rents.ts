import { isRecord } from '#server/adapters/shared/resold/wire/json-fields.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { reportNumberUnusable } from '#server/core/numbers/refunds/report-unusable.ts'
import type { RentMessage } from '../wire/read-rent.ts'
import { meaningOf } from '../wire/words.ts'
import { findRent, markRentEnded } from './queries.ts'
import { CLOCKS_APART_MS } from './rent.ts'
import type { OpenRent, RentNamed, Rents } from './rents.ts'

/** A rental counts as ended only after two polls without it, because pages may have shifted during one poll. */
export const MISSED = 2
const FINISH = '1'
const CANCEL = '2'

/** Stores each message of a rental once, by its id. A message after our end of the rental is stored as late. */
export async function deliverAll(
  { account }: Rents,
  { reference, rentId, phone }: RentNamed,
  messages: readonly RentMessage[],
): Promise<void> {
  const { ctx, supplierId } = account
  for (const { id, sender, text } of messages) {
    await receiveSms(ctx, { supplierId, messageId: `rent:${rentId}:${id}`, phone, sender, text, reference })
  }
}

export async function closeEndedBySupplier(rents: Rents, rent: OpenRent): Promise<void> {
  const { ctx, supplierId } = rents.account
  const { reference, expiresAt } = rent
  // If our buyer ended the rental meanwhile, a job already informs the supplier of the end.
  if (!rents.open.has(reference)) return
  const now = ctx.clock.now()
  // If the supplier ended the rental about when it would have expired here, the number is not at fault.
  const isTimeOver = expiresAt.getTime() - CLOCKS_APART_MS <= now.getTime()
  if (!isTimeOver) await reportNumberUnusable(ctx, { supplierId, reference })
  await markRentEnded(ctx.db, { supplierId, reference, now })
  rents.open.delete(reference)
}

/**
 * Cancels a rental that the supplier still refunds, and finishes any other. Throws until the supplier accepts the end.
 */
export async function endRental(rents: Rents, reference: string, signal: AbortSignal): Promise<void> {
  const { account, open, way } = rents
  const { ctx, supplierId } = account
  const row = await findRent(ctx.db, { supplierId, reference })
  if (row === null || row.state !== 'open' || row.rentId === null || row.phone === null) return
  const { rentId, phone } = row
  await way.readBeforeEnd(rents, { reference, rentId, phone }, signal)
  const cancelled = await setStatus(rents, { rentId, status: CANCEL, signal })
  if (cancelled === 'not-now') await setStatus(rents, { rentId, status: FINISH, signal })
  await way.readAfterEnd(rents, { reference, rentId, phone }, signal)
  await markRentEnded(ctx.db, { supplierId, reference, now: ctx.clock.now() })
  open.delete(reference)
}

async function setStatus(
  { account }: Rents,
  { rentId, status, signal }: { rentId: string; status: string; signal: AbortSignal },
): Promise<'done' | 'not-now'> {
  const reply = await account.ask({ action: 'setRentStatus', parameters: { id: rentId, status }, signal })
  const meaning = meaningOf(reply.word)
  const isDone = reply.word === null && isRecord(reply.json) && reply.json.status === 'success'
  if (isDone || meaning === 'over' || meaning === 'no-activation') return 'done'
  if (meaning === 'not-now' && status === CANCEL) return 'not-now'
  throw new Error(`the end of a rental was answered with ${reply.word ?? `status ${reply.status}`}`)
}
