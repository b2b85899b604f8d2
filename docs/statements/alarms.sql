-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/alarms/queries.ts: alarm-about, alarm-begin, alarm-claim-untold, alarm-end, alarm-list, alarm-referral, alarm-suppliers, alarm-unmatched, alarm-unowned, alarm-unsent, alarm-watched
-- server/core/alarms/told-queries.ts: alarm-locale, alarm-queue
-- server/core/alarms/why-queries.ts: alarm-why

-- alarm-about
-- server/core/alarms/queries.ts
-- $1 about text, $2 name text
-- returns: nothing
UPDATE alarms SET about = $1 WHERE name = $2;

-- alarm-begin
-- server/core/alarms/queries.ts
-- $1 name text, $2 about text, $3 now timestamptz
-- returns: told bool
INSERT INTO alarms (name, about, began_at, told_at)
SELECT $1, $2, $3, CASE WHEN EXISTS (SELECT FROM alarm_mutes m WHERE m.until > $3 AND m.name IN ($1::text, split_part($1::text, ' ', 1))) THEN NULL ELSE $3::timestamptz END
ON CONFLICT (name) DO NOTHING RETURNING told_at IS NOT NULL AS told;

-- alarm-claim-untold
-- server/core/alarms/queries.ts
-- $1 now timestamptz
-- returns: name text, about text, began_at timestamptz
UPDATE alarms SET told_at = $1 WHERE name = (
  SELECT name FROM alarms a WHERE told_at IS NULL AND NOT EXISTS (SELECT FROM alarm_mutes m WHERE m.until > $1 AND m.name IN (a.name, split_part(a.name, ' ', 1))) ORDER BY name LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING name, about, began_at;

-- alarm-end
-- server/core/alarms/queries.ts
-- $1 name text
-- returns: told bool, began_at timestamptz
DELETE FROM alarms WHERE name = $1 RETURNING told_at IS NOT NULL AS told, began_at;

-- alarm-list
-- server/core/alarms/queries.ts
-- returns: name text, about text, began_at timestamptz, told_at timestamptz
SELECT name, about, began_at, told_at FROM alarms ORDER BY name;

-- alarm-referral
-- server/core/alarms/queries.ts
-- returns: withdrawals int4, suspects int4
SELECT (SELECT count(*)::integer FROM referral_withdrawals WHERE state IN ('asked', 'approved')) AS withdrawals,
(SELECT count(*)::integer FROM referral_invitations WHERE state = 'suspected') AS suspects;

-- alarm-suppliers
-- server/core/alarms/queries.ts
-- $1 settledBefore timestamptz
-- returns: id int4, code text, paused bool, settled bool
SELECT id, code, paused_at IS NOT NULL AS paused, created_at <= $1 AS settled
FROM suppliers WHERE removed_at IS NULL AND NOT sandbox ORDER BY id;

-- alarm-unmatched
-- server/core/alarms/queries.ts
-- $1 since timestamptz, $2 MOST_OF_ONE_NUMBER int8, $3 SCANNED int8
-- returns: count int4
SELECT COALESCE(sum(LEAST(of_number, $2)), 0)::integer AS count FROM (
  SELECT count(*) AS of_number FROM (
    SELECT phone, code FROM messages
    WHERE given = 'unmatched' AND given = ANY ('{unmatched,late,operator,junk}'::text[]) AND received_at >= $1 AND supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox)
    ORDER BY received_at DESC LIMIT $3) newest
  WHERE code IS NOT NULL GROUP BY phone) numbers;

-- alarm-unowned
-- server/core/alarms/queries.ts
-- returns: count int4
SELECT count(*)::integer AS count FROM users u JOIN accounts a ON a.user_id = u.id
WHERE u.erased_at IS NOT NULL AND a.available_micros > 0;

-- alarm-unsent
-- server/core/alarms/queries.ts
-- returns: count int4
SELECT count(*)::integer AS count FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
WHERE t.identifier = 'send-mail' AND j.attempts < j.max_attempts AND j.run_at > now()
  AND j.created_at <= now() - interval '10 minutes' AND j.last_error !~ ', after (RCPT TO|DATA)';

-- alarm-watched
-- server/core/alarms/queries.ts
-- $1 few int4, $2 many int4, $3 lossesSince timestamptz, $4 waitingSince timestamptz
-- returns: code text, paused bool, cause text, stock int8, balance_micros int8, balance_currency text, last_sms_at timestamptz, rating_low bool, losses int4, lost_share float8, waiting int4, buyers int4
SELECT s.code, s.paused_at IS NOT NULL AS paused, h.cause, h.stock, h.balance_micros, h.balance_currency, h.last_sms_at,
  COALESCE(r.rating_low, false) AS rating_low, l.losses,
  CASE WHEN l.losses >= $1::integer AND l.losses < $2::integer THEN COALESCE(l.micros / NULLIF((
    SELECT sum(o.cost_micros) FROM resold_orders o WHERE o.supplier_id = s.id AND o.asked_at > $3 AND (o.is_loss OR o.ending = 'finished')), 0), 0)::float8 ELSE 0 END AS lost_share,
  COALESCE(w.waiting, 0) AS waiting, COALESCE(w.buyers, 0) AS buyers
