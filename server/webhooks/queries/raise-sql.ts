/**
 * SQL that is true, for the WHERE of the statement of a change: one delivery for each endpoint that wants the event
 * (migrations/0285_quiet_jobs.sql). It commits with its cause or not at all. The row `o` has user_id and what the SQL of
 * `event`, `subject`, `details` (jsonb) and `message` (an id) needs; the statement gives the value `$now`.
 */
export function raisesHooks(told: { event: string; subject: string; details: string; message?: string }): string {
  return `raise_hooks(o.user_id, ${told.event}, ${told.subject}, ${told.message ?? 'NULL'}, ${told.details}, $now::timestamptz)`
}

/** The same for an order: `o` has id, user_id, service_code, country_id and phone. `more`: SQL of further pairs. */
export function raisesOrderHooks(
  order: 'activation' | 'rental',
  told: { event: string; more?: string; message?: string },
): string {
  return raisesHooks({
    ...told,
    subject: `'${order}:' || o.id`,
    details: `jsonb_build_object('order', '${order}', 'id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
          'phone', o.phone${told.more === undefined ? '' : `, ${told.more}`})`,
  })
}

/**
 * The CTE `told`: the buyer's chat, browsers and endpoints are told of a message of the order. The last SELECT reads it by
 * `TOLD`. `source` names at most one row with message_id and sms_count, and what `raisesOrderHooks` needs.
 */
export function codeTold(order: 'activation' | 'rental', source: string): string {
  const event = `CASE WHEN o.sms_count > 1 THEN 'code.another' ELSE 'code.received' END`
  return `told AS (
      SELECT tell_code(o.message_id, o.user_id, $now::timestamptz) AS queued, ${raisesOrderHooks(order, { event, message: 'o.message_id' })}
      FROM ${source} o
    )`
}

/** A column: whether a job was queued (Query.queuesJobs). */
export const TOLD = '(SELECT queued FROM told) AS queued'

/** The end of an order that has state, price_micros and currency, too. */
export const ENDED_PAIRS = `'state', o.state, 'price_micros', o.price_micros::text, 'currency', o.currency`
