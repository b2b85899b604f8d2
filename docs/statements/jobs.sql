-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/house/jobs/months.ts: months-list
-- server/house/jobs/periodic-tasks.ts: looks
-- server/house/jobs/run-delayed-jobs.ts: jobs-hasten, jobs-hasten-letters, jobs-hasten-of-supplier
-- server/house/jobs/wake-workers.ts: jobs-due

-- months-list
-- server/house/jobs/months.ts
-- returns: name text, endsAt timestamptz
SELECT c.relname::text AS name, substring(pg_get_expr(c.relpartbound, c.oid) FROM $$TO \('([^']+)'\)$$)::timestamptz AS "endsAt"
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'events'::regclass ORDER BY 2;

-- looks
-- server/house/jobs/periodic-tasks.ts
-- $1 catalogVersion int4, $2 buyingStopped bool, $3 newestChange int8, $4 now timestamptz
-- returns: look_0 bool, look_1 bool, look_2 bool, look_3 bool, look_4 bool, look_5 bool, look_6 bool, look_7 bool, look_8 bool, look_9 bool, look_10 bool
SELECT (COALESCE((SELECT (value #>> '{}')::integer FROM settings WHERE key = 'catalog_version'), 0) <> $1 OR COALESCE((SELECT (value #>> '{}')::boolean FROM settings WHERE key = 'buying_stopped'), false) <> $2) AS look_0, ((SELECT max(id) FROM audit_log) > $3) AS look_1, ((SELECT min(next_at) FROM webhook_deliveries WHERE state = 'waiting') <= $4) AS look_2, ((SELECT min(expires_at) FROM activations WHERE state IN ('waiting', 'received', 'waiting_again') AND expires_at > '-infinity') <= $4 OR (SELECT min(expires_at) FROM rentals WHERE state IN ('active') AND extension_id IS NULL AND expires_at > '-infinity') <= $4
    OR (SELECT min(cancel_until) FROM rentals WHERE captured_at IS NULL AND state IN ('active')) <= $4
    OR (SELECT min(warn_at) FROM rentals WHERE warned_at IS NULL AND state IN ('active')) <= $4) AS look_3, (EXISTS (SELECT FROM activations WHERE state = 'reserving')) AS look_4, (EXISTS (SELECT FROM rentals WHERE state = 'reserving')
        OR EXISTS (SELECT FROM rentals WHERE extension_id IS NOT NULL)) AS look_5, (EXISTS (SELECT FROM activations WHERE state = 'reserving') OR EXISTS (SELECT FROM preorders WHERE state = 'buying') OR EXISTS (SELECT FROM rentals WHERE state = 'reserving')
            OR EXISTS (SELECT FROM rentals WHERE extension_id IS NOT NULL)) AS look_6, (EXISTS (SELECT FROM news WHERE reached_user_id < last_user_id)) AS look_7, (EXISTS (SELECT FROM intake_requests WHERE state = 'stored')) AS look_8, (EXISTS (SELECT FROM outlets)) AS look_9, (EXISTS (SELECT FROM outlets)) AS look_10;

-- jobs-hasten
-- server/house/jobs/run-delayed-jobs.ts
-- $1 slackMs float8, $2 longestMs jsonb
-- returns: count int8
SELECT count(*) FROM graphile_worker.reschedule_jobs(run_at := now(), job_ids := ARRAY(
  SELECT id FROM graphile_worker.jobs
  WHERE locked_at IS NULL AND attempts < max_attempts AND run_at > now() + interval '1 millisecond' * ($1 +
      greatest(COALESCE(($2::jsonb ->> task_identifier)::float8, 0), exp(least(attempts, 10)) * 1000))));

-- jobs-hasten-letters
-- server/house/jobs/run-delayed-jobs.ts
-- $1 MOST_TRIES_HASTENED int2, $2 HASTENED_AT_ONCE int8
-- returns: count int8
SELECT count(*) FROM graphile_worker.reschedule_jobs(run_at := now(), job_ids := ARRAY(
  SELECT id FROM graphile_worker.jobs WHERE task_identifier = 'send-mail' AND locked_at IS NULL
    AND attempts BETWEEN 1 AND $1 AND run_at > now() ORDER BY run_at LIMIT $2));

-- jobs-hasten-of-supplier
-- server/house/jobs/run-delayed-jobs.ts
-- $1 tasks text[], $2 mostTries int2, $3 supplierId int4, $4 limit int8
-- returns: count int8
SELECT count(*) FROM graphile_worker.reschedule_jobs(run_at := now(), job_ids := ARRAY(
  SELECT j.id FROM graphile_worker._private_jobs j
  JOIN graphile_worker._private_tasks t ON t.id = j.task_id
  LEFT JOIN activations a ON t.identifier = 'end-number' AND a.id = (j.payload->>'activationId')::bigint
  LEFT JOIN rentals r ON t.identifier = 'end-rental' AND r.id = (j.payload->>'rentalId')::bigint
  WHERE t.identifier = ANY ($1) AND j.locked_at IS NULL AND j.attempts BETWEEN 1 AND $2 AND j.run_at > now()
    AND $3 IN (a.supplier_id, r.supplier_id, (j.payload->>'supplierId')::integer)
  ORDER BY j.run_at LIMIT $4));

-- jobs-due
-- server/house/jobs/wake-workers.ts
-- returns: count int4
SELECT count(*)::integer AS count FROM (SELECT FROM graphile_worker._private_jobs
  WHERE is_available AND run_at <= now() LIMIT 50) due;
