-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/accounts/sessions/queries.ts: session-by-access, session-by-refresh, session-device-of, session-find-live, session-insert, session-known-device, session-list-live, session-list-standing, session-note-sign-in, session-revoke-by-refresh, session-rotate, session-touch

-- session-by-access
-- server/core/accounts/sessions/queries.ts
-- $1 hash bytea, $2 now timestamptz
-- returns: session_id int8, user_id int4, role text, currency text, locale text, access_expires_at timestamptz, last_used_at timestamptz, blocked bool
SELECT s.id AS session_id, s.user_id, u.role, a.currency, u.locale, s.access_expires_at, s.last_used_at,
  u.blocked_at IS NOT NULL AS blocked FROM sessions s JOIN users u ON u.id = s.user_id JOIN accounts a ON a.user_id = u.id
WHERE s.access_hash = $1 AND s.access_expires_at > $2 AND s.revoked_at IS NULL AND u.erased_at IS NULL;

-- session-by-refresh
-- server/core/accounts/sessions/queries.ts
-- $1 hash bytea, $2 now timestamptz
-- returns: session_id int8, user_id int4, role text, currency text, locale text, access_expires_at timestamptz, last_used_at timestamptz, blocked bool
SELECT s.id AS session_id, s.user_id, u.role, a.currency, u.locale, s.access_expires_at, s.last_used_at,
  u.blocked_at IS NOT NULL AS blocked FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id
JOIN users u ON u.id = s.user_id JOIN accounts a ON a.user_id = u.id
WHERE r.hash = $1 AND r.spent_at IS NULL AND r.expires_at > $2 AND s.revoked_at IS NULL AND u.erased_at IS NULL;

-- session-device-of
-- server/core/accounts/sessions/queries.ts
-- $1 userId int4, $2 deviceHash bytea
-- returns: known bool
SELECT EXISTS (SELECT FROM sessions WHERE user_id = $1 AND device_hash = $2) AS known;

-- session-find-live
-- server/core/accounts/sessions/queries.ts
-- $1 sessionId int8, $2 now timestamptz
-- returns: blocked bool
SELECT u.blocked_at IS NOT NULL AS blocked FROM sessions s JOIN users u ON u.id = s.user_id
WHERE s.id = $1 AND u.erased_at IS NULL AND s.revoked_at IS NULL AND (s.access_expires_at > $2 OR EXISTS (
  SELECT FROM refresh_tokens r WHERE r.session_id = s.id AND r.spent_at IS NULL AND r.expires_at > $2));

-- session-insert
-- server/core/accounts/sessions/queries.ts
-- $1 userId int4, $2 accessHash bytea, $3 accessExpiresAt timestamptz, $4 userAgent text, $5 address text, $6 now timestamptz, $7 deviceHash bytea, $8 refreshHash bytea, $9 refreshExpiresAt timestamptz
-- returns: id int8
WITH made AS (
  INSERT INTO sessions
  (user_id, access_hash, access_expires_at, user_agent, address, created_at, last_used_at, device_hash)
  VALUES ($1, $2, $3, $4, $5, $6, $6, $7) RETURNING id
), token AS (
  INSERT INTO refresh_tokens (hash, session_id, expires_at) SELECT $8, id, $9 FROM made
)
SELECT id FROM made;

-- session-known-device
-- server/core/accounts/sessions/queries.ts
-- $1 userId int4, $2 deviceHash bytea, $3 address text, $4 limit int8
-- returns: by_cookie bool, user_agents text[]
SELECT
  EXISTS (SELECT FROM sessions WHERE user_id = $1 AND device_hash = $2) AS by_cookie,
  ARRAY(SELECT user_agent FROM sessions WHERE user_id = $1 AND address = $3
    ORDER BY id DESC LIMIT $4) AS user_agents;

-- session-list-live
-- server/core/accounts/sessions/queries.ts
-- $1 userId int4, $2 now timestamptz, $3 first int8, $4 limit int8
-- returns: id int8, user_agent text, address text, created_at timestamptz, last_used_at timestamptz
SELECT id, user_agent, address, created_at, last_used_at FROM sessions s
WHERE user_id = $1 AND s.revoked_at IS NULL AND (s.access_expires_at > $2 OR EXISTS (
  SELECT FROM refresh_tokens r WHERE r.session_id = s.id AND r.spent_at IS NULL AND r.expires_at > $2))
ORDER BY id = $3 DESC, last_used_at DESC, id DESC LIMIT $4;

-- session-list-standing
-- server/core/accounts/sessions/queries.ts
-- $1 ids int8[]
-- returns: id int8
SELECT s.id FROM sessions s JOIN users u ON u.id = s.user_id
WHERE s.id = ANY ($1::bigint[]) AND s.revoked_at IS NULL AND u.blocked_at IS NULL;

-- session-note-sign-in
-- server/core/accounts/sessions/queries.ts
-- $1 userId int4, $2 now timestamptz
-- returns: email text, locale text, passwordHash text, signedInBefore bool, chosenLocale text, timeZone text
WITH person AS (
  SELECT id, email, locale, password_hash AS "passwordHash", signed_in_at IS NOT NULL AS "signedInBefore",
    settings ->> 'locale' AS "chosenLocale", settings ->> 'time_zone' AS "timeZone"
  FROM users WHERE id = $1 FOR NO KEY UPDATE
), noted AS (
  UPDATE users SET signed_in_at = $2 FROM person WHERE users.id = person.id
)
SELECT email, locale, "passwordHash", "signedInBefore", "chosenLocale", "timeZone" FROM person;

-- session-revoke-by-refresh
-- server/core/accounts/sessions/queries.ts
-- $1 hash bytea, $2 now timestamptz
-- returns: id int8, user_id int4
WITH ended AS (
  UPDATE sessions SET revoked_at = $2 FROM refresh_tokens r
  WHERE r.hash = $1 AND sessions.id = r.session_id AND sessions.revoked_at IS NULL
  RETURNING sessions.id, sessions.user_id
), unsubscribed AS (DELETE FROM push_subscriptions p USING ended ended WHERE p.session_id = ended.id)
SELECT id, user_id FROM ended;

-- session-rotate
-- server/core/accounts/sessions/queries.ts
-- $1 now timestamptz, $2 spentHash bytea, $3 begunAfter timestamptz, $4 accessHash bytea, $5 accessExpiresAt timestamptz, $6 address text, $7 refreshHash bytea, $8 refreshExpiresAt timestamptz
-- returns: session_id int8
WITH spent AS (
  UPDATE refresh_tokens r SET spent_at = $1 FROM sessions s JOIN users u ON u.id = s.user_id
  WHERE r.hash = $2 AND r.spent_at IS NULL AND r.expires_at > $1 AND s.id = r.session_id AND s.revoked_at IS NULL AND u.erased_at IS NULL
    AND s.created_at > $3
  RETURNING r.session_id, s.created_at + ($1 - $3) AS ends_at
), renewed AS (
  UPDATE sessions SET access_hash = $4, access_expires_at = least($5, ends_at),
    last_used_at = $1, address = $6
  FROM spent WHERE sessions.id = spent.session_id
), token AS (
  INSERT INTO refresh_tokens (hash, session_id, expires_at)
  SELECT $7, session_id, least($8, ends_at) FROM spent
)
SELECT session_id FROM spent;

-- session-touch
-- server/core/accounts/sessions/queries.ts
-- $1 sessionId int8, $2 address text, $3 now timestamptz
-- returns: nothing
UPDATE sessions SET last_used_at = $3, address = $2 WHERE id = $1 AND last_used_at < $3;
