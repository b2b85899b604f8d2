-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/notifications/queries/bell.ts: notifications-count, notifications-list, notifications-list-category, notifications-read, notifications-read-all, notifications-read-link
-- server/core/notifications/queries/news.ts: news-spread
-- server/core/notifications/queries/raise.ts: notifications-raise
-- server/core/notifications/queries/settings.ts: notification-low-balances, notification-risen-balances, notification-settings, notification-settings-change
-- server/core/notifications/queries/telegram-job.ts: notification-for-chat
-- server/core/notifications/queries/telling.ts: notification-follow, notification-mailed, notification-told

-- notifications-count
-- server/core/notifications/queries/bell.ts
-- $1 userId int4, $2 sessions text[]
-- returns: session text, count int8
SELECT session, (SELECT count(*) FROM (SELECT FROM notifications
  WHERE user_id = $1 AND read_at IS NULL AND 'site' = ANY (channels) AND COALESCE(details ->> 'bySession', '') <> session
  LIMIT 100) unread) AS count FROM unnest($2::text[]) session;

-- notifications-list
-- server/core/notifications/queries/bell.ts
-- $1 userId int4, $2 before int8, $3 limit int8
-- returns: id int8, user_id int4, category text, kind text, details jsonb, link text, created_at timestamptz, read_at timestamptz, by_session text
SELECT id, user_id, category, kind, details, link, created_at, read_at, details ->> 'bySession' AS by_session FROM notifications
WHERE user_id = $1 AND 'site' = ANY (channels)  AND id < COALESCE($2, 9223372036854775807)
ORDER BY id DESC LIMIT $3;

-- notifications-list-category
-- server/core/notifications/queries/bell.ts
-- $1 userId int4, $2 category text, $3 before int8, $4 limit int8
-- returns: id int8, user_id int4, category text, kind text, details jsonb, link text, created_at timestamptz, read_at timestamptz, by_session text
SELECT id, user_id, category, kind, details, link, created_at, read_at, details ->> 'bySession' AS by_session FROM notifications
WHERE user_id = $1 AND 'site' = ANY (channels) AND category = $2 AND id < COALESCE($3, 9223372036854775807)
ORDER BY id DESC LIMIT $4;

-- notifications-read
-- server/core/notifications/queries/bell.ts
-- $1 now timestamptz, $2 id int8, $3 userId int4
-- returns: nothing
UPDATE notifications SET read_at = COALESCE(read_at, $1) WHERE id = $2 AND user_id = $3 AND 'site' = ANY (channels);

-- notifications-read-all
-- server/core/notifications/queries/bell.ts
-- $1 now timestamptz, $2 userId int4, $3 upTo int8, $4 category text
-- returns: nothing
UPDATE notifications SET read_at = $1
WHERE user_id = $2 AND read_at IS NULL AND 'site' = ANY (channels) AND id <= $3 AND category = COALESCE($4, category);

-- notifications-read-link
-- server/core/notifications/queries/bell.ts
-- $1 now timestamptz, $2 userId int4, $3 link text
-- returns: nothing
UPDATE notifications SET read_at = $1 WHERE user_id = $2 AND read_at IS NULL AND link = $3;

