-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/catalog/health/queries/board.ts: board-calls, board-open, board-unmatched, board-windows-3
-- server/core/catalog/health/queries/calls.ts: health-calls
-- server/core/catalog/health/queries/losses.ts: health-losing
-- server/core/catalog/health/queries/outcomes.ts: codes-by-hour, health-barred, health-recent-outcomes, health-sum-recent, health-trials, health-trusted, health-unbelieved
-- server/core/catalog/health/queries/reused-ids.ts: health-reused-ids, health-sum-reused-ids
-- server/core/catalog/health/queries/shown.ts: health-shown
-- server/core/catalog/health/queries/standings.ts: health-balance, health-change-standing, health-event, health-seen, health-standings

-- board-calls
-- server/core/catalog/health/queries/board.ts
-- $1 since timestamptz
-- returns: supplier_id int4, calls int4, errors int4, milliseconds_counts int4[]
SELECT supplier_id, sum(calls)::integer AS calls, sum(errors)::integer AS errors,
  ARRAY[sum(milliseconds_counts[1])::integer, sum(milliseconds_counts[2])::integer, sum(milliseconds_counts[3])::integer, sum(milliseconds_counts[4])::integer, sum(milliseconds_counts[5])::integer, sum(milliseconds_counts[6])::integer, sum(milliseconds_counts[7])::integer, sum(milliseconds_counts[8])::integer] AS milliseconds_counts
FROM supplier_call_hours WHERE hour > $1 GROUP BY supplier_id;

-- board-open
-- server/core/catalog/health/queries/board.ts
-- returns: supplier_id int4, count int4
SELECT supplier_id, count(*)::integer AS count FROM (
  SELECT supplier_id FROM activations WHERE state IN ('waiting', 'received', 'waiting_again')
  UNION ALL SELECT supplier_id FROM rentals WHERE state = 'active') open
WHERE supplier_id IS NOT NULL AND supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox) GROUP BY supplier_id;

-- board-unmatched
-- server/core/catalog/health/queries/board.ts
-- $1 since timestamptz
-- returns: supplier_id int4, count int4
SELECT supplier_id, count(*)::integer AS count FROM (
  SELECT supplier_id FROM messages
  WHERE given = 'unmatched' AND given = ANY ('{unmatched,late,operator,junk}'::text[]) AND received_at >= $1 AND supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox)
  ORDER BY received_at DESC LIMIT 100000) newest GROUP BY supplier_id;

-- board-windows-3
-- server/core/catalog/health/queries/board.ts
-- $1 since timestamptz[], $2 timestamptz
-- returns: supplier_id int4, service_code text, country_id int4, purchases int4[], codes int4[]
SELECT supplier_id, service_code, country_id, ARRAY[(count(*) FILTER (WHERE outcome_at > ($1::timestamptz[])[1] ))::integer, (count(*) FILTER (WHERE outcome_at > ($1::timestamptz[])[2] ))::integer, (count(*) FILTER (WHERE outcome_at > ($1::timestamptz[])[3] ))::integer] AS purchases,
  ARRAY[(count(*) FILTER (WHERE outcome_at > ($1::timestamptz[])[1] AND first_code_at IS NOT NULL))::integer, (count(*) FILTER (WHERE outcome_at > ($1::timestamptz[])[2] AND first_code_at IS NOT NULL))::integer, (count(*) FILTER (WHERE outcome_at > ($1::timestamptz[])[3] AND first_code_at IS NOT NULL))::integer] AS codes
FROM activations WHERE outcome_at > $2 AND operator IS NOT NULL AND supplier_id IS NOT NULL AND supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox)
GROUP BY supplier_id, service_code, country_id;

-- health-calls
-- server/core/catalog/health/queries/calls.ts
-- $1 hours timestamptz[], $2 supplierIds int4[], $3 names text[], $4 calls int4[], $5 errors int4[], $6 counts text[]
-- returns: nothing
INSERT INTO supplier_call_hours AS known (hour, supplier_id, call, calls, errors, milliseconds_counts)
SELECT hour, supplier_id, call, calls, errors, counts::integer[]
FROM unnest($1::timestamptz[], $2::integer[], $3::text[], $4::integer[], $5::integer[],
    $6::text[]) AS given (hour, supplier_id, call, calls, errors, counts)
