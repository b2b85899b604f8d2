import type { Db } from '#server/db/pool.ts'
import type { RawEvent } from '#server/gateways/gateway.ts'

export type StoredEvent = {
  id: bigint
  gateway_id: number
  received_at: Date
  address: string
  headers: Record<string, string>
  body: Buffer
  tries: number
}

export async function insertEvent(db: Db, event: RawEvent & { gatewayId: number }): Promise<bigint> {
  const { rows } = await db.query<{ id: bigint }>({
    name: 'gateway-event-insert',
    text: `INSERT INTO gateway_events (gateway_id, received_at, address, headers, body)
      VALUES ($gatewayId, $receivedAt, $address, $headers, $body) RETURNING id`,
    values: { ...event, headers: JSON.stringify(event.headers) },
  })
  const row = rows[0]
  if (row === undefined) throw new Error('an event was not stored')
  return row.id
}

export async function wasProcessed(db: Db, input: { gatewayId: number; eventId: string }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'gateway-event-before',
    text: `SELECT FROM gateway_events WHERE gateway_id = $gatewayId AND provider_event_id = $eventId AND state IN ('processed', 'unknown')`,
    values: input,
  })
  return rowCount > 0
}

/** Of two with one id the first keeps its state, the other is a repetition. */
export async function settleEvent(
  db: Db,
  input: {
    id: bigint
    state: 'processed' | 'unknown' | 'repeated' | 'refused'
    eventId: string | null
    paymentId: bigint | null
    now: Date
  },
): Promise<void> {
  await db.query({
    name: 'gateway-event-settle',
    text: `UPDATE gateway_events e SET provider_event_id = $eventId, payment_id = $paymentId, settled_at = $now,
        state = CASE WHEN $state IN ('processed', 'unknown') AND EXISTS (SELECT FROM gateway_events o
          WHERE o.gateway_id = e.gateway_id AND o.provider_event_id = $eventId AND o.state IN ('processed', 'unknown') AND o.id <> e.id)
          THEN 'repeated' ELSE $state END
      WHERE id = $id AND state = 'stored'`,
    values: input,
  })
}

/** Those that no process has settled, oldest first. */
export async function listStoredEvents(db: Db, input: { before: Date; limit: number }): Promise<StoredEvent[]> {
  const { rows } = await db.query<StoredEvent>({
    name: 'gateway-events-stored',
    text: `SELECT id, gateway_id, received_at, address, headers, body, tries FROM gateway_events
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
