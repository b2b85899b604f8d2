import type { RawEvent, ReadEvent } from '#server/core/gateways/gateway.ts'
import type { Db } from '#server/house/db/pool.ts'

export type StoredEvent = {
  id: bigint
  gateway_id: number
  received_at: Date
  address: string
  headers: Record<string, string>
  body: Buffer
  /** The parsed webhook; null for webhooks from before this column existed. */
  read: ReadEvent | null
}

/** SQL: the payment that the webhook `told` names, as in `ReadEvent`: by our id, the gateway's id, or a deposit. */
const NAMED_PAYMENT = `SELECT id FROM payments WHERE gateway_id = told.gateway_id AND transaction_id = told.transaction_id
    UNION ALL SELECT id FROM payments WHERE gateway_id = told.gateway_id AND provider_id = told.provider_id
    UNION ALL SELECT payment_id FROM deposits WHERE gateway_id = told.gateway_id AND provider_id = told.deposit_id LIMIT 1`

const EARLIER = `SELECT true FROM gateway_events WHERE gateway_id = told.gateway_id AND provider_event_id = told.event_id
      AND state IN ('processed', 'unknown') LIMIT 1`
/** SQL: true if the payment's next check must be made earlier. If it is false, webhooks need no lock for a write. */
const IS_LATE = 'p.next_check_at IS NULL OR p.next_check_at > check_at OR p.checks > 3'

export type GenuineEvent = RawEvent & { gatewayId: number; read: ReadEvent; checkAt: Date }

/**
 * The state `stored` means that the webhook must still be settled. `paymentId` is set only in the state `processed`.
 */
export type TakenEvent = { id: bigint; state: 'stored' | 'processed' | 'repeated'; paymentId: bigint | null }

/**
 * Stores webhooks, and settles those whose payment is known and not locked. Others stay `stored`, because the statement
 * waits for no lock. If two concurrent webhooks have one id, the second gives undefined.
 */
export async function storeEvents(db: Db, events: readonly GenuineEvent[]): Promise<(TakenEvent | undefined)[]> {
  const { rows } = await db.query<TakenEvent & { place: number }>({
    name: 'gateway-events-take',
    text: `WITH came AS MATERIALIZED (SELECT nextval('gateway_events_id_seq') AS id, told.*, (${EARLIER}) AS is_repeated, (${NAMED_PAYMENT}) AS named_id
          FROM unnest($gatewayIds::integer[], $receivedAt::timestamptz[], $addresses::text[], $headers::jsonb[], $bodies::bytea[], $read::jsonb[],
            $eventIds::text[], $transactionIds::text[], $providerIds::text[], $depositIds::text[], $checkAt::timestamptz[]) WITH ORDINALITY
            AS told (gateway_id, received_at, address, headers, body, read, event_id, transaction_id, provider_id, deposit_id, check_at, place)),
        wanted AS (SELECT named_id AS id, min(check_at) AS check_at FROM came WHERE is_repeated IS NULL GROUP BY named_id),
        due AS MATERIALIZED (SELECT id, check_at, ${IS_LATE} AS is_late FROM payments p JOIN wanted USING (id)),
        free AS (SELECT id, check_at FROM payments p JOIN due USING (id) WHERE due.is_late FOR NO KEY UPDATE OF p SKIP LOCKED),
        watched AS (UPDATE payments p SET next_check_at = LEAST(next_check_at, check_at), checks = 0
          FROM free WHERE free.id = p.id RETURNING p.id),
        known AS (SELECT id FROM due WHERE NOT is_late UNION ALL SELECT id FROM watched),
        outcome AS MATERIALIZED (SELECT came.*, known.id AS payment_id, CASE WHEN is_repeated THEN 'repeated'
            WHEN known.id IS NOT NULL THEN 'processed' ELSE 'stored' END AS state
          FROM came LEFT JOIN known ON known.id = named_id AND is_repeated IS NULL),
        inserted AS (INSERT INTO gateway_events
            (id, gateway_id, received_at, address, headers, body, read, state, provider_event_id, payment_id, settled_at)
          OVERRIDING SYSTEM VALUE SELECT id, gateway_id, received_at, address, headers, body, read, state,
            CASE WHEN state <> 'stored' THEN event_id END, payment_id, CASE WHEN state <> 'stored' THEN received_at END FROM outcome
          ON CONFLICT DO NOTHING RETURNING id)
      SELECT place::integer, id, state, payment_id AS "paymentId" FROM outcome JOIN inserted USING (id)`,
    values: {
      gatewayIds: events.map(({ gatewayId }) => gatewayId),
      receivedAt: events.map(({ receivedAt }) => receivedAt),
      addresses: events.map(({ address }) => address),
      headers: events.map(({ headers }) => JSON.stringify(headers)),
      bodies: events.map(({ body }) => body),
      read: events.map(({ read }) => JSON.stringify(read)),
      eventIds: events.map(({ read }) => read.eventId),
      transactionIds: events.map(({ read }) => read.transactionId ?? null),
      providerIds: events.map(({ read }) => read.providerId ?? null),
      depositIds: events.map(({ read }) => read.depositId ?? null),
      checkAt: events.map(({ checkAt }) => checkAt),
    },
  })
  const byPlace = new Map(rows.map(({ place, ...taken }) => [place, taken]))
  return events.map((_, index) => byPlace.get(index + 1))
}