JOIN suppliers ON suppliers.id = supplier_id
ON CONFLICT (hour, supplier_id, call) DO UPDATE
SET calls = known.calls + excluded.calls, errors = known.errors + excluded.errors, milliseconds_counts = ARRAY[known.milliseconds_counts[1] + excluded.milliseconds_counts[1], known.milliseconds_counts[2] + excluded.milliseconds_counts[2], known.milliseconds_counts[3] + excluded.milliseconds_counts[3], known.milliseconds_counts[4] + excluded.milliseconds_counts[4], known.milliseconds_counts[5] + excluded.milliseconds_counts[5], known.milliseconds_counts[6] + excluded.milliseconds_counts[6], known.milliseconds_counts[7] + excluded.milliseconds_counts[7], known.milliseconds_counts[8] + excluded.milliseconds_counts[8]];

-- health-losing
-- server/core/catalog/health/queries/losses.ts
-- $1 since timestamptz, $2 most numeric, $3 codes numeric
-- returns: supplierId int4, losses int4
WITH lost AS (
  SELECT r.supplier_id, a.user_id, LEAST(count(*), 3) AS losses
  FROM resold_orders r LEFT JOIN supplier_standings s USING (supplier_id)
  JOIN activations a ON a.phone = r.phone AND a.supplier_id = r.supplier_id AND r.reference = a.id || '-' || a.attempt
  WHERE r.is_loss AND r.ended_at > GREATEST($1, s.judged_from) AND COALESCE(s.state, 'sound') = 'sound' AND (a.notice_at IS NOT NULL
      OR EXISTS (SELECT FROM used_reports u WHERE u.activation_id = a.id AND u.by_supplier))
  GROUP BY r.supplier_id, a.user_id
) SELECT supplier_id AS "supplierId", sum(losses)::integer AS losses FROM lost
GROUP BY supplier_id HAVING sum(losses) >= $2 AND sum(losses) * $3 >= (SELECT count(*) FROM activations a
  WHERE a.supplier_id = lost.supplier_id AND a.outcome_at > $1 AND a.first_code_at IS NOT NULL);

-- codes-by-hour
-- server/core/catalog/health/queries/outcomes.ts
-- $1 since timestamptz
-- returns: service_code text, hour timestamptz, codes int4
SELECT service_code, hour, sum(codes)::integer AS codes FROM outcome_hours
WHERE hour >= $1 GROUP BY service_code, hour;

-- health-barred
-- server/core/catalog/health/queries/outcomes.ts
-- $1 supplierIds int4[], $2 since timestamptz
-- returns: supplier_id int4, user_id int4
SELECT a.supplier_id, a.user_id FROM supplier_standings s JOIN activations a USING (supplier_id)
WHERE s.supplier_id = ANY ($1) AND a.outcome_at > s.since AND a.created_at > GREATEST(s.since, $2)
  AND a.operator IS NOT NULL AND a.first_code_at IS NULL
GROUP BY a.supplier_id, a.user_id HAVING bool_or(a.state IN ('cancelled', 'used')) OR count(*) >= 2;

-- health-recent-outcomes
-- server/core/catalog/health/queries/outcomes.ts
-- $1 supplierIds int4[], $2 since timestamptz
-- returns: supplier_id int4, activation_id int8, service_code text, country_id int4, user_id int4, coded bool, withdrawn bool, log_seconds float8
SELECT asked.id AS supplier_id, activation_id, service_code, country_id, user_id, coded, withdrawn, log_seconds
FROM unnest($1::integer[]) AS asked (id)
LEFT JOIN supplier_standings s ON s.supplier_id = asked.id
CROSS JOIN LATERAL (
  SELECT a.id AS activation_id, a.service_code, a.country_id, a.user_id, a.first_code_at IS NOT NULL AS coded,
    a.state IN ('cancelled', 'used') AS withdrawn, ln(greatest(1, extract(epoch FROM first_code_at - created_at)))::float8 AS log_seconds, a.outcome_at FROM activations a
  WHERE a.supplier_id = asked.id AND a.outcome_at > GREATEST($2, s.judged_from) AND a.operator IS NOT NULL
    AND a.created_at > COALESCE(s.judged_from, '-infinity')
  ORDER BY a.outcome_at DESC LIMIT 300) newest
