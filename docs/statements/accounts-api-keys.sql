-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/accounts/api-keys/call-log-queries.ts: api-key-add-calls, api-key-list-calls, api-key-trim-calls
-- server/core/accounts/api-keys/queries.ts: api-key-change, api-key-count, api-key-end-overlaps, api-key-find, api-key-find-secrets, api-key-insert, api-key-list, api-key-live-secrets, api-key-lock-owner, api-key-owner, api-key-revoke, api-key-rotate, api-key-rules, api-key-secrets, api-key-spend

-- api-key-add-calls
-- server/core/accounts/api-keys/call-log-queries.ts
-- $1 keyIds int4[], $2 foldAts timestamptz[], $3 calls text[], $4 results text[], $5 counts int4[], $6 firstAts timestamptz[], $7 lastAts timestamptz[], $8 addresses text[], $9 addressRefused text
-- returns: nothing
WITH lines AS (
  SELECT * FROM unnest($1::integer[], $2::timestamptz[], $3::text[], $4::text[], $5::integer[],
      $6::timestamptz[], $7::timestamptz[], $8::text[])
    AS line (key_id, fold_at, call, result, count, first_at, last_at, address)
), used AS (
  UPDATE api_keys SET last_used_at = GREATEST(last_used_at, uses.at)
  FROM (SELECT key_id, max(last_at) AS at FROM lines WHERE result <> $9 GROUP BY key_id) uses
  WHERE api_keys.id = uses.key_id
)
INSERT INTO api_key_calls (key_id, fold_at, call, result, count, first_at, last_at, address)
SELECT key_id, fold_at, call, result, count, first_at, last_at, address FROM lines
WHERE key_id IN (SELECT id FROM api_keys) ORDER BY key_id, fold_at
ON CONFLICT (key_id, fold_at, call, result, address) DO UPDATE
SET count = api_key_calls.count + excluded.count, first_at = LEAST(api_key_calls.first_at, excluded.first_at),
  last_at = GREATEST(api_key_calls.last_at, excluded.last_at);

-- api-key-list-calls
-- server/core/accounts/api-keys/call-log-queries.ts
-- $1 keyId int4, $2 limit int8
-- returns: call text, result text, count int4, first_at timestamptz, last_at timestamptz, address text
SELECT call, result, count, first_at, last_at, address FROM api_key_calls
WHERE key_id = $1 ORDER BY last_at DESC, fold_at DESC, call DESC, result DESC, address DESC LIMIT $2;

-- api-key-trim-calls
-- server/core/accounts/api-keys/call-log-queries.ts
-- $1 keyIds int4[], $2 uses int4, $3 refusals int4, $4 addressRefused text
-- returns: nothing
DELETE FROM api_key_calls c
  USING unnest($1::integer[]) AS of_key (id)
CROSS JOIN (VALUES (false, $2::integer), (true, $3::integer)) AS share (refused, keep)
CROSS JOIN LATERAL (
  SELECT last_at, fold_at, call, result, address FROM api_key_calls newest
  WHERE newest.key_id = of_key.id AND (newest.result = $4) = share.refused
  ORDER BY last_at DESC, fold_at DESC, call DESC, result DESC, address DESC OFFSET share.keep - 1 LIMIT 1
) AS kept
WHERE c.key_id = of_key.id AND (c.result = $4) = share.refused
  AND (c.last_at, c.fold_at, c.call, c.result, c.address)
  < (kept.last_at, kept.fold_at, kept.call, kept.result, kept.address);

-- api-key-change
-- server/core/accounts/api-keys/queries.ts
-- $1 name text, $2 scopes text[], $3 addresses text[], $4 dialect text, $5 limit int8, $6 raise int4, $7 id int4, $8 userId int4, $9 wasScopes text[], $10 wasAddresses text[], $11 wasLimit int8, $12 now timestamptz
-- returns: id int4, user_id int4, name text, scopes text[], addresses text[], dialect text, sandbox bool, day_limit_micros int8, spent_micros int8, created_at timestamptz, last_used_at timestamptz, previous_until timestamptz, key_hash bytea, previous_hash bytea, rules_version int4
UPDATE api_keys SET name = $1, scopes = $2, addresses = $3, dialect = $4, day_limit_micros = $5,
  rules_version = rules_version + $6::integer