-- news-spread
-- server/core/notifications/queries/news.ts
-- $1 limit int8, $2 now timestamptz
-- returns: count int8
WITH open AS (
  SELECT id, words, link, reached_user_id, last_user_id FROM news WHERE reached_user_id < last_user_id
  ORDER BY id LIMIT 1 FOR UPDATE
), people AS (
  SELECT u.id FROM users u, open
  WHERE u.id > open.reached_user_id AND u.id <= open.last_user_id AND u.erased_at IS NULL AND u.sandbox_of IS NULL ORDER BY u.id LIMIT $1
), gone_on AS (
  UPDATE news SET reached_user_id = COALESCE((SELECT max(id) FROM people), open.last_user_id)
  FROM open WHERE news.id = open.id
), told AS (
  SELECT people.id AS user_id, 'news' AS kind, open.words AS details, open.link, 'news:' || open.id AS dedupe_key
  FROM people, open
), wanted AS (
  SELECT s.*, NULL::timestamptz AS read_at, '{"payment-credited":"payments","payment-disputed":"payments","dispute-ended":"payments","refunded":"payments","balance-low":"payments","rental-ending":"numbers","preorder-bought":"numbers","preorder-ended":"numbers","webhook-off":"numbers","ticket-answer":"support","favorite-price":"prices","new-device":"security","telegram-linked":"security","telegram-unlinked":"security","security-silenced":"security","news":"news"}'::jsonb ->> s.kind AS category,
    ARRAY(SELECT jsonb_array_elements_text(COALESCE(chosen.choices -> ('{"payment-credited":"payments","payment-disputed":"payments","dispute-ended":"payments","refunded":"payments","balance-low":"payments","rental-ending":"numbers","preorder-bought":"numbers","preorder-ended":"numbers","webhook-off":"numbers","ticket-answer":"support","favorite-price":"prices","new-device":"security","telegram-linked":"security","telegram-unlinked":"security","security-silenced":"security","news":"news"}'::jsonb ->> s.kind), '{"payments":["site","push","telegram"],"numbers":["site","mail","push","telegram"],"support":["site","mail","push","telegram"],"prices":["site","push","telegram"],"security":["site","push","telegram"],"news":["site"]}'::jsonb -> ('{"payment-credited":"payments","payment-disputed":"payments","dispute-ended":"payments","refunded":"payments","balance-low":"payments","rental-ending":"numbers","preorder-bought":"numbers","preorder-ended":"numbers","webhook-off":"numbers","ticket-answer":"support","favorite-price":"prices","new-device":"security","telegram-linked":"security","telegram-unlinked":"security","security-silenced":"security","news":"news"}'::jsonb ->> s.kind)))) AS channels
  FROM told s LEFT JOIN notification_settings chosen ON chosen.user_id = s.user_id
  WHERE NOT EXISTS (SELECT FROM users shadow WHERE shadow.id = s.user_id AND shadow.sandbox_of IS NOT NULL)
), notified AS (
  INSERT INTO notifications (user_id, category, kind, details, link, dedupe_key, channels, created_at, read_at)
  SELECT user_id, category, kind, details, link, dedupe_key, channels, $2, read_at FROM wanted WHERE channels <> '{}'
  ON CONFLICT ON CONSTRAINT notifications_once DO NOTHING
  RETURNING id, user_id
), notify_jobs AS (
  SELECT count(graphile_worker.add_job('tell-notification', json_build_object('id', id::text), max_attempts := 5))
  FROM notified
)
SELECT count(*) FROM people WHERE (SELECT count FROM notify_jobs) >= 0;

-- notifications-raise
-- server/core/notifications/queries/raise.ts
-- $1 userIds int4[], $2 kinds text[], $3 details text[], $4 links text[], $5 keys text[], $6 now timestamptz
-- returns: count int8
WITH raised AS (
  SELECT user_id, kind, details::jsonb, link, dedupe_key
  FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::text[])
    AS told (user_id, kind, details, link, dedupe_key)
), wanted AS (
  SELECT s.*, NULL::timestamptz AS read_at, '{"payment-credited":"payments","payment-disputed":"payments","dispute-ended":"payments","refunded":"payments","balance-low":"payments","rental-ending":"numbers","preorder-bought":"numbers","preorder-ended":"numbers","webhook-off":"numbers","ticket-answer":"support","favorite-price":"prices","new-device":"security","telegram-linked":"security","telegram-unlinked":"security","security-silenced":"security","news":"news"}'::jsonb ->> s.kind AS category,
    ARRAY(SELECT jsonb_array_elements_text(COALESCE(chosen.choices -> ('{"payment-credited":"payments","payment-disputed":"payments","dispute-ended":"payments","refunded":"payments","balance-low":"payments","rental-ending":"numbers","preorder-bought":"numbers","preorder-ended":"numbers","webhook-off":"numbers","ticket-answer":"support","favorite-price":"prices","new-device":"security","telegram-linked":"security","telegram-unlinked":"security","security-silenced":"security","news":"news"}'::jsonb ->> s.kind), '{"payments":["site","push","telegram"],"numbers":["site","mail","push","telegram"],"support":["site","mail","push","telegram"],"prices":["site","push","telegram"],"security":["site","push","telegram"],"news":["site"]}'::jsonb -> ('{"payment-credited":"payments","payment-disputed":"payments","dispute-ended":"payments","refunded":"payments","balance-low":"payments","rental-ending":"numbers","preorder-bought":"numbers","preorder-ended":"numbers","webhook-off":"numbers","ticket-answer":"support","favorite-price":"prices","new-device":"security","telegram-linked":"security","telegram-unlinked":"security","security-silenced":"security","news":"news"}'::jsonb ->> s.kind)))) AS channels
  FROM raised s LEFT JOIN notification_settings chosen ON chosen.user_id = s.user_id
  WHERE NOT EXISTS (SELECT FROM users shadow WHERE shadow.id = s.user_id AND shadow.sandbox_of IS NOT NULL)
), notified AS (
  INSERT INTO notifications (user_id, category, kind, details, link, dedupe_key, channels, created_at, read_at)
  SELECT user_id, category, kind, details, link, dedupe_key, channels, $6, read_at FROM wanted WHERE channels <> '{}'
  ON CONFLICT ON CONSTRAINT notifications_once DO NOTHING
  RETURNING id, user_id
), notify_jobs AS (
  SELECT count(graphile_worker.add_job('tell-notification', json_build_object('id', id::text), max_attempts := 5))
  FROM notified
)
SELECT count(*) FROM notified WHERE (SELECT count FROM notify_jobs) >= 0;

