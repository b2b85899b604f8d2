-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/webhooks/queries/deliveries.ts: webhook-deliveries, webhook-delivery, webhook-insert-test, webhook-replay
-- server/core/webhooks/queries/endpoints.ts: webhook-change, webhook-delete, webhook-find, webhook-find-by-key, webhook-insert, webhook-list, webhook-lock-owner, webhook-rotate, webhook-switch-off
-- server/core/webhooks/queries/raise.ts: webhook-raise
-- server/core/webhooks/queries/sealed.ts: webhook-list-sealed, webhook-reseal
-- server/core/webhooks/queries/sending.ts: webhook-give-up-late, webhook-list-busy, webhook-list-due, webhook-rest, webhook-settle

-- webhook-deliveries
-- server/core/webhooks/queries/deliveries.ts
-- $1 endpointId int4, $2 userId int4, $3 state text, $4 before int8, $5 limit int8
-- returns: id int8, event text, details jsonb, at timestamptz, message_id int8, sender text, text text, code text, received_at timestamptz, sandbox bool, form text, state text, tries int4, next_at timestamptz, tried_at timestamptz, took_ms int4, status int4, failure text, reply text
SELECT d.id, d.event, d.details, d.at, d.message_id,
  CASE WHEN m.body IS NOT NULL THEN m.sender END AS sender, m.body AS text, m.code, m.received_at,
  EXISTS (SELECT FROM users shadow WHERE shadow.id = e.user_id AND shadow.sandbox_of IS NOT NULL) AS sandbox, e.form, d.state, d.tries, d.next_at, d.tried_at, d.took_ms, d.status, d.failure, d.reply FROM webhook_endpoints e JOIN webhook_deliveries d ON d.endpoint_id = e.id LEFT JOIN messages m ON m.id = d.message_id AND NOT (m.withheld AND m.given = 'late')
  AND d.subject = CASE WHEN m.activation_id IS NOT NULL THEN 'activation:' || m.activation_id ELSE 'rental:' || m.rental_id END
WHERE e.id = $1 AND e.user_id = $2 AND ($3::text IS NULL OR d.state = $3) AND ($4::bigint IS NULL OR d.id < $4)
ORDER BY d.id DESC LIMIT $5;

-- webhook-delivery
-- server/core/webhooks/queries/deliveries.ts
-- $1 endpointId int4, $2 userId int4, $3 id int8
-- returns: id int8, event text, details jsonb, at timestamptz, message_id int8, sender text, text text, code text, received_at timestamptz, sandbox bool, form text, state text, tries int4, next_at timestamptz, tried_at timestamptz, took_ms int4, status int4, failure text, reply text
SELECT d.id, d.event, d.details, d.at, d.message_id,
  CASE WHEN m.body IS NOT NULL THEN m.sender END AS sender, m.body AS text, m.code, m.received_at,
  EXISTS (SELECT FROM users shadow WHERE shadow.id = e.user_id AND shadow.sandbox_of IS NOT NULL) AS sandbox, e.form, d.state, d.tries, d.next_at, d.tried_at, d.took_ms, d.status, d.failure, d.reply FROM webhook_endpoints e JOIN webhook_deliveries d ON d.endpoint_id = e.id LEFT JOIN messages m ON m.id = d.message_id AND NOT (m.withheld AND m.given = 'late')
  AND d.subject = CASE WHEN m.activation_id IS NOT NULL THEN 'activation:' || m.activation_id ELSE 'rental:' || m.rental_id END
WHERE e.id = $1 AND e.user_id = $2 AND d.id = $3;

-- webhook-insert-test
-- server/core/webhooks/queries/deliveries.ts
-- $1 endpointId int4, $2 userId int4, $3 event text, $4 now timestamptz
-- returns: id int8
WITH woken AS (
  UPDATE webhook_endpoints e SET rest_until = NULL WHERE e.id = $1 AND e.user_id = $2 AND e.state = 'on' RETURNING e.id
)
INSERT INTO webhook_deliveries (endpoint_id, event, subject, details, at, next_at)
SELECT id, $3, 'test:' || gen_random_uuid(), '{}', $4, $4 FROM woken RETURNING id;

-- webhook-replay
-- server/core/webhooks/queries/deliveries.ts
-- $1 endpointId int4, $2 userId int4, $3 now timestamptz, $4 id int8
-- returns: nothing
WITH woken AS (
  UPDATE webhook_endpoints e SET rest_until = NULL WHERE e.id = $1 AND e.user_id = $2 AND e.state = 'on' RETURNING e.id
)
UPDATE webhook_deliveries d SET state = 'waiting', tries = 0, next_at = $3, failure = NULL, round = round + 1
FROM woken WHERE d.endpoint_id = woken.id AND d.id = $4;