WHERE id = $7 AND user_id = $8 AND revoked_at IS NULL AND scopes = $9::text[]
  AND addresses = $10::text[] AND day_limit_micros IS NOT DISTINCT FROM $11::bigint
RETURNING id, user_id, name, scopes, addresses, dialect, sandbox, day_limit_micros, key_spent(id, $12::timestamptz, NULL) AS spent_micros,
  created_at, last_used_at, CASE WHEN previous_until > $12 THEN previous_until END AS previous_until, key_hash, previous_hash, rules_version;

-- api-key-count
-- server/core/accounts/api-keys/queries.ts
-- $1 userId int4
-- returns: count int8
SELECT count(*) FROM api_keys WHERE user_id = $1 AND revoked_at IS NULL;

-- api-key-end-overlaps
-- server/core/accounts/api-keys/queries.ts
-- $1 now timestamptz
-- returns: id int4, key_hash bytea, previous_hash bytea, rules_version int4
WITH over AS (
  SELECT id AS over_id, previous_hash AS over_hash FROM api_keys WHERE previous_until <= $1 FOR UPDATE SKIP LOCKED
)
UPDATE api_keys SET previous_hash = NULL, previous_until = NULL FROM over WHERE id = over_id
RETURNING id, key_hash, over_hash AS previous_hash, rules_version;

-- api-key-find
-- server/core/accounts/api-keys/queries.ts
-- $1 id int4, $2 userId int4
-- returns: id int4
SELECT id FROM api_keys WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL;

-- api-key-find-secrets
-- server/core/accounts/api-keys/queries.ts
-- $1 keyId int4
-- returns: id int4, key_hash bytea, previous_hash bytea, rules_version int4
SELECT id, key_hash, previous_hash, rules_version FROM api_keys WHERE id = $1;

-- api-key-insert
-- server/core/accounts/api-keys/queries.ts
-- $1 userId int4, $2 keyHash bytea, $3 now timestamptz, $4 name text, $5 scopes text[], $6 addresses text[], $7 dialect text, $8 dayLimitMicros int8, $9 sandbox bool, $10 limit int8, $11 sandboxLimit int8
-- returns: id int4, user_id int4, name text, scopes text[], addresses text[], dialect text, sandbox bool, day_limit_micros int8, spent_micros int8, created_at timestamptz, last_used_at timestamptz, previous_until timestamptz
INSERT INTO api_keys (user_id, key_hash, created_at, name, by_staff, scopes, addresses, dialect, day_limit_micros, sandbox)
SELECT $1, $2, $3, $4, false, $5, $6, $7, $8, $9
WHERE (SELECT count(*) < $10 AND (NOT $9 OR count(*) FILTER (WHERE sandbox) < $11)
  FROM api_keys WHERE user_id = $1 AND revoked_at IS NULL)
RETURNING id, user_id, name, scopes, addresses, dialect, sandbox, day_limit_micros, key_spent(id, $3::timestamptz, NULL) AS spent_micros,
  created_at, last_used_at, CASE WHEN previous_until > $3 THEN previous_until END AS previous_until;

-- api-key-list
-- server/core/accounts/api-keys/queries.ts
-- $1 now timestamptz, $2 userId int4
-- returns: id int4, user_id int4, name text, scopes text[], addresses text[], dialect text, sandbox bool, day_limit_micros int8, spent_micros int8, created_at timestamptz, last_used_at timestamptz, previous_until timestamptz
SELECT id, user_id, name, scopes, addresses, dialect, sandbox, day_limit_micros, key_spent(id, $1::timestamptz, NULL) AS spent_micros,
  created_at, last_used_at, CASE WHEN previous_until > $1 THEN previous_until END AS previous_until FROM api_keys WHERE user_id = $2 AND revoked_at IS NULL ORDER BY id DESC;

-- api-key-live-secrets
-- server/core/accounts/api-keys/queries.ts
-- $1 now timestamptz, $2 keyIds int4[]
-- returns: id int4, key_hash bytea, previous_hash bytea, rules_version int4
SELECT k.id, k.key_hash, CASE WHEN k.previous_until > $1 THEN k.previous_hash END AS previous_hash, k.rules_version
FROM api_keys k JOIN users u ON u.id = k.user_id
WHERE k.id = ANY ($2) AND k.revoked_at IS NULL AND u.blocked_at IS NULL;

