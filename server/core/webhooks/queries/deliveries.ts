import type { WebhookDelivery, WebhookFailure, WebhookForm } from '#contract/webhooks/webhook.ts'
import type { Db } from '#server/house/db/pool.ts'

/**
 * A delivery with the texts of its message. The texts are null without a message, or if the message was deleted or
 * belongs to another account.
 */
export type Told = {
  id: bigint
  event: WebhookDelivery['event']
  details: Record<string, unknown>
  at: Date
  message_id: bigint | null
  sender: string | null
  text: string | null
  code: string | null
  received_at: Date | null
  sandbox: boolean
}

/**
 * SQL: the columns of `Told`, for a delivery `d`, its endpoint `e`, and the message `m` of TOLD_MESSAGE (decision
 * 0011).
 */
export const TOLD_COLUMNS = `d.id, d.event, d.details, d.at, d.message_id,
  CASE WHEN m.body IS NOT NULL THEN m.sender END AS sender, m.body AS text, m.code, m.received_at,
  EXISTS (SELECT FROM users shadow WHERE shadow.id = e.user_id AND shadow.sandbox_of IS NOT NULL) AS sandbox`
export const TOLD_MESSAGE = `LEFT JOIN messages m ON m.id = d.message_id AND NOT (m.withheld AND m.given = 'late')
        AND d.subject = CASE WHEN m.activation_id IS NOT NULL THEN 'activation:' || m.activation_id ELSE 'rental:' || m.rental_id END`

export type DeliveryRow = Told & {
  form: WebhookForm
  state: WebhookDelivery['state']
  tries: number
  next_at: Date
  tried_at: Date | null
  took_ms: number | null
  status: number | null
  failure: WebhookFailure | null
  reply: string | null
}

const SHOWN = `SELECT ${TOLD_COLUMNS}, e.form, d.state, d.tries, d.next_at, d.tried_at, d.took_ms, d.status, d.failure, d.reply`
const OWN = 'e.id = $endpointId AND e.user_id = $userId'
/** SQL: ends the endpoint's pause after failures, because a user who sends a test or a replay wants the result now. */
const WOKEN = `woken AS (
      UPDATE webhook_endpoints e SET rest_until = NULL WHERE ${OWN} AND e.state = 'on' RETURNING e.id
    )`

type Own = { endpointId: number; userId: number }

export async function listDeliveries(
  db: Db,
  input: Own & { state: WebhookDelivery['state'] | null; before: number | null; limit: number },
): Promise<DeliveryRow[]> {
  const { rows } = await db.query<DeliveryRow>({
    name: 'webhook-deliveries',
    text: `${SHOWN} FROM webhook_endpoints e JOIN webhook_deliveries d ON d.endpoint_id = e.id ${TOLD_MESSAGE}
      WHERE ${OWN} AND ($state::text IS NULL OR d.state = $state) AND ($before::bigint IS NULL OR d.id < $before)
      ORDER BY d.id DESC LIMIT $limit`,
    values: input,
  })
  return rows
}

/** Stores a test delivery, which no event caused. Returns null if the endpoint is off or belongs to another user. */
export async function insertTest(db: Db, input: Own & { event: string; now: Date }): Promise<bigint | null> {
  const { rows } = await db.query<{ id: bigint }>({
    name: 'webhook-insert-test',
    text: `WITH ${WOKEN}
      INSERT INTO webhook_deliveries (endpoint_id, event, subject, details, at, next_at)
      SELECT id, $event, 'test:' || gen_random_uuid(), '{}', $now, $now FROM woken RETURNING id`,
    values: input,
  })
  return rows[0]?.id ?? null
}

export async function findDelivery(db: Db, input: Own & { id: bigint | number }): Promise<DeliveryRow | null> {
  const { rows } = await db.query<DeliveryRow>({
    name: 'webhook-delivery',
    text: `${SHOWN} FROM webhook_endpoints e JOIN webhook_deliveries d ON d.endpoint_id = e.id ${TOLD_MESSAGE}
      WHERE ${OWN} AND d.id = $id`,
    values: input,
  })
  return rows[0] ?? null
}

/** Restarts the tries of a delivery, whatever their result. Returns false if the endpoint is off or not the user's. */
export async function replayDelivery(db: Db, input: Own & { id: number; now: Date }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'webhook-replay',
    text: `WITH ${WOKEN}
      UPDATE webhook_deliveries d SET state = 'waiting', tries = 0, next_at = $now, failure = NULL, round = round + 1
      FROM woken WHERE d.endpoint_id = woken.id AND d.id = $id`,
    values: input,
  })
  return rowCount === 1
}
