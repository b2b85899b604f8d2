import type { Account } from '#server/adapters/handler-api/buy/account.ts'
import { type ListedRent, readListedRents } from '#server/adapters/handler-api/wire/read-listed-rent.ts'

const PAGE = 100
/** A page with fewer rows is the last. The number is small, because pages may be shorter than requested. */
const SHORTEST_PAGE = 10
const MAX_PAGES = 50

export async function readAllListed(
  { ask }: Account,
  how: { signal?: AbortSignal; wisher?: string },
): Promise<ListedRent[]> {
  const found = new Map<string, ListedRent>()
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const parameters = { length: String(PAGE), page: String(page) }
    const reply = await ask({ action: 'getRentList', parameters, ...how })
    const rows = readListedRents(reply)
    if (rows === null) throw new Error(`its rentals cannot be read: ${reply.word ?? `status ${reply.status}`}`)
    const isNew = rows.some(({ rentId }) => !found.has(rentId))
    for (const row of rows) found.set(row.rentId, row)
    if (!isNew || rows.length < SHORTEST_PAGE) break
  }
  return [...found.values()]
}
