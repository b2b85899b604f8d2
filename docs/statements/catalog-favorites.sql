-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/catalog/favorites/queries.ts: favorites-delete, favorites-insert, favorites-list, favorites-lock-owner

-- favorites-delete
-- server/core/catalog/favorites/queries.ts
-- $1 userId int4, $2 mode text, $3 kind text, $4 subjectId text
-- returns: nothing
DELETE FROM favorites WHERE user_id = $1 AND mode = $2 AND kind = $3 AND subject_id = $4;

-- favorites-insert
-- server/core/catalog/favorites/queries.ts
-- $1 userId int4, $2 mode text, $3 kind text, $4 subjectId text, $5 now timestamptz, $6 limit int8
-- returns: kept bool
WITH added AS (
  INSERT INTO favorites (user_id, mode, kind, subject_id, created_at)
  SELECT $1, $2, $3, $4, $5 WHERE (SELECT count(*) FROM favorites WHERE user_id = $1) < $6
  ON CONFLICT DO NOTHING RETURNING user_id
)
SELECT EXISTS (SELECT FROM added) OR EXISTS (SELECT FROM favorites
  WHERE user_id = $1 AND mode = $2 AND kind = $3 AND subject_id = $4) AS kept;

-- favorites-list
-- server/core/catalog/favorites/queries.ts
-- $1 userId int4, $2 mode text, $3 kind text
-- returns: subject_id text
SELECT subject_id FROM favorites WHERE user_id = $1 AND mode = $2 AND kind = $3;

-- favorites-lock-owner
-- server/core/catalog/favorites/queries.ts
-- $1 userId int4
-- returns: rows without columns
SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE;
