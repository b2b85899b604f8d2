-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/accounts/guests/queries.ts: guest-cancel-end, guest-insert-end, guest-is, guest-lock, guest-name

-- guest-cancel-end
-- server/core/accounts/guests/queries.ts
-- $1 now timestamptz, $2 userId int4
-- returns: rows without columns
WITH kept AS (
  UPDATE account_deletions SET state = 'cancelled', ended_at = $1, look_at = NULL
  WHERE user_id = $2 AND state = 'waiting' AND is_guest RETURNING user_id
), codes AS (
  DELETE FROM email_codes USING kept WHERE email_codes.user_id = kept.user_id
), visits AS (
  DELETE FROM auth_requests USING kept WHERE auth_requests.user_id = kept.user_id
), challenges AS (
  DELETE FROM passkey_challenges USING kept WHERE passkey_challenges.user_id = kept.user_id
)
SELECT FROM kept;

-- guest-insert-end
-- server/core/accounts/guests/queries.ts
-- $1 userId int4, $2 now timestamptz, $3 dueAt timestamptz
-- returns: nothing
INSERT INTO account_deletions (user_id, asked_by, gives_up_micros, asked_at, due_at, look_at, is_guest)
VALUES ($1, 'owner', 1000000000000000, $2, $3, $3, true);

-- guest-is
-- server/core/accounts/guests/queries.ts
-- $1 userId int4
-- returns: guest bool
SELECT EXISTS (SELECT FROM account_deletions WHERE user_id = $1 AND state = 'waiting' AND is_guest) AS guest;

-- guest-lock
-- server/core/accounts/guests/queries.ts
-- $1 userId int4
-- returns: rows without columns
SELECT FROM account_deletions WHERE user_id = $1 AND state = 'waiting' AND is_guest FOR UPDATE;

-- guest-name
-- server/core/accounts/guests/queries.ts
-- $1 email text, $2 name text, $3 passwordHash text, $4 emailVerifiedAt timestamptz, $5 utm jsonb, $6 referrerId int4, $7 userId int4
-- returns: nothing
UPDATE users SET email = $1, name = $2, password_hash = $3, email_verified_at = $4,
  utm = CASE WHEN utm = '{}' THEN $5 ELSE utm END,
  referrer_id = COALESCE(referrer_id,
    (SELECT id FROM users r WHERE r.id = $6 AND r.id <> $7 AND r.erased_at IS NULL AND r.sandbox_of IS NULL))
WHERE id = $7 AND NOT EXISTS (SELECT FROM users o WHERE lower(o.email) = lower($1));
