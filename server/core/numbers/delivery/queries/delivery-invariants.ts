import { FULL_NUMBER } from '#contract/rental.ts'
import { NUMBER_HELD_MS } from '#server/core/suppliers/supplier.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { Invariant } from '#server/house/money/invariant.ts'
import type { LedgerCheck } from '#server/house/money/verify.ts'

const HELD = `interval '${NUMBER_HELD_MS} milliseconds'`
/** The tolerance for recorded times, because a statement that waited for a row lock sees slightly older data. */
const SKEW = `interval '15 seconds'`
const PAID = `'received', 'waiting_again', 'finished'`
const NAMED = `named_by IN ('hash', 'domain', 'text', 'sender')`
const GIVEN = `SELECT count(*) FROM checked_messages WHERE activation_id IS NOT NULL OR rental_id IS NOT NULL`

const OWNED = `(
    SELECT m.*, o.user_id, o.service_code, o.state, o.phone AS order_phone, o.supplier_id AS order_supplier, o.ended_at,
      m.activation_id AS order_id, 'activation' AS kind, o.id || '-' || o.attempt AS order_reference
    FROM checked_messages m JOIN activations o ON o.id = m.activation_id
    UNION ALL
    SELECT m.*, o.user_id, o.service_code, o.state, o.phone, o.supplier_id, o.ended_at, m.rental_id, 'rental',
      'r' || o.id || '-' || o.attempt
    FROM checked_messages m JOIN rentals o ON o.id = m.rental_id
  ) m`

const ORDER = 'id, user_id, service_code, phone, supplier_id, created_at, ended_at'
const HOLDING = [
  `SELECT 'activation.waiting' AS settled, ${ORDER} FROM activations WHERE state IN ('waiting', 'received', 'waiting_again')`,
  `SELECT 'activation.waiting', ${ORDER} FROM activations WHERE ended_at IS NOT NULL AND phone IS NOT NULL`,
  `SELECT 'rental.active', ${ORDER} FROM rentals WHERE state = 'active'`,
  `SELECT 'rental.active', ${ORDER} FROM rentals WHERE ended_at IS NOT NULL AND phone IS NOT NULL`,
].join(' UNION ALL ')

/** SQL: the orders that had the number of the message `m` when it arrived. */
const holdersOf = (when: {
  since: string
  condition: string
}) => `SELECT FROM (${HOLDING}) h WHERE h.phone = m.phone AND h.supplier_id = m.supplier_id AND h.created_at <= m.received_at
      AND (h.ended_at IS NULL OR h.ended_at > ${when.since}) AND ${when.condition}
      AND EXISTS (SELECT FROM events e
        WHERE e.subject_id = h.id AND e.kind = h.settled AND e.at >= h.created_at - ${SKEW} AND e.at < m.received_at - ${SKEW})`

/** Checks that each message names the service of its order. `families` maps a service to its family. */
const namedFits = (families: ReadonlyMap<string, string>): Invariant => ({
  name: 'a message that names a service stands under an order for it',
  counted: `SELECT count(*) FROM checked_messages WHERE ${NAMED} AND COALESCE(activation_id, rental_id) IS NOT NULL`,
  // A rental also gets messages of the other services in its service's family.
  problems: `SELECT format('message %s names %s, but stands under %s %s for %s', id, array_to_string(named_services, ', '), kind,
      order_id, service_code) AS problem
    FROM ${OWNED} LEFT JOIN (VALUES ${familyRows(families)}) families (member, family) ON member = service_code
    WHERE ${NAMED} AND given NOT IN ('reference', 'by-hand') AND service_code <> ALL (named_services)
      AND NOT (kind = 'rental' AND (service_code = '${FULL_NUMBER}' OR COALESCE(family, service_code) = named_family))`,
})

const CODE = /^[a-z0-9_-]+$/

/** Family codes come from the seed and the catalogue. The pattern prevents SQL injection by a malformed code. */
function familyRows(families: ReadonlyMap<string, string>): string {
  const rows = [...families].filter((row) => row.every((code) => CODE.test(code)))
  return [...rows.map(([code, family]) => `('${code}', '${family}')`), `('', '')`].join(', ')
}

const onlyHolder: Invariant = {
  name: 'a message that names no service was given to the only account that had the number',
  counted: `SELECT count(*) FROM checked_messages WHERE given IN ('only-holder', 'hinted')`,
  problems: `SELECT format('message %s names nothing and stands under %s %s of user %s, but another had %s too', id, kind, order_id,
      user_id, phone) AS problem
    FROM ${OWNED} WHERE given IN ('only-holder', 'hinted') AND EXISTS (${holdersOf({
      since: `m.received_at - ${HELD} + ${SKEW}`,
      condition: `h.user_id <> m.user_id AND (m.given = 'only-holder' OR h.service_code = ANY (m.named_services))`,
    })})`,
}

const lateChargesNobody: Invariant = {
  name: 'a late message stands under an order that has ended, and is not counted',
  counted: `SELECT count(*) FROM checked_messages WHERE given = 'late'`,
  problems: `SELECT format('message %s is late, but %s %s is %s', id, kind, order_id, state) AS problem
    FROM ${OWNED} WHERE given = 'late' AND ended_at IS NULL`,
}

