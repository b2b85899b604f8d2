-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/house/nodes/lock-queries.ts: node-end-dead-locks, node-note-lock, node-try-lock, node-try-shared-lock
-- server/house/nodes/queries.ts: node-declare-dead, node-end, node-find-renewal, node-insert, node-list, node-list-living, node-renew, node-return-leases, node-take-leases
-- server/house/nodes/timeline-queries.ts: node-find-fail-over, node-note-timeline

-- node-end-dead-locks
-- server/house/nodes/lock-queries.ts
-- $1 nodeId int8
-- returns: ended bool
SELECT pg_terminate_backend(backend.pid, 2000) AS ended
FROM pg_locks JOIN pg_stat_activity backend ON backend.pid = pg_locks.pid
WHERE locktype = 'advisory' AND objid = 1919512167 AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND EXISTS (SELECT FROM nodes WHERE lock_pid = backend.pid AND lock_since = backend.backend_start
      AND (nodes.id = $1 OR ended_at IS NOT NULL));

-- node-note-lock
-- server/house/nodes/lock-queries.ts
-- $1 nodeId int8
-- returns: nothing
UPDATE nodes SET lock_pid = backend.pid, lock_since = backend.backend_start FROM pg_stat_activity backend
WHERE nodes.id = $1 AND backend.pid = pg_backend_pid();

-- node-try-lock
-- server/house/nodes/lock-queries.ts
-- returns: got bool
SELECT pg_try_advisory_lock(1919512167) AS got;

-- node-try-shared-lock
-- server/house/nodes/lock-queries.ts
-- returns: got bool
SELECT pg_try_advisory_lock_shared(1919512167) AS got;

-- node-declare-dead
-- server/house/nodes/queries.ts
-- $1 id int8, $2 until timestamptz
-- returns: nothing
UPDATE nodes SET ended_at = clock_timestamp() WHERE id = $1 AND until = $2 AND ended_at IS NULL;

-- node-end
-- server/house/nodes/queries.ts
-- $1 nodeId int8
-- returns: nothing
UPDATE nodes SET ended_at = clock_timestamp() WHERE id = $1 AND ended_at IS NULL;

-- node-find-renewal
-- server/house/nodes/queries.ts
-- $1 nodeId int8
-- returns: is_stand_by bool, until_micros int8
SELECT pg_is_in_recovery() AS is_stand_by, (SELECT (extract(epoch FROM until) * 1000000)::bigint AS until_micros FROM nodes WHERE id = $1) AS until_micros;

-- node-insert
-- server/house/nodes/queries.ts
-- $1 host text, $2 pid int4, $3 version text, $4 commit text, $5 leaseMs numeric
-- returns: id int8
INSERT INTO nodes (host, pid, version, commit, until)
VALUES ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => $5 / 1000.0))
RETURNING id;

-- node-list
-- server/house/nodes/queries.ts
-- $1 limit int8
-- returns: id int8, host text, pid int4, version text, commit text, state text, started_at timestamptz, ended_at timestamptz, ahead_ms int4, sockets int4, locked bool, late_ms int4, leases text[]
SELECT id, host, pid, version, commit, state, started_at, ended_at, ahead_ms, sockets,
  lock_pid IS NOT NULL AS locked, (extract(epoch FROM clock_timestamp() - GREATEST(clock_timestamp() - interval '1 day',
      LEAST(clock_timestamp() + interval '1 day', until))) * 1000)::integer AS late_ms, ARRAY(SELECT name FROM leases WHERE leases.node_id = nodes.id ORDER BY name) AS leases
FROM nodes ORDER BY id DESC LIMIT $1;

-- node-list-living
-- server/house/nodes/queries.ts
-- returns: id int8, host text, pid int4, version text, state text, ahead_ms int4, sockets int4, until text, late_ms int4, leases text[], connected bool
SELECT id, host, pid, version, state, ahead_ms, sockets, until::text, (extract(epoch FROM clock_timestamp() - GREATEST(clock_timestamp() - interval '1 day',
    LEAST(clock_timestamp() + interval '1 day', until))) * 1000)::integer AS late_ms, ARRAY(SELECT name FROM leases WHERE leases.node_id = nodes.id ORDER BY name) AS leases, EXISTS (
      SELECT FROM pg_stat_activity backend WHERE backend.pid = lock_pid AND backend.backend_start = lock_since
    ) AS connected
FROM nodes WHERE ended_at IS NULL ORDER BY id;

-- node-renew
-- server/house/nodes/queries.ts
-- $1 leaseMs numeric, $2 state text, $3 sockets int4, $4 now timestamptz, $5 id int8
-- returns: until_micros int8, ahead_ms int4
UPDATE nodes SET until = clock_timestamp() + make_interval(secs => $1 / 1000.0),
  state = $2, sockets = $3,
  ahead_ms = CASE WHEN $4::timestamptz IS NOT NULL THEN
  LEAST(86400000, GREATEST(-86400000, extract(epoch FROM $4::timestamptz - clock_timestamp()) * 1000)) END
WHERE id = $5 AND ended_at IS NULL RETURNING (extract(epoch FROM until) * 1000000)::bigint AS until_micros, ahead_ms;

-- node-return-leases
-- server/house/nodes/queries.ts
-- $1 nodeId int8, $2 names text[]
-- returns: nothing
DELETE FROM leases WHERE node_id = $1 AND name = ANY ($2::text[]);

-- node-take-leases
-- server/house/nodes/queries.ts
-- $1 names text[], $2 nodeId int8
-- returns: name text
INSERT INTO leases AS held (name, node_id)
SELECT name, nodes.id FROM nodes, unnest($1::text[]) AS name WHERE nodes.id = $2 AND ended_at IS NULL
ORDER BY name
ON CONFLICT (name) DO UPDATE SET node_id = EXCLUDED.node_id
WHERE held.node_id IN (SELECT id FROM nodes WHERE ended_at IS NOT NULL)
RETURNING name;

-- node-find-fail-over
-- server/house/nodes/timeline-queries.ts
-- $1 within interval
-- returns: timeline text
SELECT system_identifier || ' ' || timeline AS timeline FROM timelines
WHERE is_fail_over AND found_at > clock_timestamp() - $1::interval ORDER BY found_at DESC LIMIT 1;

-- node-note-timeline
-- server/house/nodes/timeline-queries.ts
-- returns: change text
SELECT note_timeline() AS change;
