import { orderNameOf, referenceOfName } from '#server/adapters/handler-api/buy/account.ts'
import {
  type RentRow,
  readRentList,
  readRentMessages,
  readRentOrder,
} from '#server/adapters/handler-api/wire/read-rent.ts'
import { forEachOpen } from '#server/adapters/shared/resold/poll.ts'
import { isStray } from '#server/adapters/shared/resold/stray.ts'
import { isRecord } from '#server/adapters/shared/resold/wire/json-fields.ts'
import { closeEndedBySupplier, deliverAll, MISSED } from '../deliver-rents.ts'
import { findRent } from '../queries.ts'
import type { OpenRent, RentNamed, Rents } from '../rents.ts'

const PAGE = 100
const MAX_PAGES = 50
const MOST_STRAYS = 20
const CANCEL = '2'

/** Polls all rentals. Only rentals with new messages, as the supplier's list shows, are read. */
export async function pollNamed(rents: Rents, stopping: AbortSignal): Promise<void> {
  const { account } = rents
  const open = [...rents.open.values()]
  const rows = await readAll(rents)
  const byId = new Map(rows.map((row) => [row.rentId, row]))
  await forEachOpen(account, { open, stopping }, async (rent) => {
    const row = byId.get(rent.rentId)
    rent.missed = row === undefined ? rent.missed + 1 : 0
    if (row !== undefined && row.quantity > rent.seen) await readMessages(rents, rent, row)
    // A query by name also returns messages that came just before the end of the rental.
    if (row === undefined && rent.missed >= MISSED && (await readByName(rents, rent)))
      await closeEndedBySupplier(rents, rent)
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
  // The supplier may write more rows than the requested page has.
  await deliverAll(rents, rent, readRentMessages(reply.json.values).toReversed().slice(-PAGE))
  rent.seen = quantity
}

/** Reads and stores the messages of one rental. Returns true if the supplier has ended the rental. */
export async function readByName(rents: Rents, rent: RentNamed, signal?: AbortSignal): Promise<boolean> {
  const { account } = rents
  const parameters = { orderId: orderNameOf(account, rent.reference) }
  const reply = await account.ask({ action: 'getRentOrder', parameters, ...(signal && { signal }) })
  const found = readRentOrder(reply)
  if (found === null || found.order === 'pending') {
    throw new Error(`a rental was answered with ${reply.word ?? `status ${reply.status}`}`)
  }
  if (found.order === 'none') return true
  await deliverAll(rents, rent, found.messages.slice(-PAGE))
  return found.order === 'ended'
}

/**
 * Cancels rentals that reached the supplier after it had denied that they exist, and those that a fail-over of
 * PostgreSQL lost. Their names prove they are ours.
 */
async function giveBackStrays(rents: Rents, rows: readonly RentRow[]): Promise<void> {
  const { account, open } = rents
  const { ctx, supplierId, code } = account
  const named = rows.flatMap(({ rentId, orderId }) => {
    const reference = referenceOfName(account, orderId)
    return reference === null || open.has(reference) ? [] : [{ rentId, reference }]
  })
  for (const { rentId, reference } of named.slice(0, MOST_STRAYS)) {
    const row = await findRent(ctx.db, { supplierId, reference })
    if (!(await isStray(ctx.db, { reference, kind: 'rental', order: row }))) continue
    const reply = await account.ask({ action: 'setRentStatus', parameters: { id: rentId, status: CANCEL } })
    const given = { supplier: code, reference, word: reply.word }
    ctx.log.warn(
      given,
      row === null ? 'a rental that a fail-over lost is given back' : 'a rental that came too late is given back',
    )
  }
}
