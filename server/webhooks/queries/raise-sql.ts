import { MAX_WEBHOOKS } from '#contract/webhooks/webhook.ts'

/** SQL: the key of the program that made this endpoint stands, and reads codes. */
export const mayRead = (endpoint: string) => `(${endpoint}.api_key_id IS NULL OR EXISTS (SELECT FROM api_keys k
          WHERE k.id = ${endpoint}.api_key_id AND k.revoked_at IS NULL AND 'read' = ANY (k.scopes)))`

/**
 * The CTE `hooked`, for the statement of a change: one delivery for each endpoint that wants the event. It commits with its
 * cause or not at all, and the statement gives the value `$now`. `source` names rows with user_id and what the SQL of
 * `event`, `subject`, `details` (jsonb) and `message` (an id) needs, as `o`. A LIMIT keeps PostgreSQL at the index.
 */
export function hooksSql(told: {
  source: string
  event: string
  subject: string
  details: string
  message?: string
}): string {
  return `hooked AS (
      INSERT INTO webhook_deliveries (endpoint_id, event, subject, message_id, details, at, next_at)
      SELECT e.id, ${told.event}, ${told.subject}, ${told.message ?? 'NULL::bigint'}, ${told.details}, $now::timestamptz, $now::timestamptz
      FROM ${told.source} o CROSS JOIN LATERAL (SELECT id FROM webhook_endpoints w
        WHERE w.user_id = o.user_id AND w.state = 'on' AND ${told.event} = ANY (w.events)
          AND ${mayRead('w')}
        LIMIT ${MAX_WEBHOOKS}) e
    )`
}

/** The same for an order: `source` has id, user_id, service_code, country_id and phone. `more`: SQL of further pairs. */
export function orderHooksSql(
  order: 'activation' | 'rental',
  told: { source: string; event: string; more?: string; message?: string },
): string {
  return hooksSql({
    ...told,
    subject: `'${order}:' || o.id`,
    details: `jsonb_build_object('order', '${order}', 'id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
          'phone', o.phone${told.more === undefined ? '' : `, ${told.more}`})`,
  })
}

/** A message of an order: `source` has message_id and sms_count as well. */
export function codeHooksSql(order: 'activation' | 'rental', source: string): string {
  const event = `CASE WHEN o.sms_count > 1 THEN 'code.another' ELSE 'code.received' END`
  return orderHooksSql(order, { source, event, message: 'o.message_id' })
}

/** The end of an order that has state, price_micros and currency, too. */
export const ENDED_PAIRS = `'state', o.state, 'price_micros', o.price_micros::text, 'currency', o.currency`
