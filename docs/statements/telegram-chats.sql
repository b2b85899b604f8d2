-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/surfaces/telegram/chats/queries.ts: telegram-chat-change, telegram-chat-closed, telegram-chat-delete, telegram-chat-of-user, telegram-chat-owner, telegram-chat-put, telegram-link-find, telegram-link-put, telegram-link-spend

-- telegram-chat-change
-- server/surfaces/telegram/chats/queries.ts
-- $1 wantsCodes bool, $2 userId int4
-- returns: nothing
UPDATE telegram_chats SET wants_codes = $1 WHERE user_id = $2;

-- telegram-chat-closed
-- server/surfaces/telegram/chats/queries.ts
-- $1 closedAt timestamptz, $2 telegramId int8
-- returns: nothing
UPDATE telegram_chats SET closed_at = CASE WHEN $1::timestamptz IS NULL THEN NULL ELSE COALESCE(closed_at, $1) END
WHERE telegram_id = $2;

-- telegram-chat-delete
-- server/surfaces/telegram/chats/queries.ts
-- $1 userId int4
-- returns: user_id int4, telegram_id int8, name text, wants_codes bool, linked_at timestamptz, closed_at timestamptz
WITH waiting AS (DELETE FROM telegram_links WHERE user_id = $1)
DELETE FROM telegram_chats WHERE user_id = $1 RETURNING user_id, telegram_id, name, wants_codes, linked_at, closed_at;

-- telegram-chat-of-user
-- server/surfaces/telegram/chats/queries.ts
-- $1 userId int4
-- returns: user_id int4, telegram_id int8, name text, wants_codes bool, linked_at timestamptz, closed_at timestamptz
SELECT user_id, telegram_id, name, wants_codes, linked_at, closed_at FROM telegram_chats WHERE user_id = $1;

-- telegram-chat-owner
-- server/surfaces/telegram/chats/queries.ts
-- $1 telegramId int8
-- returns: user_id int4, telegram_id int8, name text, wants_codes bool, linked_at timestamptz, closed_at timestamptz, email text, locale text, is_blocked bool
SELECT user_id, telegram_id, name, wants_codes, linked_at, closed_at, u.email, u.locale, u.blocked_at IS NOT NULL AS is_blocked
FROM telegram_chats JOIN (SELECT id, email, locale, blocked_at FROM users) u ON u.id = user_id WHERE telegram_id = $1;

-- telegram-chat-put
-- server/surfaces/telegram/chats/queries.ts
-- $1 userId int4, $2 telegramId int8, $3 name text, $4 wantsCodes bool, $5 now timestamptz
-- returns: nothing
INSERT INTO telegram_chats (user_id, telegram_id, name, wants_codes, linked_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT ON CONSTRAINT telegram_chats_account DO UPDATE SET telegram_id = EXCLUDED.telegram_id, name = EXCLUDED.name,
  wants_codes = EXCLUDED.wants_codes, linked_at = EXCLUDED.linked_at, closed_at = NULL;

-- telegram-link-find
-- server/surfaces/telegram/chats/queries.ts
-- $1 hash bytea, $2 now timestamptz
-- returns: user_id int4, email text
SELECT l.user_id, u.email FROM telegram_links l JOIN users u ON u.id = l.user_id
WHERE token_hash = $1 AND expires_at > $2 AND u.blocked_at IS NULL;

-- telegram-link-put
-- server/surfaces/telegram/chats/queries.ts
-- $1 sessionId int8, $2 userId int4, $3 hash bytea, $4 wantsCodes bool, $5 expiresAt timestamptz
-- returns: nothing
WITH session AS (SELECT user_id FROM sessions WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL FOR SHARE)
INSERT INTO telegram_links (user_id, token_hash, wants_codes, expires_at)
SELECT user_id, $3, $4, $5 FROM session
ON CONFLICT (user_id) DO UPDATE SET token_hash = EXCLUDED.token_hash, wants_codes = EXCLUDED.wants_codes,
  expires_at = EXCLUDED.expires_at;

-- telegram-link-spend
-- server/surfaces/telegram/chats/queries.ts
-- $1 hash bytea, $2 now timestamptz
-- returns: user_id int4, wants_codes bool
DELETE FROM telegram_links l USING users u
WHERE token_hash = $1 AND expires_at > $2 AND u.id = l.user_id AND u.blocked_at IS NULL
RETURNING user_id, wants_codes;
