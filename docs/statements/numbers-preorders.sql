-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/numbers/preorders/queries/change.ts: preorder-bought, preorder-end-waiting, preorder-hold-again, preorder-insert, preorder-postpone, preorder-postpone-kind, preorder-reserve
-- server/core/numbers/preorders/queries/read.ts: preorder-find, preorder-find-by-key, preorder-list-buyable, preorder-list-kinds, preorder-list-open, preorder-list-overdue, preorder-list-unsettled, preorder-newest-sale, preorder-next-due

-- preorder-bought
-- server/core/numbers/preorders/queries/change.ts
-- $1 now timestamptz, $2 id int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, max_price_micros int8, currency text, state text, activation_id int8, input_hash text, api_key_id int4, created_at timestamptz, deadline_at timestamptz, tries int4, next_try_at timestamptz
WITH bought AS (
  UPDATE preorders p SET state = 'bought', ended_at = $1 FROM activations a
  WHERE p.id = $2 AND p.state = 'buying' AND a.id = p.activation_id AND a.state NOT IN ('reserving', 'failed')
  RETURNING p.id, p.user_id, p.service_code, p.country_id, p.operator_wanted, p.max_price_micros, p.currency, p.state, p.activation_id, p.input_hash, p.api_key_id, p.created_at, p.deadline_at, p.tries, p.next_try_at
), state_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $1, 'preorder.' || state, user_id, id FROM bought
), ends AS (
  SELECT user_id, CASE state WHEN 'bought' THEN 'preorder-bought' ELSE 'preorder-ended' END AS kind,
    jsonb_build_object('serviceCode', service_code, 'countryId', country_id, 'state', state) AS details,
    CASE state WHEN 'bought' THEN '/activations' ELSE '/' END AS link, 'preorder:' || id AS dedupe_key,
    state = 'bought' AND api_key_id IS NULL AND created_at > $1::timestamptz - interval '1 minute' AS by_press
  FROM bought WHERE state IN ('bought', 'expired', 'failed')
), wanted AS (
  SELECT s.*, CASE WHEN s.by_press THEN $1::timestamptz END AS read_at, '{"payment-credited":"payments","payment-disputed":"payments","dispute-ended":"payments","refunded":"payments","balance-low":"payments","rental-ending":"numbers","preorder-bought":"numbers","preorder-ended":"numbers","webhook-off":"numbers","ticket-answer":"support","favorite-price":"prices","new-device":"security","telegram-linked":"security","telegram-unlinked":"security","security-silenced":"security","news":"news"}'::jsonb ->> s.kind AS category,
    ARRAY(SELECT jsonb_array_elements_text(COALESCE(chosen.choices -> ('{"payment-credited":"payments","payment-disputed":"payments","dispute-ended":"payments","refunded":"payments","balance-low":"payments","rental-ending":"numbers","preorder-bought":"numbers","preorder-ended":"numbers","webhook-off":"numbers","ticket-answer":"support","favorite-price":"prices","new-device":"security","telegram-linked":"security","telegram-unlinked":"security","security-silenced":"security","news":"news"}'::jsonb ->> s.kind), '{"payments":["site","push","telegram"],"numbers":["site","mail","push","telegram"],"support":["site","mail","push","telegram"],"prices":["site","push","telegram"],"security":["site","push","telegram"],"news":["site"]}'::jsonb -> ('{"payment-credited":"payments","payment-disputed":"payments","dispute-ended":"payments","refunded":"payments","balance-low":"payments","rental-ending":"numbers","preorder-bought":"numbers","preorder-ended":"numbers","webhook-off":"numbers","ticket-answer":"support","favorite-price":"prices","new-device":"security","telegram-linked":"security","telegram-unlinked":"security","security-silenced":"security","news":"news"}'::jsonb ->> s.kind)))) AS channels
  FROM ends s LEFT JOIN notification_settings chosen ON chosen.user_id = s.user_id
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
SELECT * FROM bought WHERE (SELECT count FROM notify_jobs) >= 0 AND (SELECT raise_hooks(o.user_id, CASE o.state WHEN 'bought' THEN 'preorder.bought' ELSE 'preorder.ended' END, 'preorder:' || o.id, NULL, jsonb_build_object('preorder_id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
    'state', o.state, 'activation_id', o.activation_id), $1::timestamptz) FROM bought o WHERE state IN ('bought', 'expired', 'failed', 'cancelled')) IS NOT FALSE;

-- preorder-end-waiting
-- server/core/numbers/preorders/queries/change.ts
-- $1 id int8, $2 state text, $3 now timestamptz
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, max_price_micros int8, currency text, state text, activation_id int8, input_hash text, api_key_id int4, created_at timestamptz, deadline_at timestamptz, tries int4, next_try_at timestamptz
WITH open AS (
  SELECT p.id, c.id AS charge_id FROM preorders p JOIN charges c ON c.preorder_id = p.id
  WHERE p.id = $1 AND p.state = 'waiting' AND c.money = 'held' AND ($2 = 'cancelled' OR p.deadline_at <= $3) FOR UPDATE
), freed AS (
  UPDATE charges SET money = 'released', settled_at = $3 FROM open WHERE charges.id = open.charge_id
  RETURNING charges.id, charges.user_id, charges.price_micros, charges.currency
), ended AS (
  UPDATE preorders SET state = $2, ended_at = $3 FROM open WHERE preorders.id = open.id
  RETURNING preorders.id, preorders.user_id, preorders.service_code, preorders.country_id, preorders.operator_wanted, preorders.max_price_micros, preorders.currency, preorders.state, preorders.activation_id, preorders.input_hash, preorders.api_key_id, preorders.created_at, preorders.deadline_at, preorders.tries, preorders.next_try_at
), released_account AS (
  UPDATE accounts
  SET available_micros = available_micros + due.micros, held_micros = held_micros - due.micros
  FROM (SELECT user_id, sum(price_micros)::bigint AS micros FROM freed GROUP BY user_id) due
  WHERE accounts.user_id = due.user_id
), released_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, charge_id, at)
  SELECT 'release', user_id, 'held', 'available', price_micros, currency, id, $3 FROM freed
), state_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $3, 'preorder.' || state, user_id, id FROM ended
), ends AS (
  SELECT user_id, CASE state WHEN 'bought' THEN 'preorder-bought' ELSE 'preorder-ended' END AS kind,
    jsonb_build_object('serviceCode', service_code, 'countryId', country_id, 'state', state) AS details,
    CASE state WHEN 'bought' THEN '/activations' ELSE '/' END AS link, 'preorder:' || id AS dedupe_key,
    state = 'bought' AND api_key_id IS NULL AND created_at > $3::timestamptz - interval '1 minute' AS by_press
  FROM ended WHERE state IN ('bought', 'expired', 'failed')
), wanted AS (
  SELECT s.*, CASE WHEN s.by_press THEN $3::timestamptz END AS read_at, '{"payment-credited":"payments","payment-disputed":"payments","dispute-ended":"payments","refunded":"payments","balance-low":"payments","rental-ending":"numbers","preorder-bought":"numbers","preorder-ended":"numbers","webhook-off":"numbers","ticket-answer":"support","favorite-price":"prices","new-device":"security","telegram-linked":"security","telegram-unlinked":"security","security-silenced":"security","news":"news"}'::jsonb ->> s.kind AS category,
    ARRAY(SELECT jsonb_array_elements_text(COALESCE(chosen.choices -> ('{"payment-credited":"payments","payment-disputed":"payments","dispute-ended":"payments","refunded":"payments","balance-low":"payments","rental-ending":"numbers","preorder-bought":"numbers","preorder-ended":"numbers","webhook-off":"numbers","ticket-answer":"support","favorite-price":"prices","new-device":"security","telegram-linked":"security","telegram-unlinked":"security","security-silenced":"security","news":"news"}'::jsonb ->> s.kind), '{"payments":["site","push","telegram"],"numbers":["site","mail","push","telegram"],"support":["site","mail","push","telegram"],"prices":["site","push","telegram"],"security":["site","push","telegram"],"news":["site"]}'::jsonb -> ('{"payment-credited":"payments","payment-disputed":"payments","dispute-ended":"payments","refunded":"payments","balance-low":"payments","rental-ending":"numbers","preorder-bought":"numbers","preorder-ended":"numbers","webhook-off":"numbers","ticket-answer":"support","favorite-price":"prices","new-device":"security","telegram-linked":"security","telegram-unlinked":"security","security-silenced":"security","news":"news"}'::jsonb ->> s.kind)))) AS channels
  FROM ends s LEFT JOIN notification_settings chosen ON chosen.user_id = s.user_id
  WHERE NOT EXISTS (SELECT FROM users shadow WHERE shadow.id = s.user_id AND shadow.sandbox_of IS NOT NULL)
), notified AS (
  INSERT INTO notifications (user_id, category, kind, details, link, dedupe_key, channels, created_at, read_at)
  SELECT user_id, category, kind, details, link, dedupe_key, channels, $3, read_at FROM wanted WHERE channels <> '{}'
  ON CONFLICT ON CONSTRAINT notifications_once DO NOTHING
  RETURNING id, user_id
), notify_jobs AS (
  SELECT count(graphile_worker.add_job('tell-notification', json_build_object('id', id::text), max_attempts := 5))
  FROM notified
)
SELECT * FROM ended WHERE (SELECT count FROM notify_jobs) >= 0 AND (SELECT raise_hooks(o.user_id, CASE o.state WHEN 'bought' THEN 'preorder.bought' ELSE 'preorder.ended' END, 'preorder:' || o.id, NULL, jsonb_build_object('preorder_id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
    'state', o.state, 'activation_id', o.activation_id), $3::timestamptz) FROM ended o WHERE state IN ('bought', 'expired', 'failed', 'cancelled')) IS NOT FALSE;

