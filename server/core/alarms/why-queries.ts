import type { AlarmKind } from '#contract/mails.ts'
import type { Db } from '#server/house/db/pool.ts'
import { charged, UNSENT } from './queries.ts'

type Asked = {
  kind: AlarmKind
  /** The subject of the alarm. For a gateway, the subject may also name a blockchain node. */
  about: string
  since: Date
}

const LOSSES = `(SELECT format('of %s messages charged within a day nobody paid for %s, %s of %s%s', count(*),
        count(*) FILTER (WHERE o.is_loss), round(COALESCE(sum(o.cost_micros) FILTER (WHERE o.is_loss), 0) / 1e6, 2),
        round(sum(o.cost_micros) / 1e6, 2), ' ' || h.balance_currency)
      FROM resold_orders o WHERE ${charged('$since')})`

const LAST_FAILURE = `CASE WHEN x.failing_since IS NOT NULL THEN x.last_failure END`

const RATES_AWAITED = `(SELECT string_agg(asset || COALESCE(': ' || (SELECT ${LAST_FAILURE} FROM rate_sources x WHERE x.currency = asset), ''), '; ' ORDER BY asset)
      FROM (SELECT asset FROM coin_deposits c WHERE c.gateway_id = x.id AND c.rest_micros IS NULL AND c.gone_at IS NULL AND c.asset IS NOT NULL
        UNION SELECT asset FROM chain_deposits c WHERE c.gateway_id = x.id AND c.state = 'waiting' AND c.lost_at IS NULL) awaited)`

const DOUBTED = `(SELECT format('its source says %s, and %s holds', trim_scale(h.rub_micros / 1e6), trim_scale(r.rub_micros / 1e6))
      FROM exchange_rates r, LATERAL (SELECT rub_micros FROM rate_history WHERE currency = x.currency AND NOT taken
        ORDER BY id DESC LIMIT 1) h WHERE r.currency = x.currency)`

/** Returns the known cause of an alarm for staff; null if none is known or the alarm already states it. */
export async function findWhy(db: Db, alarm: Asked): Promise<string | null> {
  const { rows } = await db.query<{ why: string | null }>({
    name: 'alarm-why',
    text: `SELECT COALESCE((
        SELECT CASE $kind::text WHEN 'link-down' THEN s.link_why WHEN 'set-aside' THEN h.reason WHEN 'share-low' THEN h.reason
          WHEN 'stock-low' THEN h.stock || ' for sale now' WHEN 'losses' THEN ${LOSSES}
          WHEN 'balance-low' THEN format('%s %s there', round(h.balance_micros / 1e6, 2), h.balance_currency)
          WHEN 'rating-low' THEN 'the rating there is ' || round(a.rating_hundredths / 100.0, 2)
          WHEN 'no-sms' THEN COALESCE('its last message came at ' || to_char(h.last_sms_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'), 'it has sent none yet') END
        FROM suppliers s LEFT JOIN supplier_standings h ON h.supplier_id = s.id LEFT JOIN resell_accounts a ON a.supplier_id = s.id
        WHERE s.code = $about AND s.removed_at IS NULL
      ), (
        SELECT CASE $kind WHEN 'chain-stopped' THEN w.stopped WHEN 'coin-rate' THEN ${RATES_AWAITED}
          WHEN 'chain-behind' THEN CASE WHEN w.looked_at IS NULL OR x.last_failure_at > w.looked_at THEN x.last_failure
            ELSE 'its nodes disagree: ' || NULLIF(array_to_string(w.doubted, ', '), '') END
          WHEN 'coin-name' THEN ${LAST_FAILURE} WHEN 'chain-node' THEN ${LAST_FAILURE} END
        FROM gateways x LEFT JOIN chain_watches w ON w.gateway_id = x.id WHERE x.code = split_part($about, ',', 1)
      ), (
        SELECT CASE $kind WHEN 'rate-old' THEN ${LAST_FAILURE} WHEN 'rate-doubtful' THEN ${DOUBTED} END
        FROM rate_sources x WHERE x.currency = $about
      ), (
        SELECT j.last_error ${UNSENT} AND $kind = 'mail-down' ORDER BY j.updated_at DESC LIMIT 1
      )) AS why`,
    values: alarm,
  })
  return rows[0]?.why ?? null
}