FROM suppliers s LEFT JOIN supplier_standings h ON h.supplier_id = s.id
LEFT JOIN resell_accounts r ON r.supplier_id = s.id
CROSS JOIN LATERAL (
  SELECT count(*)::integer AS losses, COALESCE(sum(o.cost_micros), 0) AS micros FROM resold_orders o
  WHERE o.supplier_id = s.id AND o.is_loss AND o.ended_at > $3
) l
LEFT JOIN (
  SELECT supplier_id, count(*)::integer AS waiting, count(DISTINCT user_id)::integer AS buyers
  FROM activations WHERE state = 'waiting' AND state IN ('waiting', 'received', 'waiting_again') AND created_at <= $4
  GROUP BY supplier_id
) w ON w.supplier_id = s.id
WHERE s.removed_at IS NULL AND NOT s.sandbox ORDER BY s.id;

-- alarm-locale
-- server/core/alarms/told-queries.ts
-- $1 email text
-- returns: locale text
SELECT locale FROM users WHERE erased_at IS NULL AND (lower(email) = lower($1) OR role = 'operator')
ORDER BY lower(email) = lower($1) DESC NULLS LAST, id LIMIT 1;

-- alarm-queue
-- server/core/alarms/told-queries.ts
-- $1 task text, $2 json, $3 MAX_ATTEMPTS int4
-- returns: add_job _private_jobs
SELECT graphile_worker.add_job($1, $2::json, queue_name := $1, max_attempts := $3);

-- alarm-why
-- server/core/alarms/why-queries.ts
-- $1 kind text, $2 since timestamptz, $3 about text
-- returns: why text
SELECT COALESCE((
  SELECT CASE $1::text WHEN 'link-down' THEN s.link_why WHEN 'set-aside' THEN h.reason WHEN 'share-low' THEN h.reason
    WHEN 'stock-low' THEN h.stock || ' for sale now' WHEN 'losses' THEN (SELECT format('of %s messages charged within a day nobody paid for %s, %s of %s%s', count(*),
        count(*) FILTER (WHERE o.is_loss), round(COALESCE(sum(o.cost_micros) FILTER (WHERE o.is_loss), 0) / 1e6, 2),
        round(sum(o.cost_micros) / 1e6, 2), ' ' || h.balance_currency)
      FROM resold_orders o WHERE o.supplier_id = s.id AND o.asked_at > $2 AND (o.is_loss OR o.ending = 'finished'))
    WHEN 'balance-low' THEN format('%s %s there', round(h.balance_micros / 1e6, 2), h.balance_currency)
    WHEN 'rating-low' THEN 'the rating there is ' || round(a.rating_hundredths / 100.0, 2)
    WHEN 'no-sms' THEN COALESCE('its last message came at ' || to_char(h.last_sms_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'), 'it has sent none yet') END
  FROM suppliers s LEFT JOIN supplier_standings h ON h.supplier_id = s.id LEFT JOIN resell_accounts a ON a.supplier_id = s.id
  WHERE s.code = $3 AND s.removed_at IS NULL
), (
  SELECT CASE $1 WHEN 'chain-stopped' THEN w.stopped WHEN 'coin-rate' THEN (SELECT string_agg(asset || COALESCE(': ' || (SELECT CASE WHEN x.failing_since IS NOT NULL THEN x.last_failure END FROM rate_sources x WHERE x.currency = asset), ''), '; ' ORDER BY asset)
    FROM (SELECT asset FROM coin_deposits c WHERE c.gateway_id = x.id AND c.rest_micros IS NULL AND c.gone_at IS NULL AND c.asset IS NOT NULL
      UNION SELECT asset FROM chain_deposits c WHERE c.gateway_id = x.id AND c.state = 'waiting' AND c.lost_at IS NULL) awaited)
    WHEN 'chain-behind' THEN CASE WHEN w.looked_at IS NULL OR x.last_failure_at > w.looked_at THEN x.last_failure
    ELSE 'its nodes disagree: ' || NULLIF(array_to_string(w.doubted, ', '), '') END
    WHEN 'coin-name' THEN CASE WHEN x.failing_since IS NOT NULL THEN x.last_failure END WHEN 'chain-node' THEN CASE WHEN x.failing_since IS NOT NULL THEN x.last_failure END END
  FROM gateways x LEFT JOIN chain_watches w ON w.gateway_id = x.id WHERE x.code = split_part($3, ',', 1)
), (
  SELECT CASE $1 WHEN 'rate-old' THEN CASE WHEN x.failing_since IS NOT NULL THEN x.last_failure END WHEN 'rate-doubtful' THEN (SELECT format('its source says %s, and %s holds', trim_scale(h.rub_micros / 1e6), trim_scale(r.rub_micros / 1e6))
    FROM exchange_rates r, LATERAL (SELECT rub_micros FROM rate_history WHERE currency = x.currency AND NOT taken
      ORDER BY id DESC LIMIT 1) h WHERE r.currency = x.currency) END
  FROM rate_sources x WHERE x.currency = $3
), (
  SELECT j.last_error FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
  WHERE t.identifier = 'send-mail' AND j.attempts < j.max_attempts AND j.run_at > now()
    AND j.created_at <= now() - interval '10 minutes' AND j.last_error !~ ', after (RCPT TO|DATA)' AND $1 = 'mail-down' ORDER BY j.updated_at DESC LIMIT 1
)) AS why;
