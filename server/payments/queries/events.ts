import type { Db } from '#server/db/pool.ts'
import type { RawEvent, ReadEvent } from '#server/gateways/gateway.ts'

export type StoredEvent = {
  id: bigint
  gateway_id: number
  received_at: Date
  address: string
  headers: Record<string, string>
  body: Buffer
  /** Null for one of before this was kept. */
  read: ReadEvent | null
}

/** As `ReadEvent` names it: by our id, by the gateway's, or by what has arrived for it. */
const NAMED_PAYMENT = `SELECT id FROM payments WHERE gateway_id = $gatewayId AND transaction_id = $transactionId
    UNION ALL SELECT id FROM payments WHERE gateway_id = $gatewayId AND provider_id = $providerId
    UNION ALL SELECT payment_id FROM deposits WHERE gateway_id = $gatewayId AND provider_id = $depositId LIMIT 1`

const EARLIER = `SELECT FROM gateway_events WHERE gateway_id = $gatewayId AND provider_event_id = $eventId
      AND state IN ('processed', 'unknown') LIMIT 1`
/** Whether a payment is asked about later than this event wants. Many at once do not wait for each other to write the same. */
const IS_LATE = 'p.next_check_at IS NULL OR p.next_check_at > $checkAt OR p.checks > 3'

/** `read`: what it says. Only genuine ones are stored whole. */
type GenuineEvent = RawEvent & { gatewayId: number; read: ReadEvent; checkAt: Date }

/** `stored`: it has to be settled yet. `paymentId`: the payment that this event is the first to tell of. */
export type TakenEvent = { id: bigint; state: 'stored' | 'processed' | 'repeated'; paymentId: bigint | null }

/**
 * Stores an event, and settles it in the same statement where its payment is known: one commit for most. It waits for nobody: while
 * its payment is locked it stays `stored`.
 */
export async function storeEvent(db: Db, event: GenuineEvent): Promise<TakenEvent> {
  const { headers, read } = event
  const { eventId, transactionId = null, providerId = null, depositId = null } = read
  const named = { eventId, transactionId, providerId, depositId }
  const values = { ...event, ...named, headers: JSON.stringify(headers), read: JSON.stringify(read) }
  const { rows } = await db.query<TakenEvent>({
    name: 'gateway-event-take',
    text: `WITH earlier AS MATERIALIZED (${EARLIER}), named AS MATERIALIZED (${NAMED_PAYMENT}),
        due AS MATERIALIZED (SELECT p.id, ${IS_LATE} AS is_late FROM payments p
          WHERE p.id = (SELECT id FROM named) AND NOT EXISTS (SELECT FROM earlier)),
        watched AS (UPDATE payments SET next_check_at = LEAST(next_check_at, $checkAt), checks = 0
          WHERE id = (SELECT p.id FROM payments p JOIN due USING (id) WHERE due.is_late FOR NO KEY UPDATE OF p SKIP LOCKED) RETURNING id),
        known AS (SELECT id FROM due WHERE NOT is_late UNION ALL SELECT id FROM watched),
        outcome AS (SELECT CASE WHEN EXISTS (SELECT FROM earlier) THEN 'repeated' WHEN EXISTS (SELECT FROM known) THEN 'processed'
          ELSE 'stored' END AS state)
      INSERT INTO gateway_events (gateway_id, received_at, address, headers, body, read, state, provider_event_id, payment_id, settled_at)
      SELECT $gatewayId, $receivedAt, $address, $headers, $body, $read, state, CASE WHEN state <> 'stored' THEN $eventId END,
        (SELECT id FROM known), CASE WHEN state <> 'stored' THEN $receivedAt::timestamptz END FROM outcome
      ON CONFLICT DO NOTHING RETURNING id, state, payment_id AS "paymentId"`,
    values,
  })
  // Of two at once with one id, the one that came second.
  return rows[0] ?? insertRepeated(db, values)
}