-- api-key-lock-owner
-- server/core/accounts/api-keys/queries.ts
-- $1 userId int4
-- returns: rows without columns
SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE;

-- api-key-owner
-- server/core/accounts/api-keys/queries.ts
-- $1 keyHash bytea, $2 now timestamptz
-- returns: id int4, user_id int4, sandbox bool, acts_for int4, scopes text[], addresses text[], dialect text, rules_version int4, capped bool, blocked bool, currency text, previous_until timestamptz
SELECT k.id, k.user_id, k.sandbox, CASE WHEN k.sandbox THEN s.id ELSE k.user_id END AS acts_for, k.scopes, k.addresses, k.dialect, k.rules_version,
  EXISTS (SELECT FROM key_ceilings c WHERE c.key_id = k.id) AS capped, u.blocked_at IS NOT NULL AS blocked, a.currency,
  CASE WHEN k.key_hash = $1 THEN NULL ELSE k.previous_until END AS previous_until
FROM api_keys k JOIN users u ON u.id = k.user_id LEFT JOIN users s ON k.sandbox AND s.sandbox_of = k.user_id
JOIN accounts a ON a.user_id = CASE WHEN k.sandbox THEN s.id ELSE k.user_id END
WHERE (k.key_hash = $1 OR (k.previous_hash = $1 AND k.previous_until > $2)) AND k.revoked_at IS NULL;

-- api-key-revoke
-- server/core/accounts/api-keys/queries.ts
-- $1 now timestamptz, $2 id int4, $3 userId int4
-- returns: id int4, user_id int4, name text, key_hash bytea, previous_hash bytea, rules_version int4
UPDATE api_keys SET revoked_at = $1
WHERE id = $2 AND ($3::integer IS NULL OR user_id = $3) AND revoked_at IS NULL
RETURNING id, user_id, name, key_hash, previous_hash, rules_version;

-- api-key-rotate
-- server/core/accounts/api-keys/queries.ts
-- $1 id int4, $2 userId int4, $3 keyHash bytea, $4 previousUntil timestamptz, $5 now timestamptz
-- returns: id int4, user_id int4, name text, scopes text[], addresses text[], dialect text, sandbox bool, day_limit_micros int8, spent_micros int8, created_at timestamptz, last_used_at timestamptz, previous_until timestamptz, rules_version int4, earlier bytea, dropped bytea[]
WITH earlier AS (
  SELECT id AS earlier_id, key_hash AS earlier_hash, previous_hash AS older_hash FROM api_keys
  WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL FOR UPDATE
)
UPDATE api_keys SET key_hash = $3, previous_until = $4,
  previous_hash = CASE WHEN $4::timestamptz IS NULL THEN NULL ELSE earlier_hash END
FROM earlier WHERE id = earlier_id
RETURNING id, user_id, name, scopes, addresses, dialect, sandbox, day_limit_micros, key_spent(id, $5::timestamptz, NULL) AS spent_micros,
  created_at, last_used_at, CASE WHEN previous_until > $5 THEN previous_until END AS previous_until, rules_version, earlier_hash AS earlier, array_remove(ARRAY[older_hash,
      CASE WHEN $4::timestamptz IS NULL THEN earlier_hash END], NULL) AS dropped;

-- api-key-rules
-- server/core/accounts/api-keys/queries.ts
-- $1 id int4, $2 userId int4
-- returns: name text, scopes text[], addresses text[], dialect text, day_limit_micros int8
SELECT name, scopes, addresses, dialect, day_limit_micros FROM api_keys
WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL;

-- api-key-secrets
-- server/core/accounts/api-keys/queries.ts
-- $1 userId int4
-- returns: id int4, key_hash bytea, previous_hash bytea, rules_version int4
SELECT id, key_hash, previous_hash, rules_version FROM api_keys WHERE user_id = $1 AND revoked_at IS NULL;

-- api-key-spend
-- server/core/accounts/api-keys/queries.ts
-- $1 keyId int4, $2 now timestamptz, $3 besides int8
-- returns: revoked bool, day_limit_micros int8, spent int8
SELECT revoked_at IS NOT NULL AS revoked, day_limit_micros,
  CASE WHEN day_limit_micros IS NULL THEN 0 ELSE key_spent(id, $2::timestamptz, $3::bigint) END AS spent
FROM api_keys WHERE id = $1;