-- webhook-change
-- server/core/webhooks/queries/endpoints.ts
-- $1 label text, $2 url text, $3 host text, $4 events text[], $5 on bool, $6 id int4, $7 userId int4, $8 now timestamptz
-- returns: id int4, user_id int4, api_key_id int4, label text, url text, form text, events text[], secret jsonb, state text, off_reason text, failing_since timestamptz, previous_until timestamptz, created_at timestamptz, input_hash text
WITH changed AS (
  UPDATE webhook_endpoints SET label = COALESCE($1, label), url = COALESCE($2, url), host = COALESCE($3, host),
    events = COALESCE($4::text[], events),
    state = CASE $5::boolean WHEN true THEN 'on' WHEN false THEN 'off' ELSE state END,
    off_reason = CASE WHEN $5::boolean IS NULL THEN off_reason END,
    failures = CASE WHEN ($2::text IS NOT NULL OR COALESCE($5::boolean, false)) THEN 0 ELSE failures END,
    failing_since = CASE WHEN NOT ($2::text IS NOT NULL OR COALESCE($5::boolean, false)) THEN failing_since END,
    rest_until = CASE WHEN NOT ($2::text IS NOT NULL OR COALESCE($5::boolean, false)) THEN rest_until END
  WHERE id = $6 AND user_id = $7
  RETURNING id, user_id, api_key_id, label, url, form, events, secret, state, off_reason, failing_since,
    CASE WHEN previous_until > $8 THEN previous_until END AS previous_until, created_at, input_hash
), given_up AS (
  UPDATE webhook_deliveries d SET state = 'failed', failure = 'off' FROM changed
  WHERE d.endpoint_id = changed.id AND d.state = 'waiting' AND changed.state = 'off'
)
SELECT * FROM changed;

-- webhook-delete
-- server/core/webhooks/queries/endpoints.ts
-- $1 id int4, $2 userId int4
-- returns: nothing
DELETE FROM webhook_endpoints WHERE id = $1 AND user_id = $2;

-- webhook-find
-- server/core/webhooks/queries/endpoints.ts
-- $1 now timestamptz, $2 id int4, $3 userId int4
-- returns: id int4, user_id int4, api_key_id int4, label text, url text, form text, events text[], secret jsonb, state text, off_reason text, failing_since timestamptz, previous_until timestamptz, created_at timestamptz, input_hash text
SELECT id, user_id, api_key_id, label, url, form, events, secret, state, off_reason, failing_since,
  CASE WHEN previous_until > $1 THEN previous_until END AS previous_until, created_at, input_hash FROM webhook_endpoints WHERE id = $2 AND user_id = $3;

-- webhook-find-by-key
-- server/core/webhooks/queries/endpoints.ts
-- $1 now timestamptz, $2 userId int4, $3 key text
-- returns: id int4, user_id int4, api_key_id int4, label text, url text, form text, events text[], secret jsonb, state text, off_reason text, failing_since timestamptz, previous_until timestamptz, created_at timestamptz, input_hash text
SELECT id, user_id, api_key_id, label, url, form, events, secret, state, off_reason, failing_since,
  CASE WHEN previous_until > $1 THEN previous_until END AS previous_until, created_at, input_hash FROM webhook_endpoints WHERE user_id = $2 AND idempotency_key = $3;

-- webhook-insert
-- server/core/webhooks/queries/endpoints.ts
-- $1 userId int4, $2 apiKeyId int4, $3 label text, $4 url text, $5 host text, $6 form text, $7 events text[], $8 secret jsonb, $9 now timestamptz, $10 idempotencyKey text, $11 inputHash text, $12 most int8
-- returns: id int4, user_id int4, api_key_id int4, label text, url text, form text, events text[], secret jsonb, state text, off_reason text, failing_since timestamptz, previous_until timestamptz, created_at timestamptz, input_hash text
INSERT INTO webhook_endpoints (user_id, api_key_id, label, url, host, form, events, secret, created_at, idempotency_key, input_hash)
SELECT $1, $2::integer, $3, $4, $5, $6, $7, $8::jsonb, $9, $10, $11
WHERE (SELECT count(*) FROM webhook_endpoints WHERE user_id = $1) < $12
RETURNING id, user_id, api_key_id, label, url, form, events, secret, state, off_reason, failing_since,
  CASE WHEN previous_until > $9 THEN previous_until END AS previous_until, created_at, input_hash;

-- webhook-list
-- server/core/webhooks/queries/endpoints.ts
-- $1 now timestamptz, $2 userId int4
-- returns: id int4, user_id int4, api_key_id int4, label text, url text, form text, events text[], secret jsonb, state text, off_reason text, failing_since timestamptz, previous_until timestamptz, created_at timestamptz, input_hash text
SELECT id, user_id, api_key_id, label, url, form, events, secret, state, off_reason, failing_since,
  CASE WHEN previous_until > $1 THEN previous_until END AS previous_until, created_at, input_hash FROM webhook_endpoints WHERE user_id = $2 ORDER BY id DESC;