-- preorder-hold-again
-- server/core/numbers/preorders/queries/change.ts
-- $1 now timestamptz, $2 id int8, $3 nextTryAt timestamptz
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, max_price_micros int8, currency text, state text, activation_id int8, input_hash text, api_key_id int4, created_at timestamptz, deadline_at timestamptz, tries int4, next_try_at timestamptz
WITH over AS (
  SELECT p.id, p.user_id, p.max_price_micros, p.currency, p.deadline_at > $1 AS in_time
  FROM preorders p JOIN activations a ON a.id = p.activation_id
  WHERE p.id = $2 AND p.state = 'buying' AND a.state = 'failed' FOR UPDATE OF p
), payer AS (
  UPDATE accounts SET available_micros = available_micros - over.max_price_micros,
    held_micros = held_micros + over.max_price_micros
  FROM over WHERE accounts.user_id = over.user_id AND accounts.currency = over.currency AND over.in_time
    AND available_micros >= over.max_price_micros AND debt_micros = 0
  RETURNING accounts.user_id
), settled AS (
  UPDATE preorders SET activation_id = NULL, tries = tries + 1, next_try_at = $3,
    state = CASE WHEN EXISTS (SELECT FROM payer) THEN 'waiting' WHEN over.in_time THEN 'failed' ELSE 'expired' END,
    ended_at = CASE WHEN EXISTS (SELECT FROM payer) THEN NULL ELSE $1 END
  FROM over WHERE preorders.id = over.id
  RETURNING preorders.id, preorders.user_id, preorders.service_code, preorders.country_id, preorders.operator_wanted, preorders.max_price_micros, preorders.currency, preorders.state, preorders.activation_id, preorders.input_hash, preorders.api_key_id, preorders.created_at, preorders.deadline_at, preorders.tries, preorders.next_try_at
), held_again AS (SELECT * FROM settled WHERE state = 'waiting'),
charge AS (
  INSERT INTO charges (user_id, purpose, preorder_id, price_micros, currency, money, created_at)
  SELECT user_id, 'preorder', id, max_price_micros, currency, 'held', $1 FROM held_again
  RETURNING id, user_id, price_micros, currency
), hold_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, charge_id, at)
  SELECT 'hold', user_id, 'available', 'held', price_micros, currency, id, $1 FROM charge
), state_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $1, 'preorder.' || state, user_id, id FROM settled
), ends AS (
  SELECT user_id, CASE state WHEN 'bought' THEN 'preorder-bought' ELSE 'preorder-ended' END AS kind,
    jsonb_build_object('serviceCode', service_code, 'countryId', country_id, 'state', state) AS details,
    CASE state WHEN 'bought' THEN '/activations' ELSE '/' END AS link, 'preorder:' || id AS dedupe_key,
    state = 'bought' AND api_key_id IS NULL AND created_at > $1::timestamptz - interval '1 minute' AS by_press
  FROM settled WHERE state IN ('bought', 'expired', 'failed')
), wanted AS (
  SELECT s.*, CASE WHEN s.by_press THEN $1::timestamptz END AS read_at, '{"payment-credited":"payments","payment-disputed":"payments","dispute-ended":"payments","refunded":"payments","balance-low":"payments","rental-ending":"numbers","preorder-bought":"numbers","preorder-ended":"numbers","webhook-off":"numbers","ticket-answer":"support","favorite-price":"prices","new-device":"security","telegram-linked":"security","telegram-unlinked":"security","security-silenced":"security","news":"news"}'::jsonb ->> s.kind AS category,
    ARRAY(SELECT jsonb_array_elements_text(COALESCE(chosen.choices -> ('{"payment-credited":"payments","payment-disputed":"payments","dispute-ended":"payments","refunded":"payments","balance-low":"payments","rental-ending":"numbers","preorder-bought":"numbers","preorder-ended":"numbers","webhook-off":"numbers","ticket-answer":"support","favorite-price":"prices","new-device":"security","telegram-linked":"security","telegram-unlinked":"security","security-silenced":"security","news":"news"}'::jsonb ->> s.kind), '{"payments":["site","push","telegram"],"numbers":["site","mail","push","telegram"],"support":["site","mail","push","telegram"],"prices":["site","push","telegram"],"security":["site","push","telegram"],"news":["site"]}'::jsonb -> ('{"payment-credited":"payments","payment-disputed":"payments","dispute-ended":"payments","refunded":"payments","balance-low":"payments","rental-ending":"numbers","preorder-bought":"numbers","preorder-ended":"numbers","webhook-off":"numbers","ticket-answer":"support","favorite-price":"prices","new-device":"security","telegram-linked":"security","telegram-unlinked":"security","security-silenced":"security","news":"news"}'::jsonb ->> s.kind)))) AS channels
  FROM ends s LEFT JOIN notification_settings chosen ON chosen.user_id = s.user_id
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
SELECT * FROM settled WHERE (SELECT count FROM notify_jobs) >= 0 AND (SELECT raise_hooks(o.user_id, CASE o.state WHEN 'bought' THEN 'preorder.bought' ELSE 'preorder.ended' END, 'preorder:' || o.id, NULL, jsonb_build_object('preorder_id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
    'state', o.state, 'activation_id', o.activation_id), $1::timestamptz) FROM settled o WHERE state IN ('bought', 'expired', 'failed', 'cancelled')) IS NOT FALSE;

-- preorder-insert
-- server/core/numbers/preorders/queries/change.ts
-- $1 priceMicros int8, $2 userId int4, $3 currency text, $4 idempotencyKey text, $5 serviceCode text, $6 countryId int4, $7 now timestamptz, $8 apiKeyId int4, $9 openLimit int8, $10 operatorWanted text, $11 inputHash text, $12 deadlineAt timestamptz
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, max_price_micros int8, currency text, state text, activation_id int8, input_hash text, api_key_id int4, created_at timestamptz, deadline_at timestamptz, tries int4, next_try_at timestamptz
WITH payer AS (
  UPDATE accounts
  SET available_micros = available_micros - $1, held_micros = held_micros + $1
  WHERE user_id = $2 AND currency = $3 AND available_micros >= $1 AND debt_micros = 0
    AND NOT EXISTS (SELECT FROM users WHERE id = $2 AND blocked_at IS NOT NULL)
    AND NOT (EXISTS (SELECT FROM preorders WHERE user_id = $2 AND idempotency_key = $4)
        OR (EXISTS (SELECT FROM services WHERE code = $5 AND blocked_at IS NOT NULL)
            OR EXISTS (SELECT FROM purchase_pauses WHERE user_id = $2 AND service_code = $5
                AND country_id = $6 AND until > $7)) OR ($8::integer IS NOT NULL AND key_refuses($8::integer, $1::bigint, $7::timestamptz, NULL))
        OR (SELECT count(*) FROM preorders WHERE user_id = $2 AND state IN ('waiting', 'buying')) >= $9)
  RETURNING user_id
), made AS (
  INSERT INTO preorders (user_id, service_code, country_id, operator_wanted, max_price_micros, currency, state,
      idempotency_key, input_hash, created_at, api_key_id, deadline_at, next_try_at)
  SELECT user_id, $5, $6, $10, $1, $3, 'waiting', $4, $11, $7, $8, $12, GREATEST($7, (SELECT max(next_try_at) FROM preorders
    WHERE state = 'waiting' AND service_code = $5 AND country_id = $6 AND operator_wanted IS NOT DISTINCT FROM $10 AND tries > 0))
  FROM payer
  RETURNING id, user_id, service_code, country_id, operator_wanted, max_price_micros, currency, state, activation_id, input_hash, api_key_id, created_at, deadline_at, tries, next_try_at
), charge AS (
  INSERT INTO charges (user_id, purpose, preorder_id, price_micros, currency, money, created_at)
  SELECT user_id, 'preorder', id, max_price_micros, currency, 'held', $7 FROM made
  RETURNING id, user_id, price_micros, currency
), hold_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, charge_id, at)
  SELECT 'hold', user_id, 'available', 'held', price_micros, currency, id, $7 FROM charge
), state_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $7, 'preorder.' || state, user_id, id FROM made
)
SELECT * FROM made;

