import { SECOND } from '#contract/time.ts'
import { forEachOpen } from '#server/suppliers/resold/poll.ts'
import type { ReadMessage } from '#server/suppliers/resold/sold-number.ts'
import { isRecord } from '#server/suppliers/resold/wire/json-fields.ts'
import { orderNameOf, referenceOfName } from '../account.ts'
import { type RentRow, readRentList, readRentMessages, readRentOrder } from '../wire/read-rent.ts'
import { meaningOf } from '../words.ts'
import { findRent, markRentEnded } from './queries.ts'
import type { OpenRent, Rents } from './rents.ts'

const PAGE = 100
const MAX_PAGES = 50
/** Not in two looks in a row: a page may have shifted. */
const MISSED = 2
const MOST_STRAYS = 20
/** Both clocks together: an end that comes so near to ours is no fault of the number. */
const CLOCKS_APART_MS = 90 * SECOND
const FINISH = '1'
const CANCEL = '2'

/** One list shows what is new; only those rentals are read. */
export async function lookAtRents(rents: Rents, stopping: AbortSignal): Promise<void> {
  const { account } = rents
  const open = [...rents.open.values()]
  const rows = await readAll(rents)
  const byId = new Map(rows.map((row) => [row.rentId, row]))
  await forEachOpen(account, { open, stopping }, async (rent) => {
    const row = byId.get(rent.rentId)
    rent.missed = row === undefined ? rent.missed + 1 : 0
    if (row !== undefined && row.quantity > rent.seen) await readMessages(rents, rent, row)
    if (row === undefined && rent.missed >= MISSED) await lookByName(rents, rent)
  })
  await giveBackStrays(rents, rows)
}

async function readAll({ account }: Rents): Promise<RentRow[]> {
  const found = new Map<string, RentRow>()
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const parameters = { length: String(PAGE), page: String(page) }
    const reply = await account.ask({ action: 'getRentList', parameters })
    const rows = readRentList(reply)
    if (rows === null) throw new Error(`its rentals cannot be read: ${reply.word ?? `status ${reply.status}`}`)
    for (const row of rows) found.set(row.rentId, row)
    if (rows.length < PAGE) break
  }
  return [...found.values()]
}

async function readMessages(rents: Rents, rent: OpenRent, { quantity }: RentRow): Promise<void> {
  const parameters = { id: rent.rentId, size: String(PAGE) }
  const reply = await rents.account.ask({ action: 'getRentStatus', parameters })
  if (!isRecord(reply.json) || reply.word !== null) throw new Error(`messages were answered with ${reply.word}`)
  await deliverAll(rents, rent, readRentMessages(reply.json.values).toReversed())
  rent.seen = quantity
}

/** Each is stored once, by its id. What comes after our end is kept as late. */
async function deliverAll(
  { account }: Rents,
  { reference, rentId, phone }: Pick<OpenRent, 'reference' | 'rentId' | 'phone'>,
  messages: readonly ReadMessage[],
): Promise<void> {
  const { ctx, supplierId } = account
  // No more were asked for.
  for (const { id, sender, text } of messages.slice(-PAGE)) {
    if (id === null) throw new Error(`a message of ${reference} has no id`)
    await ctx.receiveSms({ supplierId, messageId: `rent:${rentId}:${id}`, phone, sender, text, reference })
  }
}

/** Not in the list any more. What came just before the end is told as well. */
async function lookByName(rents: Rents, rent: OpenRent): Promise<void> {
  const { ctx, supplierId } = rents.account
  const { reference, expiresAt } = rent
  const isOver = await readByName(rents, rent)
  // Ended here meanwhile: the job tells the other.
  if (!isOver || !rents.open.has(reference)) return
  const now = ctx.clock.now()
  const isTimeOver = expiresAt.getTime() - CLOCKS_APART_MS <= now.getTime()
  if (!isTimeOver) await ctx.reportUnusable({ supplierId, reference })
  await markRentEnded(ctx.db, { supplierId, reference, now })
  rents.open.delete(reference)
}

async function readByName(
  rents: Rents,
  rent: Pick<OpenRent, 'reference' | 'rentId' | 'phone'>,
  signal?: AbortSignal,
): Promise<boolean> {
  const { account } = rents
  const parameters = { orderId: orderNameOf(account, rent.reference) }
  const reply = await account.ask({ action: 'getRentOrder', parameters, ...(signal && { signal }) })
  const found = readRentOrder(reply)
  if (found === null || found.order === 'pending') {
    throw new Error(`a rental was answered with ${reply.word ?? `status ${reply.status}`}`)
  }
  if (found.order === 'none') return true
  await deliverAll(rents, rent, found.messages)
  return found.order === 'ended'
}

/** It cancels while that gives the money back, else it finishes. Throws until the other has taken it. */
export async function endRental(rents: Rents, reference: string, signal: AbortSignal): Promise<void> {
  const { account, open } = rents
  const { ctx, supplierId } = account
  const row = await findRent(ctx.db, { supplierId, reference })
  if (row === null || row.state !== 'open' || row.rentId === null || row.phone === null) return
  const { rentId, phone } = row
  const cancelled = await setStatus(rents, { rentId, status: CANCEL, signal })
  if (cancelled === 'not-now') await setStatus(rents, { rentId, status: FINISH, signal })
  await readByName(rents, { reference, rentId, phone }, signal)
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

/** A rental that reached the other after we were told that there is none. It bears our name, so it is nobody else's. */
async function giveBackStrays(rents: Rents, rows: readonly RentRow[]): Promise<void> {
  const { account, open } = rents
  const { ctx, supplierId, code } = account
  const named = rows.flatMap(({ rentId, orderId }) => {
    const reference = referenceOfName(account, orderId)
    return reference === null || open.has(reference) ? [] : [{ rentId, reference }]
  })
  for (const { rentId, reference } of named.slice(0, MOST_STRAYS)) {
    const row = await findRent(ctx.db, { supplierId, reference })
    if (row?.state !== 'none' && row?.state !== 'refused') continue
    const reply = await account.ask({ action: 'setRentStatus', parameters: { id: rentId, status: CANCEL } })
    const given = { supplier: code, reference, word: reply.word }
    ctx.log.warn(given, 'a rental that came too late is given back')
  }
}