-- webhook-lock-owner
-- server/core/webhooks/queries/endpoints.ts
-- $1 userId int4
-- returns: rows without columns
SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE;

-- webhook-rotate
-- server/core/webhooks/queries/endpoints.ts
-- $1 secret jsonb, $2 previousUntil timestamptz, $3 id int4, $4 userId int4, $5 now timestamptz
-- returns: id int4, user_id int4, api_key_id int4, label text, url text, form text, events text[], secret jsonb, state text, off_reason text, failing_since timestamptz, previous_until timestamptz, created_at timestamptz, input_hash text
UPDATE webhook_endpoints SET secret = $1::jsonb, previous_until = $2::timestamptz,
  previous_secret = CASE WHEN $2::timestamptz IS NOT NULL THEN secret END
WHERE id = $3 AND user_id = $4 AND form = 'standard'
RETURNING id, user_id, api_key_id, label, url, form, events, secret, state, off_reason, failing_since,
  CASE WHEN previous_until > $5 THEN previous_until END AS previous_until, created_at, input_hash;

-- webhook-switch-off
-- server/core/webhooks/queries/endpoints.ts
-- $1 reason text, $2 id int4
-- returns: owner_id int4, sandbox bool, label text, host text
WITH off AS (
  UPDATE webhook_endpoints SET state = 'off', off_reason = $1 WHERE id = $2 AND state = 'on'
  RETURNING id, user_id, label, host
), given_up AS (
  UPDATE webhook_deliveries d SET state = 'failed', failure = 'off' FROM off WHERE d.endpoint_id = off.id AND d.state = 'waiting'
)
SELECT COALESCE(u.sandbox_of, u.id) AS owner_id, u.sandbox_of IS NOT NULL AS sandbox, off.label, off.host
FROM off JOIN users u ON u.id = off.user_id;

-- webhook-raise
-- server/core/webhooks/queries/raise.ts
-- $1 event text, $2 subject text, $3 details jsonb, $4 now timestamptz, $5 userId int4
-- returns: raise_hooks bool
SELECT raise_hooks(o.user_id, $1::text, $2::text, NULL, $3::jsonb, $4::timestamptz)
FROM (VALUES ($5::integer)) o (user_id);

-- webhook-list-sealed
-- server/core/webhooks/queries/sealed.ts
-- $1 after int4, $2 limit int8
-- returns: id int4, secret jsonb, previous_secret jsonb
SELECT id, secret, previous_secret FROM webhook_endpoints WHERE id > $1 ORDER BY id LIMIT $2;

-- webhook-reseal
-- server/core/webhooks/queries/sealed.ts
-- $1 fresh jsonb, $2 freshPrevious jsonb, $3 id int4, $4 was jsonb
-- returns: nothing
UPDATE webhook_endpoints SET secret = $1, previous_secret = $2
WHERE id = $3 AND secret = $4::jsonb AND (previous_secret IS NULL) = ($2::jsonb IS NULL);

-- webhook-give-up-late
-- server/core/webhooks/queries/sending.ts
-- $1 before timestamptz, $2 limit int8
-- returns: nothing
UPDATE webhook_deliveries SET state = 'failed', failure = 'late' WHERE id IN (
  SELECT id FROM webhook_deliveries WHERE state = 'waiting' AND next_at < $1 ORDER BY next_at LIMIT $2);

-- webhook-list-busy
-- server/core/webhooks/queries/sending.ts
-- $1 after int4, $2 limit int8
-- returns: endpoint_id int4
WITH RECURSIVE busy AS (
  (SELECT endpoint_id FROM webhook_deliveries WHERE state = 'waiting' AND endpoint_id > $1 ORDER BY endpoint_id LIMIT 1)
  UNION ALL
  SELECT (SELECT d.endpoint_id FROM webhook_deliveries d WHERE d.state = 'waiting' AND d.endpoint_id > busy.endpoint_id
    ORDER BY d.endpoint_id LIMIT 1) FROM busy WHERE busy.endpoint_id IS NOT NULL
)
SELECT endpoint_id FROM busy WHERE endpoint_id IS NOT NULL LIMIT $2;