ORDER BY asked.id, newest.outcome_at;

-- health-sum-recent
-- server/core/catalog/health/queries/outcomes.ts
-- $1 since timestamptz
-- returns: supplier_id int4, service_code text, country_id int4, purchases int4, codes int4
SELECT supplier_id, service_code, country_id, count(*)::integer AS purchases,
(count(*) FILTER (WHERE first_code_at IS NOT NULL))::integer AS codes
FROM activations WHERE outcome_at > $1 AND operator IS NOT NULL AND supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox) GROUP BY supplier_id, service_code, country_id;

-- health-trials
-- server/core/catalog/health/queries/outcomes.ts
-- $1 supplierIds int4[]
-- returns: supplier_id int4, service_code text, country_id int4, user_id int4, coded bool, withdrawn bool
SELECT a.supplier_id, a.service_code, a.country_id, a.user_id, a.first_code_at IS NOT NULL AS coded,
  a.state IN ('cancelled', 'used') AS withdrawn
FROM supplier_standings s JOIN activations a USING (supplier_id)
WHERE s.supplier_id = ANY ($1) AND a.outcome_at > s.judged_from AND a.created_at > s.judged_from AND a.operator IS NOT NULL
UNION ALL SELECT a.supplier_id, a.service_code, a.country_id, a.user_id, NULL, false
FROM supplier_standings s JOIN activations a USING (supplier_id)
WHERE s.supplier_id = ANY ($1) AND a.state IN ('reserving', 'waiting', 'received', 'waiting_again') AND a.outcome_at IS NULL
  AND a.created_at > s.judged_from;

-- health-trusted
-- server/core/catalog/health/queries/outcomes.ts
-- $1 userIds int4[]
-- returns: id int4
SELECT buyer.id FROM unnest($1::integer[]) AS buyer (id) WHERE 50 <= (SELECT count(*) FILTER (WHERE money = 'captured') FROM (SELECT money FROM activations latest
  WHERE latest.user_id = buyer.id ORDER BY created_at DESC, id DESC LIMIT 1000) latest);

-- health-unbelieved
-- server/core/catalog/health/queries/outcomes.ts
-- $1 userIds int4[], $2 now timestamptz, $3 activationIds int8[]
-- returns: activation_id int8
SELECT miss.activation_id FROM unnest($1::integer[]) AS buyer (id), buyer_misses(buyer.id, $2::timestamptz, NULL) miss
WHERE NOT miss.believed AND miss.activation_id = ANY ($3::bigint[]);

-- health-reused-ids
-- server/core/catalog/health/queries/reused-ids.ts
-- $1 hours timestamptz[], $2 supplierIds int4[], $3 messages int4[], $4 lastAt timestamptz[]
-- returns: nothing
INSERT INTO reused_message_ids AS known (hour, supplier_id, messages, last_at)
SELECT hour, supplier_id, messages, last_at
FROM unnest($1::timestamptz[], $2::integer[], $3::integer[], $4::timestamptz[])
  AS given (hour, supplier_id, messages, last_at)
JOIN suppliers ON suppliers.id = supplier_id
ON CONFLICT (hour, supplier_id) DO UPDATE
SET messages = known.messages + excluded.messages, last_at = GREATEST(known.last_at, excluded.last_at);

-- health-sum-reused-ids
-- server/core/catalog/health/queries/reused-ids.ts
-- $1 since timestamptz
-- returns: supplier_id int4, count int4, last_at timestamptz
SELECT supplier_id, sum(messages)::integer AS count, max(last_at) AS last_at
FROM reused_message_ids WHERE hour > $1 GROUP BY supplier_id;