-- preorder-postpone
-- server/core/numbers/preorders/queries/change.ts
-- $1 id int8, $2 until timestamptz
-- returns: nothing
UPDATE preorders SET next_try_at = $2 WHERE id = $1 AND state = 'waiting';

-- preorder-postpone-kind
-- server/core/numbers/preorders/queries/change.ts
-- $1 next_try_at timestamptz, $2 service_code text, $3 country_id int4, $4 operator_wanted text
-- returns: nothing
UPDATE preorders SET next_try_at = $1 WHERE state = 'waiting' AND service_code = $2 AND country_id = $3
  AND operator_wanted IS NOT DISTINCT FROM $4 AND next_try_at < $1;

-- preorder-reserve
-- server/core/numbers/preorders/queries/change.ts
-- $1 preorderId int8, $2 userId int4, $3 now timestamptz, $4 priceMicros int8, $5 currency text, $6 serviceCode text, $7 countryId int4, $8 openLimit int4, $9 dayLimit int8, $10 apiKeyId int4, $11 operatorWanted text, $12 supplierId int4, $13 channel text, $14 idempotencyKey text, $15 inputHash text, $16 expiresAt timestamptz, $17 costLimitMicros int8, $18 costCurrency text, $19 excludedPrefixes text[], $20 repeatOf int8, $21 promotionId int4, $22 nodeId int8, $23 route text
-- returns: id int8
WITH earlier AS (
  SELECT p.user_id, c.id AS charge_id, c.price_micros FROM preorders p JOIN charges c ON c.preorder_id = p.id
  WHERE p.id = $1 AND p.user_id = $2 AND p.state = 'waiting' AND p.deadline_at > $3 AND c.money = 'held'
    AND c.price_micros >= $4
  FOR UPDATE
), payer AS (
  UPDATE accounts
  SET available_micros = available_micros + earlier.price_micros - $4,
    held_micros = held_micros - earlier.price_micros + $4
  FROM earlier
  WHERE accounts.user_id = $2 AND earlier.user_id = $2 AND accounts.currency = $5
    AND available_micros + earlier.price_micros >= $4 AND debt_micros = 0
    AND NOT EXISTS (SELECT FROM users WHERE id = $2 AND blocked_at IS NOT NULL)
    AND NOT ((EXISTS (SELECT FROM services WHERE code = $6 AND blocked_at IS NOT NULL)
        OR EXISTS (SELECT FROM purchase_pauses WHERE user_id = $2 AND service_code = $6
            AND country_id = $7 AND until > $3)) OR (purchase_limit_reached($2, $4::bigint, $3::timestamptz, COALESCE(accounts.open_numbers_limit, $8::integer), COALESCE(accounts.day_spend_limit_micros, $9::bigint), NULL) IS NOT NULL) OR ($10::integer IS NOT NULL AND key_refuses($10::integer, $4::bigint, $3::timestamptz, NULL)))
  RETURNING accounts.user_id
), freed AS (
  UPDATE charges SET money = 'released', settled_at = $3 FROM payer, earlier WHERE charges.id = earlier.charge_id
  RETURNING charges.id, charges.user_id, charges.price_micros, charges.currency
), made AS (
  INSERT INTO activations (user_id, service_code, country_id, operator_wanted, state, money, price_micros, currency,
      supplier_id, channel, idempotency_key, input_hash, created_at, expires_at, cost_limit_micros, cost_currency,
      excluded_prefixes, repeat_of, api_key_id, promotion_id, node_id)
  SELECT user_id, $6, $7, $11, 'reserving', 'held', $4, $5,
    $12, $13, $14, $15, $3, $16, $17, $18,
    $19, $20, $10, $21, $22
  FROM payer
  RETURNING id, user_id, price_micros, currency
), routed AS (
  INSERT INTO events (at, kind, user_id, subject_id, data)
  SELECT $3, 'activation.routed', user_id, id, jsonb_build_object('why', $23::text) FROM made WHERE $23::text IS NOT NULL
), bound AS (
  UPDATE preorders SET state = 'buying', activation_id = made.id FROM made WHERE preorders.id = $1
  RETURNING preorders.id, preorders.user_id, preorders.service_code, preorders.country_id, preorders.operator_wanted, preorders.max_price_micros, preorders.currency, preorders.state, preorders.activation_id, preorders.input_hash, preorders.api_key_id, preorders.created_at, preorders.deadline_at, preorders.tries, preorders.next_try_at
), instead_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, charge_id, at)
  SELECT kind, user_id, from_account, to_account, price_micros, currency, activation_id, charge_id, $3
  FROM (
    SELECT 1 AS place, 'release' AS kind, 'held' AS from_account, 'available' AS to_account, user_id, price_micros,
      currency, NULL::bigint AS activation_id, id AS charge_id FROM freed
    UNION ALL
    SELECT 2, 'hold', 'available', 'held', user_id, price_micros, currency, id, NULL FROM made
  ) moves ORDER BY place
), state_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $3, 'preorder.' || state, user_id, id FROM bound
)
SELECT id FROM made;

