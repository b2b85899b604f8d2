-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/house/nodes/queries.ts: node-end, node-end-dead-lock, node-find-serving, node-insert, node-list, node-note-lock, node-renew, node-take-lease, node-try-lock

-- node-end
-- server/house/nodes/queries.ts
-- $1 nodeId int8
-- returns: nothing
UPDATE nodes SET ended_at = clock_timestamp() WHERE id = $1 AND ended_at IS NULL;

-- node-end-dead-lock
-- server/house/nodes/queries.ts
-- $1 nodeId int8
-- returns: ended bool
SELECT pg_terminate_backend(backend.pid, 2000) AS ended
FROM pg_locks JOIN pg_stat_activity backend ON backend.pid = pg_locks.pid
WHERE locktype = 'advisory' AND objid = 1919512167 AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND EXISTS (SELECT FROM nodes WHERE lock_pid = backend.pid AND lock_since = backend.backend_start
      AND (nodes.id = $1 OR ended_at IS NOT NULL));

-- node-find-serving
-- server/house/nodes/queries.ts
-- returns: id int8, host text, pid int4, until text, locked bool
SELECT nodes.id, host, pid, until::text, EXISTS (
  SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 1919512167 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
) AS locked
FROM leases JOIN nodes ON nodes.id = leases.node_id WHERE leases.name = 'serving' AND ended_at IS NULL;

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
-- returns: id int8, host text, pid int4, version text, commit text, started_at timestamptz, ended_at timestamptz, late_ms int4, leases text[]
SELECT id, host, pid, version, commit, started_at, ended_at,
(extract(epoch FROM clock_timestamp() - until) * 1000)::integer AS late_ms,
  ARRAY(SELECT name FROM leases WHERE leases.node_id = nodes.id ORDER BY name) AS leases
FROM nodes ORDER BY id DESC LIMIT $1;

-- node-note-lock
-- server/house/nodes/queries.ts
-- $1 nodeId int8
-- returns: nothing
UPDATE nodes SET lock_pid = backend.pid, lock_since = backend.backend_start FROM pg_stat_activity backend
WHERE nodes.id = $1 AND backend.pid = pg_backend_pid();

-- node-renew
-- server/house/nodes/queries.ts
-- $1 leaseMs numeric, $2 nodeId int8
-- returns: nothing
UPDATE nodes SET until = clock_timestamp() + make_interval(secs => $1 / 1000.0)
WHERE id = $2 AND ended_at IS NULL;

-- node-take-lease
-- server/house/nodes/queries.ts
-- $1 nodeId int8, $2 name text
-- returns: epoch int8
WITH dead AS (
  UPDATE nodes SET ended_at = clock_timestamp() WHERE ended_at IS NULL AND until < clock_timestamp() AND id <> $1
  RETURNING id
)
INSERT INTO leases AS held (name, node_id, epoch)
SELECT $2, id, 1 FROM nodes WHERE id = $1 AND ended_at IS NULL
ON CONFLICT (name) DO UPDATE SET node_id = EXCLUDED.node_id, epoch = held.epoch + 1
WHERE held.node_id IN (SELECT id FROM dead)
  OR held.node_id IN (SELECT id FROM nodes WHERE ended_at IS NOT NULL)
RETURNING epoch;

-- node-try-lock
-- server/house/nodes/queries.ts
-- returns: got bool
SELECT pg_try_advisory_lock(1919512167) AS got;