const noticeChargesNobody: Invariant = {
  name: 'a closed notice stands under an activation, and one that was opened under a paid one',
  counted: `SELECT count(*) FROM checked_messages WHERE given IN ('notice', 'opened')`,
  problems: `SELECT format('message %s is %s, but %s %s is %s', id, given, kind, order_id, state) AS problem
    FROM ${OWNED} WHERE given IN ('notice', 'opened') AND (kind <> 'activation' OR given = 'opened' AND state NOT IN (${PAID}))`,
}

const sameNumber: Invariant = {
  name: 'a message stands under an order of its number, at its supplier',
  counted: GIVEN,
  problems: `SELECT format('message %s for %s of supplier %s stands under %s %s, which has %s of supplier %s', id, phone, supplier_id,
      kind, order_id, COALESCE(order_phone, 'none'), order_supplier) AS problem
    FROM ${OWNED} WHERE phone IS DISTINCT FROM order_phone OR (supplier_id <> order_supplier AND given <> 'by-hand')`,
}

const ownReference: Invariant = {
  name: 'a message that its supplier tied to an order stands under that order',
  counted: `SELECT count(*) FROM checked_messages WHERE given = 'reference'`,
  problems: `SELECT format('message %s is for %s, but stands under %s %s', id, COALESCE(reference, 'no order'), kind, order_id) AS problem
    FROM ${OWNED} WHERE given = 'reference' AND reference IS DISTINCT FROM order_reference`,
}

const nobodys: Invariant = {
  name: 'what belongs to nobody stands under nobody, and what was given under somebody',
  counted: 'SELECT count(*) FROM checked_messages WHERE given IS NOT NULL',
  problems: `SELECT format('message %s is %s, but stands under %s', id, given, COALESCE(activation_id, rental_id)::text) AS problem
    FROM checked_messages WHERE given IS NOT NULL
      AND (given IN ('unmatched', 'operator', 'junk')) <> (COALESCE(activation_id, rental_id) IS NULL)`,
}

const operatorsNotice: Invariant = {
  name: 'a notice of a mobile operator was given to nobody',
  counted: `SELECT count(*) FROM checked_messages WHERE named_by = 'operator'`,
  problems: `SELECT format('message %s is an operator''s notice, but is %s', id, given) AS problem
    FROM checked_messages WHERE named_by = 'operator' AND given NOT IN ('operator', 'by-hand', 'junk')`,
}

const notLost: Invariant = {
  name: 'no message waits for staff that names the service of somebody who waited for it',
  counted: `SELECT count(*) FROM checked_messages WHERE given = 'unmatched'`,
  problems: `SELECT format('message %s names %s and is unmatched, but somebody waited for it on %s', id, named_services[1], phone) AS problem
    FROM checked_messages m WHERE given = 'unmatched' AND ${NAMED} AND reference IS NULL AND EXISTS (${holdersOf({
      since: `m.received_at + ${SKEW}`,
      condition: 'h.service_code = m.named_services[1]',
    })})`,
}

const byHandAudited: Invariant = {
  name: 'whatever was attached by hand is in the audit log',
  counted: `SELECT count(*) FROM checked_messages WHERE given = 'by-hand'`,
  problems: `SELECT format('message %s was attached to %s by nobody who is known', id, COALESCE(activation_id, rental_id)) AS problem
    FROM checked_messages m WHERE given = 'by-hand' AND NOT EXISTS (
      SELECT FROM audit_log a WHERE a.command = 'message:attach' AND a.subject = 'message:' || m.id)`,
}

export const deliveryInvariants = (families: ReadonlyMap<string, string>): readonly Invariant[] => [
  namedFits(families),
  onlyHolder,
  lateChargesNobody,
  noticeChargesNobody,
  sameNumber,
  ownReference,
  nobodys,
  operatorsNotice,
  notLost,
  byHandAudited,
]

const PROBLEMS_SHOWN = 20

/** Lifts the pool's time-outs, which are set for purchases, for a transaction that may read every message. */
export async function readWithoutHaste(tx: Db): Promise<void> {
  await tx.query({ text: `SELECT set_config('statement_timeout', '0', true), set_config('work_mem', '128MB', true)` })
}

/** Checks an invariant over the messages of a query. Returns the number of violations and describes the first few. */
export async function checkInvariant(
  tx: Db,
  { name, counted, problems }: Invariant,
  messages: string,
): Promise<LedgerCheck> {
  const checked = `WITH checked_messages AS NOT MATERIALIZED (${messages})`
  const count = await tx.query<{ count: bigint }>({ text: `${checked} ${counted}` })
  const found = await tx.query<{ problem: string; wrong: bigint }>({
    text: `${checked} SELECT problem, count(*) OVER () AS wrong FROM (${problems}) violations LIMIT ${PROBLEMS_SHOWN}`,
  })
  return {
    name,
    checked: Number(count.rows[0]?.count ?? 0n),
    wrong: Number(found.rows[0]?.wrong ?? 0n),
    problems: found.rows.map(({ problem }) => problem),
  }
}