async function insertRepeated(db: Db, values: Record<string, unknown>): Promise<TakenEvent> {
  const { rows } = await db.query<TakenEvent>({
    name: 'gateway-event-repetition',
    text: `INSERT INTO gateway_events (gateway_id, received_at, address, headers, body, read, state, provider_event_id, settled_at)
      VALUES ($gatewayId, $receivedAt, $address, $headers, $body, $read, 'repeated', $eventId, $receivedAt)
      RETURNING id, state, payment_id AS "paymentId"`,
    values,
  })
  const [row] = rows
  if (row === undefined) throw new Error('an event was not stored')
  return row
}

/** `bodyHash`: of the whole body, of which `body` is the beginning. */
export async function insertRefused(db: Db, event: RawEvent & { gatewayId: number; bodyHash: Buffer }): Promise<void> {
  await db.query({
    name: 'gateway-event-refused',
    text: `INSERT INTO gateway_events (gateway_id, received_at, address, headers, body, body_hash, state, settled_at)
      VALUES ($gatewayId, $receivedAt, $address, $headers, $body, $bodyHash, 'refused', $receivedAt)`,
    values: { ...event, headers: JSON.stringify(event.headers) },
  })
}

/**
 * Settles an event and has its payment asked about from `checkAt` on, unless it is before. Returns the payment that this event
 * is the first to tell of. Null: a repetition, about nothing of ours, or about a payment that may still come.
 */
export async function settleEvent(
  db: Db,
  input: {
    id: bigint
    gatewayId: number
    eventId: string
    transactionId: string | null
    providerId: string | null
    depositId: string | null
    /** No payment comes after it any more. */
    isLast: boolean
    checkAt: Date
    now: Date
  },
): Promise<bigint | null> {
  const { rows } = await db.query<{ payment_id: bigint | null }>({
    name: 'gateway-event-settle',
    text: `WITH named AS MATERIALIZED (${NAMED_PAYMENT}),
        outcome AS MATERIALIZED (SELECT (SELECT id FROM named) AS payment_id, CASE
          WHEN EXISTS (${EARLIER}) THEN 'repeated'
          WHEN EXISTS (SELECT FROM named) THEN 'processed' WHEN $isLast THEN 'unknown' END AS state),
        watched AS (UPDATE payments p SET next_check_at = LEAST(p.next_check_at, $checkAt), checks = 0 FROM outcome o
          WHERE p.id = o.payment_id AND o.state = 'processed' AND (${IS_LATE}))
      UPDATE gateway_events e SET provider_event_id = $eventId, settled_at = $now, state = o.state,
        payment_id = CASE o.state WHEN 'processed' THEN o.payment_id END
      FROM outcome o WHERE e.id = $id AND e.state = 'stored' AND o.state IS NOT NULL RETURNING e.payment_id`,
    values: input,
  })
  return rows[0]?.payment_id ?? null
}

/** Of two at once with one id, the one that came second. */
export async function settleRepeated(db: Db, input: { id: bigint; eventId: string; now: Date }): Promise<void> {
  await db.query({
    name: 'gateway-event-repeated',
    text: `UPDATE gateway_events SET provider_event_id = $eventId, settled_at = $now, state = 'repeated'
      WHERE id = $id AND state = 'stored'`,
    values: input,
  })
}

/** One that is forged by the settings of today, and was not read when it came. */
export async function settleRefused(db: Db, input: { id: bigint; now: Date }): Promise<void> {
  await db.query({
    name: 'gateway-event-refuse',
    text: `UPDATE gateway_events SET state = 'refused', settled_at = $now WHERE id = $id AND state = 'stored'`,
    values: input,
  })
}

/** Those that no process has settled, oldest first. */
export async function listStoredEvents(db: Db, input: { before: Date; limit: number }): Promise<StoredEvent[]> {
  const { rows } = await db.query<StoredEvent>({
    name: 'gateway-events-stored',
    text: `SELECT id, gateway_id, received_at, address, headers, body, read FROM gateway_events
      WHERE state = 'stored' AND received_at <= $before ORDER BY tries, id LIMIT $limit`,
    values: input,
  })
  return rows
}

export async function countTry(db: Db, id: bigint): Promise<void> {
  await db.query({
    name: 'gateway-event-try',
    text: 'UPDATE gateway_events SET tries = tries + 1 WHERE id = $1',
    values: [id],
  })
}
