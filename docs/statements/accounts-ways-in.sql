-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/accounts/ways-in/queries.ts: identities-list, identity-lock-user, passkeys-has, passkeys-list, two-factor-find

-- identities-list
-- server/core/accounts/ways-in/queries.ts
-- $1 userId int4
-- returns: provider text, name text, linked_at timestamptz
SELECT provider, name, linked_at FROM identities WHERE user_id = $1;

-- identity-lock-user
-- server/core/accounts/ways-in/queries.ts
-- $1 userId int4
-- returns: able bool
SELECT password_hash IS NOT NULL AND email IS NOT NULL AS able FROM users WHERE id = $1 FOR NO KEY UPDATE;

-- passkeys-has
-- server/core/accounts/ways-in/queries.ts
-- $1 userId int4
-- returns: has bool
SELECT EXISTS (SELECT FROM passkeys WHERE user_id = $1) AS has;

-- passkeys-list
-- server/core/accounts/ways-in/queries.ts
-- $1 userId int4
-- returns: id int4, credential_id bytea, handle bytea, rp_id text, name text, created_at timestamptz, last_used_at timestamptz
SELECT id, credential_id, handle, rp_id, name, created_at, last_used_at FROM passkeys
WHERE user_id = $1 ORDER BY id;

-- two-factor-find
-- server/core/accounts/ways-in/queries.ts
-- $1 userId int4
-- returns: user_id int4, secret jsonb, confirmed_at timestamptz, created_at timestamptz
SELECT user_id, secret, confirmed_at, created_at FROM two_factor WHERE user_id = $1;
