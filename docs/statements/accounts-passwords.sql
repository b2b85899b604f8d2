-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/accounts/passwords/queries.ts: password-change, password-ends-chat-links, password-set-by-mail, password-settles-chat, reset-find, reset-insert, reset-spend, resets-delete

-- password-change
-- server/core/accounts/passwords/queries.ts
-- $1 userId int4, $2 from text, $3 to text
-- returns: nothing
UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash IS NOT DISTINCT FROM $2;

-- password-ends-chat-links
-- server/core/accounts/passwords/queries.ts
-- $1 userId int4
-- returns: nothing
DELETE FROM telegram_links WHERE user_id = $1;

-- password-set-by-mail
-- server/core/accounts/passwords/queries.ts
-- $1 passwordHash text, $2 now timestamptz, $3 userId int4, $4 email text
-- returns: email text, locale text
UPDATE users SET password_hash = $1, email_verified_at = COALESCE(email_verified_at, $2)
WHERE id = $3 AND lower(email) = lower($4) AND blocked_at IS NULL RETURNING email, locale;

-- password-settles-chat
-- server/core/accounts/passwords/queries.ts
-- $1 stopsCodes bool, $2 userId int4
-- returns: name text
UPDATE telegram_chats SET wants_codes = wants_codes AND NOT $1 WHERE user_id = $2 RETURNING name;

-- reset-find
-- server/core/accounts/passwords/queries.ts
-- $1 email text, $2 tokenHash bytea, $3 now timestamptz
-- returns: rows without columns
SELECT FROM password_resets WHERE email = $1 AND token_hash = $2 AND expires_at > $3 AND user_id IS NOT NULL;

-- reset-insert
-- server/core/accounts/passwords/queries.ts
-- $1 email text, $2 userId int4, $3 tokenHash bytea, $4 now timestamptz, $5 expiresAt timestamptz
-- returns: nothing
INSERT INTO password_resets (email, user_id, token_hash, sent_at, expires_at)
VALUES ($1, $2, $3, $4, $5);

-- reset-spend
-- server/core/accounts/passwords/queries.ts
-- $1 email text, $2 tokenHash bytea, $3 now timestamptz
-- returns: user_id int4
DELETE FROM password_resets WHERE email = $1 AND token_hash = $2 AND expires_at > $3 RETURNING user_id;

-- resets-delete
-- server/core/accounts/passwords/queries.ts
-- $1 userId int4
-- returns: nothing
DELETE FROM password_resets WHERE user_id = $1;
