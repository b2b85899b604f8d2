-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/surfaces/telegram/updates/queries.ts: telegram-update-find, telegram-update-processed, telegram-updates-newest, telegram-updates-store

-- telegram-update-find
-- server/surfaces/telegram/updates/queries.ts
-- $1 id int8
-- returns: body jsonb
SELECT body FROM telegram_updates WHERE update_id = $1 AND processed_at IS NULL;

-- telegram-update-processed
-- server/surfaces/telegram/updates/queries.ts
-- $1 now timestamptz, $2 id int8
-- returns: nothing
UPDATE telegram_updates SET processed_at = $1, body = NULL WHERE update_id = $2 AND processed_at IS NULL;

-- telegram-updates-newest
-- server/surfaces/telegram/updates/queries.ts
-- returns: newest int8
SELECT max(update_id) AS newest FROM telegram_updates;

-- telegram-updates-store
-- server/surfaces/telegram/updates/queries.ts
-- $1 now timestamptz, $2 ids int8[], $3 bodies text[]
-- returns: count int8
WITH fresh AS (
  INSERT INTO telegram_updates (update_id, body, received_at)
  SELECT id, body::jsonb, $1 FROM unnest($2::bigint[], $3::text[]) AS come (id, body)
  ON CONFLICT ON CONSTRAINT telegram_updates_pkey DO NOTHING
  RETURNING update_id
), jobs AS (
  SELECT count(graphile_worker.add_job('telegram-update', json_build_object('id', update_id::text),
      queue_name := 'telegram-updates', max_attempts := 5))
  FROM (SELECT update_id FROM fresh ORDER BY update_id) ordered
)
SELECT count FROM jobs;