-- webhook-list-due
-- server/core/webhooks/queries/sending.ts
-- $1 now timestamptz, $2 sending int8[], $3 freeEndpoints int4[], $4 freeHosts text[], $5 playEndpoints int4[], $6 playHosts text[], $7 perEndpoint int8, $8 endpoints int4[], $9 closedHosts text[]
-- returns: id int8, event text, details jsonb, at timestamptz, message_id int8, sender text, text text, code text, received_at timestamptz, sandbox bool, tries int4, round int4, endpoint_id int4, url text, host text, form text, secret jsonb, owner_id int4, cause text, previous_secret jsonb
SELECT d.id, d.event, d.details, d.at, d.message_id,
  CASE WHEN m.body IS NOT NULL THEN m.sender END AS sender, m.body AS text, m.code, m.received_at,
  EXISTS (SELECT FROM users shadow WHERE shadow.id = e.user_id AND shadow.sandbox_of IS NOT NULL) AS sandbox, d.tries, d.round, e.id AS endpoint_id, e.url, e.host, e.form, e.secret,
  COALESCE(u.sandbox_of, u.id) AS owner_id, d.cause,
  CASE WHEN e.previous_until > $1 THEN e.previous_secret END AS previous_secret
FROM webhook_endpoints e JOIN users u ON u.id = e.user_id
CROSS JOIN LATERAL (SELECT w.*, (CASE WHEN u.sandbox_of IS NOT NULL THEN 'play' WHEN w.event = 'test' OR w.round > 0 THEN 'free' ELSE 'paid' END) AS cause FROM webhook_deliveries w
  WHERE w.endpoint_id = e.id AND w.state = 'waiting' AND w.next_at <= $1 AND w.id <> ALL ($2)
    AND NOT CASE (CASE WHEN u.sandbox_of IS NOT NULL THEN 'play' WHEN w.event = 'test' OR w.round > 0 THEN 'free' ELSE 'paid' END) WHEN 'free' THEN e.id = ANY ($3) OR e.host = ANY ($4)
    WHEN 'play' THEN e.id = ANY ($5) OR e.host = ANY ($6) ELSE false END
    AND NOT EXISTS (SELECT FROM webhook_deliveries earlier WHERE earlier.endpoint_id = e.id AND earlier.subject = w.subject
        AND earlier.state = 'waiting' AND earlier.id < w.id)
  ORDER BY w.id LIMIT $7) d
LEFT JOIN messages m ON m.id = d.message_id AND NOT (m.withheld AND m.given = 'late')
  AND d.subject = CASE WHEN m.activation_id IS NOT NULL THEN 'activation:' || m.activation_id ELSE 'rental:' || m.rental_id END
WHERE e.id = ANY ($8) AND e.state = 'on' AND u.blocked_at IS NULL AND u.erased_at IS NULL
  AND (e.rest_until IS NULL OR e.rest_until <= $1) AND e.host <> ALL ($9)
  AND (e.api_key_id IS NULL OR EXISTS (SELECT FROM api_keys k
    WHERE k.id = e.api_key_id AND k.revoked_at IS NULL AND 'read' = ANY (k.scopes)));

-- webhook-rest
-- server/core/webhooks/queries/sending.ts
-- $1 until timestamptz, $2 id int4
-- returns: nothing
UPDATE webhook_endpoints SET rest_until = $1 WHERE id = $2 AND failing_since IS NOT NULL;

-- webhook-settle
-- server/core/webhooks/queries/sending.ts
-- $1 ids int8[], $2 endpointIds int4[], $3 rounds int4[], $4 tries int4[], $5 oks bool[], $6 statuses int4[], $7 failures text[], $8 replies text[], $9 tookMs int4[], $10 ats timestamptz[], $11 nextAts timestamptz[]
-- returns: id int4, failures int4, failing_since timestamptz
WITH tried AS (
  SELECT * FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::integer[], $5::boolean[], $6::integer[], $7::text[],
      $8::text[], $9::integer[], $10::timestamptz[], $11::timestamptz[])
    AS t (id, endpoint_id, round, tries, ok, status, failure, reply, took_ms, at, next_at)
), settled AS (
  UPDATE webhook_deliveries d SET tries = d.tries + 1, tried_at = tried.at, took_ms = tried.took_ms, status = tried.status,
    failure = tried.failure, reply = tried.reply, next_at = COALESCE(tried.next_at, d.next_at),
    state = CASE WHEN tried.ok THEN 'delivered' WHEN tried.next_at IS NULL THEN 'failed' ELSE 'waiting' END
  FROM tried WHERE d.id = tried.id AND d.round = tried.round AND d.tries = tried.tries AND d.state = 'waiting'
  RETURNING d.endpoint_id, tried.ok, tried.at
), told AS (
  SELECT endpoint_id, bool_or(ok) AS ok, count(*) AS failed, min(at) AS at FROM settled GROUP BY endpoint_id
), healthy AS (
  UPDATE webhook_endpoints e SET failures = 0, failing_since = NULL, rest_until = NULL FROM told
  WHERE e.id = told.endpoint_id AND told.ok AND e.failing_since IS NOT NULL
)
UPDATE webhook_endpoints e SET failures = e.failures + told.failed, failing_since = COALESCE(e.failing_since, told.at)
FROM told WHERE e.id = told.endpoint_id AND NOT told.ok
RETURNING e.id, e.failures, e.failing_since;
