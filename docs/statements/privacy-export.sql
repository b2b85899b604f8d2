-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/privacy/export/queries.ts: data-export-chunk, data-export-drop, data-export-fail, data-export-insert, data-export-last, data-export-read, data-export-ready, data-export-store, data-export-waiting

-- data-export-chunk
-- server/core/privacy/export/queries.ts
-- $1 exportId int8, $2 place int4, $3 body bytea
-- returns: nothing
INSERT INTO data_export_chunks (export_id, place, body) VALUES ($1, $2, $3);

-- data-export-drop
-- server/core/privacy/export/queries.ts
-- $1 exportId int8
-- returns: nothing
DELETE FROM data_export_chunks WHERE export_id = $1;

-- data-export-fail
-- server/core/privacy/export/queries.ts
-- returns: id int8, user_id int4
WITH failed AS (
  UPDATE data_exports e SET state = 'failed' WHERE state = 'waiting' AND NOT EXISTS (
    SELECT FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE t.identifier = 'export-data' AND j.payload ->> 'exportId' = e.id::text
      AND (j.attempts < j.max_attempts OR j.locked_at IS NOT NULL))
  RETURNING id, user_id
), dropped AS (
  DELETE FROM data_export_chunks c USING failed WHERE c.export_id = failed.id
)
SELECT id, user_id FROM failed;

-- data-export-insert
-- server/core/privacy/export/queries.ts
-- $1 userId int4, $2 now timestamptz, $3 queue text, $4 attempts int4
-- returns: id int8, user_id int4, state text, asked_at timestamptz, ready_at timestamptz, expires_at timestamptz, bytes int8
WITH asked AS (
  INSERT INTO data_exports (user_id, asked_at, day) VALUES ($1, $2, ($2::timestamptz AT TIME ZONE 'UTC')::date)
  ON CONFLICT ON CONSTRAINT data_exports_once_a_day DO UPDATE SET state = 'waiting', asked_at = EXCLUDED.asked_at
  WHERE data_exports.state = 'failed'
  RETURNING id, user_id, state, asked_at, ready_at, expires_at, bytes
), queued AS (
  SELECT graphile_worker.add_job('export-data', json_build_object('exportId', id::text), queue_name := $3,
      max_attempts := $4) FROM asked
)
SELECT asked.* FROM asked, queued;

-- data-export-last
-- server/core/privacy/export/queries.ts
-- $1 userId int4, $2 now timestamptz
-- returns: id int8, user_id int4, state text, asked_at timestamptz, ready_at timestamptz, expires_at timestamptz, bytes int8
SELECT id, user_id, state, asked_at, ready_at, expires_at, bytes FROM data_exports WHERE user_id = $1 AND (expires_at IS NULL OR expires_at > $2)
ORDER BY day DESC LIMIT 1;

-- data-export-read
-- server/core/privacy/export/queries.ts
-- $1 exportId int8, $2 place int4
-- returns: body bytea
SELECT body FROM data_export_chunks WHERE export_id = $1 AND place = $2;

-- data-export-ready
-- server/core/privacy/export/queries.ts
-- $1 id int8, $2 userId int4, $3 now timestamptz
-- returns: id int8, user_id int4, state text, asked_at timestamptz, ready_at timestamptz, expires_at timestamptz, bytes int8
SELECT id, user_id, state, asked_at, ready_at, expires_at, bytes FROM data_exports
WHERE id = $1 AND user_id = $2 AND state = 'ready' AND expires_at > $3;

-- data-export-store
-- server/core/privacy/export/queries.ts
-- $1 bytes int8, $2 now timestamptz, $3 expiresAt timestamptz, $4 id int8
-- returns: nothing
UPDATE data_exports SET state = 'ready', bytes = $1, ready_at = $2, expires_at = $3
WHERE id = $4 AND state = 'waiting';

-- data-export-waiting
-- server/core/privacy/export/queries.ts
-- $1 id int8
-- returns: id int8, user_id int4, state text, asked_at timestamptz, ready_at timestamptz, expires_at timestamptz, bytes int8
SELECT id, user_id, state, asked_at, ready_at, expires_at, bytes FROM data_exports WHERE id = $1 AND state = 'waiting';