export async function insertRepeated(db: Db, event: GenuineEvent): Promise<TakenEvent> {
  const { headers, read } = event
  const { rows } = await db.query<TakenEvent>({
    name: 'gateway-event-repetition',
    text: `INSERT INTO gateway_events (gateway_id, received_at, address, headers, body, read, state, provider_event_id, settled_at)
      VALUES ($gatewayId, $receivedAt, $address, $headers, $body, $read, 'repeated', $eventId, $receivedAt)
      RETURNING id, state, payment_id AS "paymentId"`,
    values: { ...event, headers: JSON.stringify(headers), read: JSON.stringify(read), eventId: read.eventId },
  })
  const [row] = rows
  if (row === undefined) throw new Error('an event was not stored')
  return row
}

export async function insertRefused(db: Db, event: RawEvent & { gatewayId: number; bodyHash: Buffer }): Promise<void> {
  await db.query({
    name: 'gateway-event-refused',
    text: `INSERT INTO gateway_events (gateway_id, received_at, address, headers, body, body_hash, state, settled_at)
      VALUES ($gatewayId, $receivedAt, $address, $headers, $body, $bodyHash, 'refused', $receivedAt)`,
    values: { ...event, headers: JSON.stringify(event.headers) },
  })
}

/**
 * Settles a stored webhook and returns its payment, whose next check is due by `checkAt`. Returns null for a repeated
 * webhook or unknown payment. If unknown, the webhook stays `stored` unless the try `isLast`.
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
    isLast: boolean
    checkAt: Date
    now: Date
  },
): Promise<bigint | null> {
  const { rows } = await db.query<{ payment_id: bigint | null }>({
    name: 'gateway-event-settle',
    text: `WITH told AS (SELECT $gatewayId::integer AS gateway_id, $eventId::text AS event_id, $transactionId::text AS transaction_id,
          $providerId::text AS provider_id, $depositId::text AS deposit_id, $checkAt::timestamptz AS check_at),
        named AS MATERIALIZED (SELECT (${NAMED_PAYMENT}) AS payment_id, (${EARLIER}) AS is_repeated, check_at FROM told),
        outcome AS MATERIALIZED (SELECT payment_id, check_at, CASE WHEN is_repeated THEN 'repeated'
          WHEN payment_id IS NOT NULL THEN 'processed' WHEN $isLast THEN 'unknown' END AS state FROM named),
        watched AS (UPDATE payments p SET next_check_at = LEAST(p.next_check_at, check_at), checks = 0 FROM outcome o
          WHERE p.id = o.payment_id AND o.state = 'processed' AND (${IS_LATE}))
      UPDATE gateway_events e SET provider_event_id = $eventId, settled_at = $now, state = o.state,
        payment_id = CASE o.state WHEN 'processed' THEN o.payment_id END
      FROM outcome o WHERE e.id = $id AND e.state = 'stored' AND o.state IS NOT NULL RETURNING e.payment_id`,
    values: input,
  })
  return rows[0]?.payment_id ?? null
}

export async function settleRepeated(db: Db, input: { id: bigint; eventId: string; now: Date }): Promise<void> {
  await db.query({
    name: 'gateway-event-repeated',
    text: `UPDATE gateway_events SET provider_event_id = $eventId, settled_at = $now, state = 'repeated'
      WHERE id = $id AND state = 'stored'`,
    values: input,
  })
}

/** Settles as refused a stored webhook that the gateway's current settings show to be forged or malformed. */
export async function settleRefused(db: Db, input: { id: bigint; now: Date }): Promise<void> {
  await db.query({
    name: 'gateway-event-refuse',
    text: `UPDATE gateway_events SET state = 'refused', settled_at = $now WHERE id = $id AND state = 'stored'`,
    values: input,
  })
}

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