-- preorder-find
-- server/core/numbers/preorders/queries/read.ts
-- $1 id int8, $2 userId int4
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, max_price_micros int8, currency text, state text, activation_id int8, input_hash text, api_key_id int4, created_at timestamptz, deadline_at timestamptz, tries int4, next_try_at timestamptz
SELECT id, user_id, service_code, country_id, operator_wanted, max_price_micros, currency, state, activation_id, input_hash, api_key_id, created_at, deadline_at, tries, next_try_at FROM preorders WHERE id = $1 AND user_id = $2;

-- preorder-find-by-key
-- server/core/numbers/preorders/queries/read.ts
-- $1 userId int4, $2 key text
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, max_price_micros int8, currency text, state text, activation_id int8, input_hash text, api_key_id int4, created_at timestamptz, deadline_at timestamptz, tries int4, next_try_at timestamptz
SELECT id, user_id, service_code, country_id, operator_wanted, max_price_micros, currency, state, activation_id, input_hash, api_key_id, created_at, deadline_at, tries, next_try_at FROM preorders WHERE user_id = $1 AND idempotency_key = $2;

-- preorder-list-buyable
-- server/core/numbers/preorders/queries/read.ts
-- $1 serviceCodes text[], $2 countryIds int4[], $3 currencies text[], $4 operators text[], $5 prices int8[], $6 now timestamptz, $7 limit int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, max_price_micros int8, currency text, state text, activation_id int8, input_hash text, api_key_id int4, created_at timestamptz, deadline_at timestamptz, tries int4, next_try_at timestamptz
SELECT p.id, p.user_id, p.service_code, p.country_id, p.operator_wanted, p.max_price_micros, p.currency, p.state, p.activation_id, p.input_hash, p.api_key_id, p.created_at, p.deadline_at, p.tries, p.next_try_at
FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::bigint[])
  AS kind (service_code, country_id, currency, operator_wanted, price_micros)
