-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/notifications/push/queries/subscriptions.ts: push-delete-own, push-failed, push-find-live, push-gone, push-list-live, push-list-own, push-queue, push-subscribe, push-succeeded

-- push-delete-own
-- server/core/notifications/push/queries/subscriptions.ts
-- $1 id int8, $2 userId int4
-- returns: nothing
DELETE FROM push_subscriptions WHERE id = $1 AND user_id = $2;

-- push-failed
-- server/core/notifications/push/queries/subscriptions.ts
-- $1 from timestamptz, $2 now timestamptz, $3 id int8
-- returns: failing_since timestamptz, failed_at timestamptz
UPDATE push_subscriptions
SET failing_since = CASE WHEN failed_at > $1 THEN failing_since ELSE $2::timestamptz END, failed_at = $2
WHERE id = $3 RETURNING failing_since, failed_at;

-- push-find-live
-- server/core/notifications/push/queries/subscriptions.ts
-- $1 notificationId int8, $2 now timestamptz, $3 id int8, $4 userId int4
-- returns: id int8, sealed jsonb, failing_since timestamptz, failed_at timestamptz, locale text, is_read bool
SELECT p.id, p.sealed, p.failing_since, p.failed_at, u.locale, EXISTS (SELECT FROM notifications n
  WHERE n.id = $1::bigint AND n.read_at IS NOT NULL) AS is_read
FROM push_subscriptions p JOIN sessions s ON s.id = p.session_id JOIN users u ON u.id = p.user_id
WHERE p.gone_at IS NULL AND s.revoked_at IS NULL AND u.blocked_at IS NULL AND (s.access_expires_at > $2 OR EXISTS (
  SELECT FROM refresh_tokens r WHERE r.session_id = s.id AND r.spent_at IS NULL AND r.expires_at > $2)) AND p.id = $3 AND p.user_id = $4;

-- push-gone
-- server/core/notifications/push/queries/subscriptions.ts
-- $1 id int8, $2 now timestamptz
-- returns: nothing
UPDATE push_subscriptions SET gone_at = $2 WHERE id = $1;

-- push-list-live
-- server/core/notifications/push/queries/subscriptions.ts
-- $1 now timestamptz, $2 userId int4
-- returns: id int8, sealed jsonb, locale text
SELECT p.id, p.sealed, u.locale FROM push_subscriptions p JOIN sessions s ON s.id = p.session_id JOIN users u ON u.id = p.user_id
WHERE p.gone_at IS NULL AND s.revoked_at IS NULL AND u.blocked_at IS NULL AND (s.access_expires_at > $1 OR EXISTS (
  SELECT FROM refresh_tokens r WHERE r.session_id = s.id AND r.spent_at IS NULL AND r.expires_at > $1)) AND p.user_id = $2 ORDER BY p.id;

-- push-list-own
-- server/core/notifications/push/queries/subscriptions.ts
-- $1 userId int4
-- returns: id int8, session_id int8, created_at timestamptz, gone_at timestamptz
SELECT id, session_id, created_at, gone_at FROM push_subscriptions WHERE user_id = $1 ORDER BY id DESC;

-- push-queue
-- server/core/notifications/push/queries/subscriptions.ts
-- $1 payloads text[], $2 queues text[], $3 keys text[], $4 priorities int4[], $5 pauses float8[]
-- returns: add_job _private_jobs
SELECT graphile_worker.add_job('send-push', payload::json, queue_name := queue, max_attempts := 10,
    job_key := key, priority := job.priority, run_at := now() + after * interval '1 millisecond')
FROM unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::float8[])
  AS job (payload, queue, key, priority, after);

-- push-subscribe
-- server/core/notifications/push/queries/subscriptions.ts
-- $1 sessionId int8, $2 userId int4, $3 endpointHash bytea, $4 most int4, $5 sealed jsonb, $6 now timestamptz
-- returns: id int8
WITH session AS (
  SELECT id, user_id FROM sessions WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL FOR KEY SHARE
), excess AS (
  DELETE FROM push_subscriptions WHERE id IN (SELECT id FROM push_subscriptions
    WHERE user_id = $2 AND endpoint_hash <> $3 ORDER BY id DESC OFFSET $4 - 1)
    OR (session_id = $1 AND gone_at IS NOT NULL AND endpoint_hash <> $3)
)
INSERT INTO push_subscriptions (user_id, session_id, endpoint_hash, sealed, created_at)
SELECT user_id, id, $3, $5::jsonb, $6 FROM session
ON CONFLICT ON CONSTRAINT push_subscriptions_endpoint DO UPDATE
SET user_id = EXCLUDED.user_id, session_id = EXCLUDED.session_id, sealed = EXCLUDED.sealed,
  created_at = EXCLUDED.created_at, failing_since = NULL, failed_at = NULL, gone_at = NULL
RETURNING id;

-- push-succeeded
-- server/core/notifications/push/queries/subscriptions.ts
-- $1 id int8
-- returns: nothing
UPDATE push_subscriptions SET failing_since = NULL, failed_at = NULL WHERE id = $1 AND failed_at IS NOT NULL;