-- notification-low-balances
-- server/core/notifications/queries/settings.ts
-- $1 now timestamptz, $2 limit int8
-- returns: count int8
WITH due AS (
  SELECT s.user_id, a.currency FROM notification_settings s JOIN accounts a ON a.user_id = s.user_id
  WHERE s.balance_limit_micros IS NOT NULL AND s.balance_low_at IS NULL AND a.available_micros < s.balance_limit_micros
    AND NOT EXISTS (SELECT FROM notifications n WHERE n.user_id = s.user_id AND n.created_at > $1::timestamptz - interval '1 hour'
        AND n.dedupe_key IN ('balance-low:' || floor(extract(epoch FROM $1::timestamptz) / 3600), 'balance-low:' || floor(extract(epoch FROM ($1::timestamptz - interval '1 hour')) / 3600)))
  ORDER BY s.user_id LIMIT $2 FOR UPDATE OF s SKIP LOCKED
), low AS (
  UPDATE notification_settings s SET balance_low_at = $1 FROM due WHERE s.user_id = due.user_id
  RETURNING s.user_id, s.balance_limit_micros, due.currency
), fallen AS (
  SELECT user_id, 'balance-low' AS kind, '/top-up' AS link, 'balance-low:' || floor(extract(epoch FROM $1::timestamptz) / 3600) AS dedupe_key,
    jsonb_build_object('limitMicros', balance_limit_micros::text, 'currency', currency) AS details
  FROM low
), wanted AS (
  SELECT s.*, NULL::timestamptz AS read_at, '{"payment-credited":"payments","payment-disputed":"payments","dispute-ended":"payments","refunded":"payments","balance-low":"payments","rental-ending":"numbers","preorder-bought":"numbers","preorder-ended":"numbers","webhook-off":"numbers","ticket-answer":"support","favorite-price":"prices","new-device":"security","telegram-linked":"security","telegram-unlinked":"security","security-silenced":"security","news":"news"}'::jsonb ->> s.kind AS category,
    ARRAY(SELECT jsonb_array_elements_text(COALESCE(chosen.choices -> ('{"payment-credited":"payments","payment-disputed":"payments","dispute-ended":"payments","refunded":"payments","balance-low":"payments","rental-ending":"numbers","preorder-bought":"numbers","preorder-ended":"numbers","webhook-off":"numbers","ticket-answer":"support","favorite-price":"prices","new-device":"security","telegram-linked":"security","telegram-unlinked":"security","security-silenced":"security","news":"news"}'::jsonb ->> s.kind), '{"payments":["site","push","telegram"],"numbers":["site","mail","push","telegram"],"support":["site","mail","push","telegram"],"prices":["site","push","telegram"],"security":["site","push","telegram"],"news":["site"]}'::jsonb -> ('{"payment-credited":"payments","payment-disputed":"payments","dispute-ended":"payments","refunded":"payments","balance-low":"payments","rental-ending":"numbers","preorder-bought":"numbers","preorder-ended":"numbers","webhook-off":"numbers","ticket-answer":"support","favorite-price":"prices","new-device":"security","telegram-linked":"security","telegram-unlinked":"security","security-silenced":"security","news":"news"}'::jsonb ->> s.kind)))) AS channels
  FROM fallen s LEFT JOIN notification_settings chosen ON chosen.user_id = s.user_id
  WHERE NOT EXISTS (SELECT FROM users shadow WHERE shadow.id = s.user_id AND shadow.sandbox_of IS NOT NULL)
), notified AS (
  INSERT INTO notifications (user_id, category, kind, details, link, dedupe_key, channels, created_at, read_at)
  SELECT user_id, category, kind, details, link, dedupe_key, channels, $1, read_at FROM wanted WHERE channels <> '{}'
  ON CONFLICT ON CONSTRAINT notifications_once DO NOTHING
  RETURNING id, user_id
), notify_jobs AS (
  SELECT count(graphile_worker.add_job('tell-notification', json_build_object('id', id::text), max_attempts := 5))
  FROM notified
)
SELECT count(*) FROM low WHERE (SELECT count FROM notify_jobs) >= 0;

