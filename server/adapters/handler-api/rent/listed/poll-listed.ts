import { type MessagePage, nameMessages, readMessagePage } from '#server/adapters/handler-api/wire/read-listed-rent.ts'
import { meaningOf } from '#server/adapters/handler-api/wire/words.ts'
import { forEachOpen } from '#server/adapters/shared/resold/poll.ts'
import { closeEndedBySupplier, deliverAll, MISSED } from '../deliver-rents.ts'
import type { RentNamed, Rents } from '../rents.ts'

/** The number of rentals in one poll, least recently polled first, because each needs its own request. */
const RENTS_A_LOOK = 50
const PAGE = 100
const MAX_PAGES = 10
const OVER: readonly string[] = ['STATUS_FINISH', 'STATUS_CANCEL', 'STATUS_REVOKE']

export async function pollListed(rents: Rents, stopping: AbortSignal): Promise<void> {
  const open = [...rents.open.values()].toSorted((a, b) => a.lookedMs - b.lookedMs).slice(0, RENTS_A_LOOK)
  await forEachOpen(rents.account, { open, stopping }, async (rent) => {
    rent.lookedMs = performance.now()
    const told = await readNew(rents, rent)
    rent.missed = told === 'unknown' ? rent.missed + 1 : 0
    if (told === 'over' || rent.missed >= MISSED) await closeEndedBySupplier(rents, rent)
    else if (told !== 'unknown') rent.seen = told
  })
}

/** Stores new messages of a rental. Returns the total of messages, or that the rental has ended or is unknown. */
export async function readNew(
  rents: Rents,
  rent: RentNamed & { seen: number },
  signal?: AbortSignal,
): Promise<number | 'over' | 'unknown'> {
  const pages: MessagePage[] = []
  let count = 0
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const told = await readPage(rents, { rentId: rent.rentId, page, signal })
    if (typeof told === 'string') {
      if (page === 1) return told
      break
    }
    pages.push(told)
    count += told.rows.length
    // The supplier may write shorter pages than requested, so a short page need not be the last.
    if (told.rows.length === 0 || told.quantity === null || count >= told.quantity - rent.seen) break
  }
  const quantity = pages[0]?.quantity ?? count
  if (quantity === rent.seen) return quantity
  const named = pages.toReversed().flatMap(nameMessages)
  await deliverAll(rents, rent, named)
  return quantity
}

async function readPage(
  { account }: Rents,
  { rentId, page, signal }: { rentId: string; page: number; signal: AbortSignal | undefined },
): Promise<MessagePage | 'over' | 'unknown'> {
  const parameters = { id: rentId, page: String(page), size: String(PAGE) }
  const reply = await account.ask({ action: 'getRentStatus', parameters, ...(signal && { signal }) })
  if (reply.word === 'STATUS_WAIT_CODE') return { quantity: 0, rows: [], times: [] }
  if (reply.word !== null && OVER.includes(reply.word)) return 'over'
  if (meaningOf(reply.word) === 'no-activation') return 'unknown'
  const read = reply.word === null ? readMessagePage(reply) : null
  if (read === null) throw new Error(`a rental was answered with ${reply.word ?? `status ${reply.status}`}`)
  // The supplier may write more rows than the requested page has.
  return { ...read, rows: read.rows.slice(0, PAGE), times: read.times.slice(0, PAGE) }
}
