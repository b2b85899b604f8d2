/**
 * Returns an always true SQL condition, for the WHERE of the statement that makes a change. It inserts a delivery for
 * each endpoint that wants the event (migrations/0285_quiet_jobs.sql). The row `o` has user_id and the columns that
 * `event`, `subject` and `details` use. The statement must have a value `$now`.
 */
export function raisesHooks(told: { event: string; subject: string; details: string }): string {
  return `raise_hooks(o.user_id, ${told.event}, ${told.subject}, NULL, ${told.details}, $now::timestamptz)`
}

/**
 * Returns `raisesHooks` for an order `o` with id, user_id, service_code, country_id, phone. `more` is SQL that adds
 * keys and values to the details.
 */
export function raisesOrderHooks(order: Order, { event, more }: { event: string; more?: string }): string {
  return raisesHooks({ event, ...orderSql(order, more) })
}

type Order = 'activation' | 'rental'

function orderSql(order: Order, more?: string): { subject: string; details: string } {
  return {
    subject: `'${order}:' || o.id`,
    details: `jsonb_build_object('order', '${order}', 'id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
          'phone', o.phone${more === undefined ? '' : `, ${more}`})`,
  }
}

/**
 * Returns SQL of a CTE `told`, which notifies the buyer's chat, browsers and endpoints of an SMS. The statement's last
 * SELECT must contain `TOLD`. `source` names at most one row with message_id, sms_count and what `raisesOrderHooks`
 * needs.
 */
export function codeTold(order: Order, source: string): string {
  const { subject, details } = orderSql(order)
  return `told AS (
      SELECT t.queued, t.hooked FROM ${source} o, LATERAL tell_code(o.message_id, o.user_id,
        CASE WHEN o.sms_count > 1 THEN 'code.another' ELSE 'code.received' END, ${subject}, ${details}, $now::timestamptz) t
    )`
}

/** SQL of two columns: whether a job was queued (Query.queuesJobs), and whether the buyer has an endpoint. */
export const TOLD = '(SELECT queued FROM told) AS queued, (SELECT hooked FROM told) AS hooked'
/** `queued` is read by the connection pool. */
export type Told = { hooked: boolean | null; queued?: boolean | null }

/** SQL: keys and values for the details of an event that ends an order `o` with state, price_micros, currency. */
export const ENDED_PAIRS = `'state', o.state, 'price_micros', o.price_micros::text, 'currency', o.currency`
