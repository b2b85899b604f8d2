-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/surfaces/site/status/incident-queries.ts: incidents-list
-- server/surfaces/site/status/measure.ts: status-answer
-- server/surfaces/site/status/queries.ts: status-codes, status-days, status-delays, status-measured, status-store, status-usual

-- incidents-list
-- server/surfaces/site/status/incident-queries.ts
-- $1 since timestamptz
-- returns: id int4, components text[], notes jsonb, opened_at timestamptz, closed_at timestamptz
SELECT id, components, notes, opened_at, closed_at FROM incidents
WHERE closed_at IS NULL OR closed_at > $1 ORDER BY closed_at IS NOT NULL, opened_at DESC, id DESC LIMIT 50;

-- status-answer
-- server/surfaces/site/status/measure.ts
-- returns: rows without columns
SELECT;

-- status-codes
-- server/surfaces/site/status/queries.ts
-- $1 since timestamptz
-- returns: service_code text, country_id int4, codes int4, purchases int4
SELECT service_code, country_id, sum(codes)::integer AS codes,
  sum(codes + LEAST(misses, 4 + 9 * codes))::integer AS purchases
FROM (
  SELECT user_id, service_code, country_id, count(first_code_at) AS codes, count(*) - count(first_code_at) AS misses
  FROM activations WHERE outcome_at > $1 AND outcome_at IS NOT NULL AND operator IS NOT NULL AND supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox)
  GROUP BY GROUPING SETS ((user_id, service_code), (user_id, country_id))
) of_buyers
GROUP BY service_code, country_id;

-- status-days
-- server/surfaces/site/status/queries.ts
-- $1 from date
-- returns: day text, component text, working int4, slow int4, partly int4, down int4
SELECT to_char(day, 'YYYY-MM-DD') AS day, component, working_minutes AS working, slow_minutes AS slow,
  partly_minutes AS partly, down_minutes AS down
FROM status_days
WHERE day >= $1::date AND working_minutes + slow_minutes + partly_minutes + down_minutes > 0 ORDER BY day;

-- status-delays
-- server/surfaces/site/status/queries.ts
-- $1 now timestamptz, $2 supplierIds int4[], $3 intakeSince timestamptz, $4 messagesSince timestamptz, $5 gatewayIds int4[]
-- returns: intake float8, has_messages bool, mails float8, payments float8
SELECT
  GREATEST(0,
    (SELECT extract(epoch FROM $1::timestamptz - min(received_at)) FROM intake_requests
      WHERE state = 'stored' AND tries < 3 AND supplier_id = ANY ($2)),
    (SELECT max(extract(epoch FROM settled_at - received_at)) FROM (
      SELECT settled_at, received_at FROM intake_requests WHERE state <> 'stored' AND received_at > $3
      ORDER BY received_at DESC LIMIT 500) newest)
  )::float8 AS intake,
  EXISTS (SELECT FROM messages WHERE body IS NOT NULL AND received_at > $4 AND supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox)) AS has_messages,
  GREATEST(0, (
    SELECT extract(epoch FROM now() - min(due_at)) FROM (
      SELECT CASE WHEN j.attempts > 0 THEN j.created_at ELSE j.run_at END AS due_at
      FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
      WHERE t.identifier = 'send-mail' AND j.attempts < j.max_attempts AND j.locked_at IS NULL
        AND (j.last_error IS NULL OR j.last_error !~ ', after (RCPT TO|DATA)')
    ) letters WHERE due_at <= now()
  ))::float8 AS mails,
  GREATEST(0, (
    SELECT extract(epoch FROM $1::timestamptz - min(next_check_at)) FROM payments
    WHERE next_check_at IS NOT NULL AND gateway_id = ANY ($5)
  ))::float8 AS payments;

-- status-measured
-- server/surfaces/site/status/queries.ts
-- returns: value jsonb
SELECT value FROM settings WHERE key = 'status_measured';

-- status-store
-- server/surfaces/site/status/queries.ts
-- $1 measured jsonb, $2 now timestamptz, $3 days date[], $4 components text[], $5 states text[], $6 minutes int4[]
-- returns: nothing
WITH stored AS (
  INSERT INTO settings (key, value, updated_at) VALUES ('status_measured', $1::jsonb, $2)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at
)
INSERT INTO status_days AS d
(day, component, working_minutes, slow_minutes, partly_minutes, down_minutes, unknown_minutes)
SELECT day, component, COALESCE(sum(minutes) FILTER (WHERE state = 'working'), 0), COALESCE(sum(minutes) FILTER (WHERE state = 'slow'), 0), COALESCE(sum(minutes) FILTER (WHERE state = 'partly'), 0), COALESCE(sum(minutes) FILTER (WHERE state = 'down'), 0), COALESCE(sum(minutes) FILTER (WHERE state = 'unknown'), 0)
FROM unnest($3::date[], $4::text[], $5::text[], $6::integer[]) AS given (day, component, state, minutes)
GROUP BY day, component
ON CONFLICT (day, component) DO UPDATE SET working_minutes = d.working_minutes + excluded.working_minutes,
  slow_minutes = d.slow_minutes + excluded.slow_minutes, partly_minutes = d.partly_minutes + excluded.partly_minutes,
  down_minutes = d.down_minutes + excluded.down_minutes, unknown_minutes = d.unknown_minutes + excluded.unknown_minutes;

-- status-usual
-- server/surfaces/site/status/queries.ts
-- $1 beginsAt timestamptz[], $2 endsAt timestamptz[]
-- returns: week int4, service_code text, country_id int4, purchases int4, codes int4
SELECT week::integer AS week, service_code, country_id, sum(purchases)::integer AS purchases, sum(codes)::integer AS codes
FROM unnest($1::timestamptz[], $2::timestamptz[]) WITH ORDINALITY AS weeks (begins_at, ends_at, week)
JOIN outcome_hours ON hour >= begins_at AND hour < ends_at
GROUP BY GROUPING SETS ((week, service_code), (week, country_id));
