import type { QueueFilter } from '#contract/staff/staff-room.ts'
import type { SupportCategory } from '#contract/support/support-constants.ts'
import type { NamedValues } from '#server/house/db/named-values.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'
import type { SearchTerms } from '../queue/search-terms.ts'
import { STAFF_TICKET_COLUMNS, STAFF_TICKETS, type StaffTicketRow } from './tickets.ts'

export type QueueWanted = {
  state: QueueFilter['state']
  category: SupportCategory | null
  takenBy: number | null
  terms: SearchTerms | null
}

/** The maximum number of tickets found for each meaning of a search, newest first. */
const FOUND = 500
/** The maximum number of orders with a phone, and of accounts whose e-mail address begins with the search. */
const OWNERS = 200
/** The number of tickets at which the count stops. */
const COUNTED = 10_000
/** The number of waiting tickets at which the count stops. The header shows at most 99+. */
const WAITING_COUNTED = 1_000

const NEWEST = `ORDER BY t.id DESC LIMIT ${FOUND}`
const OF_PHONE = (orders: string, column: string) => `SELECT t.id FROM support_tickets t
    WHERE t.${column} IN (SELECT o.id FROM ${orders} o WHERE o.phone = ANY ($phones) ORDER BY o.created_at DESC LIMIT ${OWNERS}) ${NEWEST}`

/**
 * The query for each meaning of a search, which uses an index. Only numbers that a ticket is about are searched,
 * because staff may not see other numbers.
 */
const MEANINGS: Record<keyof SearchTerms, readonly string[]> = {
  id: [
    'SELECT t.id FROM support_tickets t WHERE t.id = $id',
    'SELECT t.id FROM support_tickets t WHERE t.activation_id = $id',
    'SELECT t.id FROM support_tickets t WHERE t.rental_id = $id',
  ],
  accountId: ['SELECT t.id FROM support_tickets t WHERE t.user_id = $accountId'],
  phones: [OF_PHONE('activations', 'activation_id'), OF_PHONE('rentals', 'rental_id')],
  email: [
    `SELECT t.id FROM support_tickets t
      WHERE t.user_id IN (SELECT u.id FROM users u WHERE lower(u.email) LIKE $email LIMIT ${OWNERS})`,
  ],
  transactionId: [
    `SELECT t.id FROM support_tickets t
      WHERE t.payment_id IN (SELECT p.id FROM payments p WHERE p.transaction_id = $transactionId)`,
  ],
  words: [`SELECT t.id FROM support_tickets t WHERE to_tsvector('simple', t.subject) @@ to_tsquery('simple', $words)`],
}

/** The queries are not prepared by name, so that PostgreSQL plans each by its values. */
function fits({ terms, ...wanted }: QueueWanted): { where: string; values: NamedValues } {
  const filter = `($state = 'all' OR t.state = $state) AND ($category::text IS NULL OR t.category = $category)
    AND ($takenBy::integer IS NULL OR t.taken_by = $takenBy)`
  if (terms === null) return { where: filter, values: wanted }
  // The cast is safe, because MEANINGS has exactly the keys of SearchTerms.
  const meant = (Object.keys(MEANINGS) as (keyof SearchTerms)[]).filter((name) => terms[name] !== null)
  const found = meant
    .flatMap((name) => MEANINGS[name])
    .map((text) => `(${text.includes(NEWEST) ? text : `${text} ${NEWEST}`})`)
  if (found.length === 0) return { where: 'false', values: {} }
  const used = Object.fromEntries(meant.map((name) => [name, terms[name]]))
  return { where: `${filter} AND t.id IN (${found.join(' UNION ')})`, values: { ...wanted, ...used } }
}

/** Lists tickets. Open tickets are sorted by waiting time, longest first, and all others by their latest change. */
export async function listQueue(
  db: Db,
  { offset, limit, ...wanted }: QueueWanted & { offset: number; limit: number },
): Promise<StaffTicketRow[]> {
  const order = wanted.state === 'open' ? 't.waits_since, t.id' : 't.changed_at DESC, t.id DESC'
  const { where, values } = fits(wanted)
  const { rows } = await db.query<StaffTicketRow>({
    text: `SELECT ${STAFF_TICKET_COLUMNS} FROM ${STAFF_TICKETS} WHERE ${where} ORDER BY ${order} OFFSET $offset LIMIT $limit`,
    values: { ...values, offset, limit },
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}

export async function countQueue(db: Db, wanted: QueueWanted): Promise<number> {
  const { where, values } = fits(wanted)
  const { rows } = await db.query<{ total: bigint }>({
    text: `SELECT count(*) AS total FROM (SELECT FROM support_tickets t WHERE ${where} LIMIT ${COUNTED}) counted`,
    values,
    limitMs: SLOW_LIMIT_MS,
  })
  return Number(rows[0]?.total ?? 0n)
}

export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await db.query<{ waiting: bigint }>({
    name: 'staff-waiting',
    text: `SELECT count(*) AS waiting FROM (SELECT FROM support_tickets WHERE state = 'open' LIMIT ${WAITING_COUNTED}) counted`,
  })
  return Number(rows[0]?.waiting ?? 0n)
}