JOIN preorders p USING (service_code, country_id, currency)
WHERE p.state = 'waiting' AND p.next_try_at <= $6 AND p.deadline_at > $6
  AND p.operator_wanted IS NOT DISTINCT FROM kind.operator_wanted AND p.max_price_micros >= kind.price_micros
ORDER BY p.id LIMIT $7;

-- preorder-list-kinds
-- server/core/numbers/preorders/queries/read.ts
-- $1 now timestamptz
-- returns: service_code text, country_id int4, currency text, operator_wanted text
SELECT DISTINCT service_code, country_id, currency, operator_wanted FROM preorders
WHERE state = 'waiting' AND next_try_at <= $1;

-- preorder-list-open
-- server/core/numbers/preorders/queries/read.ts
-- $1 userId int4
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, max_price_micros int8, currency text, state text, activation_id int8, input_hash text, api_key_id int4, created_at timestamptz, deadline_at timestamptz, tries int4, next_try_at timestamptz
SELECT id, user_id, service_code, country_id, operator_wanted, max_price_micros, currency, state, activation_id, input_hash, api_key_id, created_at, deadline_at, tries, next_try_at FROM preorders WHERE user_id = $1 AND state IN ('waiting', 'buying') ORDER BY id DESC;

-- preorder-list-overdue
-- server/core/numbers/preorders/queries/read.ts
-- $1 now timestamptz, $2 limit int8
-- returns: id int8
SELECT id FROM preorders WHERE state = 'waiting' AND deadline_at <= $1 ORDER BY deadline_at LIMIT $2;

