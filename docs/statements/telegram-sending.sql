-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/surfaces/telegram/sending/queries.ts: telegram-code-find, telegram-code-sent, telegram-notification-sent, telegram-open-numbers, telegram-queue-later, telegram-queue-reply

-- telegram-code-find
-- server/surfaces/telegram/sending/queries.ts
-- $1 messageId int8, $2 userId int4
-- returns: telegram_id int8, locale text, body text, code text, sender text, received_at timestamptz, phone text, activation_id int8, state text, service_code text, country_id int4
SELECT chat.telegram_id, u.locale, m.body, m.code, m.sender, m.received_at, m.phone, a.id AS activation_id, a.state,
  COALESCE(a.service_code, r.service_code) AS service_code, COALESCE(a.country_id, r.country_id) AS country_id
FROM telegram_codes t JOIN messages m ON m.id = t.message_id
JOIN telegram_chats chat ON chat.user_id = t.user_id JOIN users u ON u.id = t.user_id
LEFT JOIN activations a ON a.id = m.activation_id AND a.user_id = t.user_id
LEFT JOIN rentals r ON r.id = m.rental_id AND r.user_id = t.user_id
WHERE t.message_id = $1 AND t.user_id = $2 AND t.sent_at IS NULL AND m.body IS NOT NULL
  AND chat.wants_codes AND chat.closed_at IS NULL AND u.blocked_at IS NULL AND num_nonnulls(a.id, r.id) = 1;

-- telegram-code-sent
-- server/surfaces/telegram/sending/queries.ts
-- $1 sentAt timestamptz, $2 messageId int8, $3 userId int4
-- returns: nothing
UPDATE telegram_codes SET sent_at = $1
WHERE message_id = $2 AND user_id = $3 AND (sent_at IS NULL) <> ($1::timestamptz IS NULL);

-- telegram-notification-sent
-- server/surfaces/telegram/sending/queries.ts
-- $1 sentAt timestamptz, $2 id int8
-- returns: nothing
UPDATE notifications SET telegram_at = $1
WHERE id = $2 AND (telegram_at IS NULL) <> ($1::timestamptz IS NULL) AND (read_at IS NULL OR category = 'security' OR $1 IS NULL);

-- telegram-open-numbers
-- server/surfaces/telegram/sending/queries.ts
-- $1 userId int4, $2 limit int8
-- returns: id int8, state text, service_code text, country_id int4, phone text, code text
SELECT id, state, service_code, country_id, phone, code FROM activations
WHERE user_id = $1 AND state IN ('waiting', 'received', 'waiting_again') ORDER BY id DESC LIMIT $2;

-- telegram-queue-later
-- server/surfaces/telegram/sending/queries.ts
-- $1 task text, $2 payload json, $3 userId int4, $4 afterMs float8
-- returns: add_job _private_jobs
SELECT graphile_worker.add_job($1, $2::json, queue_name := 'telegram-' || $3::integer % 2,
    run_at := now() + $4 * interval '1 millisecond', max_attempts := 12,
    priority := CASE $1 WHEN 'telegram-notification' THEN 10 ELSE 0 END);

-- telegram-queue-reply
-- server/surfaces/telegram/sending/queries.ts
-- $1 payload json, $2 afterMs float8
-- returns: add_job _private_jobs
SELECT graphile_worker.add_job('telegram-reply', $1::json, queue_name := 'telegram-updates',
    run_at := now() + $2 * interval '1 millisecond', max_attempts := 12);