-- health-shown
-- server/core/catalog/health/queries/shown.ts
-- $1 limit int8
-- returns: id int4, code text, kind text, paused_at timestamptz, removed_at timestamptz, link_up bool, link_changed_at timestamptz, link_why text, state text, cause text, reason text, since timestamptz, try_at timestamptz, last_sms_at timestamptz, stock int8, balance_micros int8, balance_currency text, balance_at timestamptz, weight_percent int4, purchases_per_minute int4
SELECT s.id, s.code, s.kind, s.paused_at, s.removed_at, s.link_up, s.link_changed_at, s.link_why, COALESCE(h.state, 'sound') AS state,
  h.cause, h.reason, h.since, h.try_at, h.last_sms_at, h.stock, h.balance_micros, h.balance_currency, h.balance_at,
  s.weight_percent, s.purchases_per_minute
FROM suppliers s LEFT JOIN supplier_standings h ON h.supplier_id = s.id WHERE s.removed_at IS NULL AND NOT s.sandbox ORDER BY s.id LIMIT $1;

-- health-balance
-- server/core/catalog/health/queries/standings.ts
-- $1 supplierId int4, $2 micros int8, $3 currency text, $4 now timestamptz
-- returns: nothing
INSERT INTO supplier_standings (supplier_id, balance_micros, balance_currency, balance_at)
VALUES ($1, $2, $3, $4)
ON CONFLICT (supplier_id) DO UPDATE SET balance_micros = $2, balance_currency = $3, balance_at = $4;

-- health-change-standing
-- server/core/catalog/health/queries/standings.ts
-- $1 cause text, $2 reason text, $3 now timestamptz, $4 tryAt timestamptz, $5 falls int4, $6 version int4, $7 supplierId int4, $8 kind text
-- returns: supplier_id int4, state text, cause text, reason text, since timestamptz, try_at timestamptz, falls int4, version int4, judged_from timestamptz
WITH changed AS (
  INSERT INTO supplier_standings AS s (supplier_id, state, cause, reason, since, try_at, falls, version, judged_from)
  SELECT id, CASE WHEN $1::text IS NULL THEN 'sound' ELSE 'aside' END, $1, $2, $3, $4, $5,
    $6::integer + 1, $3
  FROM suppliers WHERE id = $7 AND removed_at IS NULL AND paused_at IS NULL
  ON CONFLICT (supplier_id) DO UPDATE
  SET state = excluded.state, cause = excluded.cause, reason = excluded.reason, try_at = excluded.try_at,
    falls = excluded.falls, version = excluded.version, judged_from = excluded.judged_from,
    since = CASE WHEN s.state = excluded.state THEN s.since ELSE excluded.since END
  WHERE s.version = $6
  RETURNING supplier_id, state, cause, reason, since, try_at, falls, version, judged_from
), told AS (
  INSERT INTO supplier_events (supplier_id, at, kind, reason) SELECT supplier_id, $3, $8, $2 FROM changed
)
SELECT * FROM changed;

-- health-event
-- server/core/catalog/health/queries/standings.ts
-- $1 supplierId int4, $2 now timestamptz, $3 kind text, $4 reason text
-- returns: nothing
INSERT INTO supplier_events (supplier_id, at, kind, reason) VALUES ($1, $2, $3, $4);

-- health-seen
-- server/core/catalog/health/queries/standings.ts
-- $1 supplierIds int4[], $2 smsAt timestamptz[], $3 stocks int8[]
-- returns: nothing
INSERT INTO supplier_standings AS s (supplier_id, last_sms_at, stock)
SELECT seen.* FROM unnest($1::integer[], $2::timestamptz[], $3::bigint[]) AS seen (id, at, stock)
JOIN suppliers USING (id)
ON CONFLICT (supplier_id) DO UPDATE SET last_sms_at = GREATEST(s.last_sms_at, excluded.last_sms_at),
  stock = COALESCE(excluded.stock, s.stock);

-- health-standings
-- server/core/catalog/health/queries/standings.ts
-- returns: supplier_id int4, state text, cause text, reason text, since timestamptz, try_at timestamptz, falls int4, version int4, judged_from timestamptz
SELECT supplier_id, state, cause, reason, since, try_at, falls, version, judged_from FROM supplier_standings;