-- notification-risen-balances
-- server/core/notifications/queries/settings.ts
-- returns: nothing
UPDATE notification_settings s SET balance_low_at = NULL FROM accounts a
WHERE a.user_id = s.user_id AND s.balance_low_at IS NOT NULL AND a.available_micros >= s.balance_limit_micros;

-- notification-settings
-- server/core/notifications/queries/settings.ts
-- $1 userId int4
-- returns: choices jsonb, balance_limit_micros int8, price_limit_micros int8
SELECT choices, balance_limit_micros, price_limit_micros FROM notification_settings WHERE user_id = $1;

-- notification-settings-change
-- server/core/notifications/queries/settings.ts
-- $1 choices jsonb, $2 balance int8, $3 now timestamptz, $4 price int8, $5 userId int4, $6 setsBalance bool, $7 setsPrice bool, $8 setsSecurity bool, $9 securityWas jsonb
-- returns: nothing
INSERT INTO notification_settings AS s
(user_id, choices, balance_limit_micros, balance_low_at, price_limit_micros, changed_at)
SELECT user_id, $1::jsonb, $2::bigint, CASE WHEN available_micros < $2 THEN $3::timestamptz END, $4::bigint, $3
FROM accounts WHERE user_id = $5
ON CONFLICT (user_id) DO UPDATE SET choices = s.choices || EXCLUDED.choices, changed_at = EXCLUDED.changed_at,
  balance_limit_micros = CASE WHEN $6 THEN EXCLUDED.balance_limit_micros ELSE s.balance_limit_micros END,
  balance_low_at = CASE WHEN $6 THEN EXCLUDED.balance_low_at ELSE s.balance_low_at END,
  price_limit_micros = CASE WHEN $7 THEN EXCLUDED.price_limit_micros ELSE s.price_limit_micros END
WHERE NOT $8::boolean OR s.choices -> 'security' IS NOT DISTINCT FROM $9::jsonb;

-- notification-for-chat
-- server/core/notifications/queries/telegram-job.ts
-- $1 id text, $2 afterMs float8, $3 userId int4
-- returns: add_job _private_jobs
SELECT graphile_worker.add_job('telegram-notification', json_build_object('id', $1::text),
    queue_name := 'telegram-' || user_id % 2, run_at := now() + $2 * interval '1 millisecond', max_attempts := 12,
    priority := 10, job_key := 'telegram-notification:' || $1)
FROM telegram_chats WHERE user_id = $3 AND closed_at IS NULL;

-- notification-follow
-- server/core/notifications/queries/telling.ts
-- $1 id text, $2 mailAfterMs float8
-- returns: add_job _private_jobs
SELECT graphile_worker.add_job('mail-notification', json_build_object('id', $1::text),
    run_at := now() + $2 * interval '1 millisecond', max_attempts := 10, job_key := 'mail-notification:' || $1);

-- notification-mailed
-- server/core/notifications/queries/telling.ts
-- $1 now timestamptz, $2 id int8
-- returns: nothing
UPDATE notifications SET mailed_at = $1 WHERE id = $2 AND read_at IS NULL AND telegram_at IS NULL AND mailed_at IS NULL;

-- notification-told
-- server/core/notifications/queries/telling.ts
-- $1 id int8
-- returns: id int8, user_id int4, category text, kind text, details jsonb, link text, created_at timestamptz, read_at timestamptz, by_session text, channels text[], email text, locale text, time_zone text, is_blocked bool
SELECT n.id, n.user_id, n.category, n.kind, n.details, n.link, n.created_at, n.read_at, n.details ->> 'bySession' AS by_session, n.channels,
  u.email, u.locale, u.settings ->> 'time_zone' AS time_zone, u.blocked_at IS NOT NULL AS is_blocked
FROM notifications n JOIN users u ON u.id = n.user_id WHERE n.id = $1;