-- preorder-list-unsettled
-- server/core/numbers/preorders/queries/read.ts
-- $1 before timestamptz, $2 limit int8
-- returns: id int8, tries int4
SELECT p.id, p.tries FROM preorders p JOIN activations a ON a.id = p.activation_id
WHERE p.state = 'buying' AND a.state <> 'reserving' AND a.created_at <= $1 ORDER BY p.id LIMIT $2;

-- preorder-newest-sale
-- server/core/numbers/preorders/queries/read.ts
-- $1 serviceCode text, $2 countryId int4, $3 currency text, $4 operator text
-- returns: price_micros int8, at timestamptz
SELECT price_micros, outcome_at AS at FROM (
  SELECT * FROM activations WHERE outcome_at IS NOT NULL ORDER BY outcome_at DESC LIMIT 5000
) newest
WHERE service_code = $1 AND country_id = $2 AND currency = $3 AND money = 'captured' AND supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox)
  AND ($4::text IS NULL OR operator = $4)
ORDER BY outcome_at DESC LIMIT 1;

-- preorder-next-due
-- server/core/numbers/preorders/queries/read.ts
-- $1 now timestamptz
-- returns: due_at timestamptz, buying bool
SELECT LEAST((SELECT min(next_try_at) FROM preorders WHERE state = 'waiting' AND next_try_at > $1),
  (SELECT min(deadline_at) FROM preorders WHERE state = 'waiting')) AS due_at,
  EXISTS (SELECT FROM preorders WHERE state = 'buying') AS buying;
