-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/numbers/activations/queries/end.ts: activation-again, activation-end-cancelled, activation-end-expired, activation-finish, activation-take-back-again
-- server/core/numbers/activations/queries/not-mine.ts: activation-find-charge, activation-insert-not-mine, activation-lock-reported, activation-report-is-free
-- server/core/numbers/activations/queries/past.ts: activation-list-between
-- server/core/numbers/activations/queries/purchase.ts: activation-fail, activation-list-orphans, activation-next-attempt, activation-reserve, activation-reserve-routed, activation-settle, activation-take-over
-- server/core/numbers/activations/queries/read.ts: activation-find, activation-find-any, activation-find-by-key, activation-is-held, activation-list-active-expiring, activation-list-active-newest, activation-list-active-oldest, activation-status
-- server/core/numbers/activations/queries/replace.ts: activation-reserve-replacing
-- server/core/numbers/activations/queries/sell-stock.ts: activation-sell-stock
-- server/core/numbers/activations/queries/sms.ts: activation-give-sms, activation-open-notices, activation-store-sms, activation-store-sms-for-only-holder
-- server/core/numbers/activations/queries/used.ts: activation-end-unusable, activation-end-used, activation-used-bars-all

-- activation-again
-- server/core/numbers/activations/queries/end.ts
-- $1 now timestamptz, $2 id int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, money text, price_micros int8, currency text, supplier_id int4, attempt int4, supplier_reference text, phone text, code text, sms_count int4, again_asked_at timestamptz, notice_at timestamptz, cost_limit_micros int8, excluded_prefixes text[], repeat_of int8, idempotency_key text, input_hash text, created_at timestamptz, expires_at timestamptz, ended_at timestamptz
WITH asked AS (
  UPDATE activations SET state = 'waiting_again', again_asked_at = $1
  WHERE id = $2 AND state IN ('received') AND expires_at > $1
  RETURNING id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
    supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
    idempotency_key, input_hash, created_at, expires_at, ended_at
), state_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $1, 'activation.' || state, user_id, id FROM asked
)
SELECT * FROM asked;

-- activation-end-cancelled
-- server/core/numbers/activations/queries/end.ts
-- $1 now timestamptz, $2 id int8, $3 createdBefore timestamptz
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, money text, price_micros int8, currency text, supplier_id int4, attempt int4, supplier_reference text, phone text, code text, sms_count int4, again_asked_at timestamptz, notice_at timestamptz, cost_limit_micros int8, excluded_prefixes text[], repeat_of int8, idempotency_key text, input_hash text, created_at timestamptz, expires_at timestamptz, ended_at timestamptz
WITH ended AS (
  UPDATE activations SET state = 'cancelled', money = 'released', ended_at = $1, outcome_at = $1
  WHERE id = $2 AND state IN ('waiting') AND created_at <= $3
  RETURNING id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
    supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
    idempotency_key, input_hash, created_at, expires_at, ended_at
), released_account AS (
  UPDATE accounts
  SET available_micros = available_micros + due.micros, held_micros = held_micros - due.micros
  FROM (SELECT user_id, sum(price_micros)::bigint AS micros FROM ended GROUP BY user_id) due
  WHERE accounts.user_id = due.user_id
), released_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
  SELECT 'release', user_id, 'held', 'available', price_micros, currency, id, $1 FROM ended
), state_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $1, 'activation.' || state, user_id, id FROM ended
)
SELECT ended.* FROM ended WHERE (SELECT bool_and(queue_job('end-number', json_build_object('activationId', o.id::text), 25,
    CASE WHEN o.supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox) THEN 0 ELSE 10 END) IS NOT NULL AND (o.state = 'finished' OR raise_hooks(o.user_id, CASE o.state WHEN 'expired' THEN 'activation.expired' ELSE 'activation.cancelled' END, 'activation:' || o.id, NULL, jsonb_build_object('order', 'activation', 'id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
        'phone', o.phone, 'state', o.state, 'price_micros', o.price_micros::text, 'currency', o.currency), $1::timestamptz))) FROM ended o);

-- activation-end-expired
-- server/core/numbers/activations/queries/end.ts
-- $1 now timestamptz, $2 play bool, $3 limit int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, money text, price_micros int8, currency text, supplier_id int4, attempt int4, supplier_reference text, phone text, code text, sms_count int4, again_asked_at timestamptz, notice_at timestamptz, cost_limit_micros int8, excluded_prefixes text[], repeat_of int8, idempotency_key text, input_hash text, created_at timestamptz, expires_at timestamptz, ended_at timestamptz
WITH due AS (
  SELECT id FROM activations
  WHERE expires_at <= $1 AND state IN ('waiting', 'received', 'waiting_again') AND (supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox)) <> $2::boolean
  ORDER BY expires_at LIMIT $3 FOR UPDATE SKIP LOCKED
), ended AS (
  UPDATE activations a
  SET state = CASE WHEN a.state = 'waiting' THEN 'expired' ELSE 'finished' END,
    money = CASE WHEN a.state = 'waiting' THEN 'released' ELSE a.money END,
    ended_at = $1, outcome_at = COALESCE(a.outcome_at, $1)
  FROM due WHERE a.id = due.id
  RETURNING a.id, a.user_id, a.service_code, a.country_id, a.operator_wanted, a.operator, a.state, a.money, a.price_micros, a.currency,
    a.supplier_id, a.attempt, a.supplier_reference, a.phone, a.code, a.sms_count, a.again_asked_at, a.notice_at, a.cost_limit_micros, a.excluded_prefixes, a.repeat_of,
    a.idempotency_key, a.input_hash, a.created_at, a.expires_at, a.ended_at
), unpaid AS (SELECT * FROM ended WHERE state = 'expired'),
released_account AS (
  UPDATE accounts
  SET available_micros = available_micros + due.micros, held_micros = held_micros - due.micros
  FROM (SELECT user_id, sum(price_micros)::bigint AS micros FROM unpaid GROUP BY user_id) due
  WHERE accounts.user_id = due.user_id
), released_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
  SELECT 'release', user_id, 'held', 'available', price_micros, currency, id, $1 FROM unpaid
), state_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $1, 'activation.' || state, user_id, id FROM ended
)
SELECT ended.* FROM ended WHERE (SELECT bool_and(queue_job('end-number', json_build_object('activationId', o.id::text), 25,
    CASE WHEN o.supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox) THEN 0 ELSE 10 END) IS NOT NULL AND (o.state = 'finished' OR raise_hooks(o.user_id, CASE o.state WHEN 'expired' THEN 'activation.expired' ELSE 'activation.cancelled' END, 'activation:' || o.id, NULL, jsonb_build_object('order', 'activation', 'id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
        'phone', o.phone, 'state', o.state, 'price_micros', o.price_micros::text, 'currency', o.currency), $1::timestamptz))) FROM ended o);

-- activation-finish
-- server/core/numbers/activations/queries/end.ts
-- $1 now timestamptz, $2 id int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, money text, price_micros int8, currency text, supplier_id int4, attempt int4, supplier_reference text, phone text, code text, sms_count int4, again_asked_at timestamptz, notice_at timestamptz, cost_limit_micros int8, excluded_prefixes text[], repeat_of int8, idempotency_key text, input_hash text, created_at timestamptz, expires_at timestamptz, ended_at timestamptz
WITH ended AS (
  UPDATE activations SET state = 'finished', ended_at = $1
  WHERE id = $2 AND state IN ('received', 'waiting_again')
  RETURNING id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
    supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
    idempotency_key, input_hash, created_at, expires_at, ended_at
), state_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $1, 'activation.' || state, user_id, id FROM ended
)
SELECT ended.* FROM ended WHERE (SELECT bool_and(queue_job('end-number', json_build_object('activationId', o.id::text), 25,
    CASE WHEN o.supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox) THEN 0 ELSE 10 END) IS NOT NULL AND (o.state = 'finished' OR raise_hooks(o.user_id, CASE o.state WHEN 'expired' THEN 'activation.expired' ELSE 'activation.cancelled' END, 'activation:' || o.id, NULL, jsonb_build_object('order', 'activation', 'id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
        'phone', o.phone, 'state', o.state, 'price_micros', o.price_micros::text, 'currency', o.currency), $1::timestamptz))) FROM ended o);

-- activation-take-back-again
-- server/core/numbers/activations/queries/end.ts
-- $1 id int8, $2 askedAt timestamptz
-- returns: nothing
UPDATE activations SET state = 'received' WHERE id = $1 AND state = 'waiting_again' AND again_asked_at = $2;

-- activation-find-charge
-- server/core/numbers/activations/queries/not-mine.ts
-- $1 id int8
-- returns: messageId int8, sender text, given text, reported bool
SELECT m.id AS "messageId", m.sender, m.given,
  EXISTS (SELECT FROM used_reports WHERE activation_id = $1 AND message_id IS NOT NULL) AS reported
FROM (VALUES (0)) one (row) LEFT JOIN LATERAL (SELECT id, sender, given FROM messages
  WHERE activation_id = $1 AND given NOT IN ('late', 'notice', 'folded')
  ORDER BY given <> 'opened', id LIMIT 1) m ON true;

-- activation-insert-not-mine
-- server/core/numbers/activations/queries/not-mine.ts
-- $1 now timestamptz, $2 messageId int8, $3 id int8
-- returns: nothing
INSERT INTO used_reports (activation_id, user_id, service_code, country_id, phone, by_supplier, weighed, bars_all,
    reported_at, message_id)
SELECT id, user_id, service_code, country_id, phone, false, false, false, $1, $2 FROM activations WHERE id = $3;

-- activation-lock-reported
-- server/core/numbers/activations/queries/not-mine.ts
-- $1 id int8, $2 userId int4
-- returns: id int8, user_id int4, service_code text, country_id int4, state text
WITH wanted AS (
  SELECT id, user_id, service_code, country_id, state FROM activations WHERE id = $1 AND user_id = $2 FOR UPDATE
) SELECT wanted.* FROM wanted JOIN accounts USING (user_id) FOR UPDATE OF accounts;

-- activation-report-is-free
-- server/core/numbers/activations/queries/not-mine.ts
-- $1 user_id int4, $2 service_code text, $3 country_id int4, $4 now timestamptz, $5 least int4, $6 percent int4, $7 inARow int4, $8 id int8
-- returns: free bool
SELECT used_is_free($1, $2, $3, $4, $5, $6, $7) AND NOT EXISTS (
  SELECT FROM (SELECT reported_at FROM used_reports
    WHERE user_id = $1 AND NOT by_supplier AND reported_at > $4::timestamptz - interval '24 hours'
    ORDER BY reported_at DESC OFFSET $7 - 1 LIMIT 1) first
  WHERE NOT EXISTS (SELECT FROM activations a WHERE a.user_id = $1 AND a.id <> $8
      AND a.created_at > first.reported_at - interval '24 hours' AND a.first_code_at > first.reported_at
      AND NOT EXISTS (SELECT FROM used_reports r WHERE r.activation_id = a.id))) AS free;

-- activation-list-between
-- server/core/numbers/activations/queries/past.ts
-- $1 userId int4, $2 since timestamptz, $3 until timestamptz, $4 limit int8, $5 offset int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, money text, price_micros int8, currency text, supplier_id int4, attempt int4, supplier_reference text, phone text, code text, sms_count int4, again_asked_at timestamptz, notice_at timestamptz, cost_limit_micros int8, excluded_prefixes text[], repeat_of int8, idempotency_key text, input_hash text, created_at timestamptz, expires_at timestamptz, ended_at timestamptz
SELECT id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
  supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
  idempotency_key, input_hash, created_at, expires_at, ended_at FROM activations
WHERE user_id = $1 AND created_at >= $2 AND created_at <= $3 AND state NOT IN ('failed', 'reserving')
ORDER BY created_at DESC, id DESC LIMIT $4 OFFSET $5;

-- activation-fail
-- server/core/numbers/activations/queries/purchase.ts
-- $1 now timestamptz, $2 id int8, $3 nodeId int8, $4 abandon bool
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, money text, price_micros int8, currency text, supplier_id int4, attempt int4, supplier_reference text, phone text, code text, sms_count int4, again_asked_at timestamptz, notice_at timestamptz, cost_limit_micros int8, excluded_prefixes text[], repeat_of int8, idempotency_key text, input_hash text, created_at timestamptz, expires_at timestamptz, ended_at timestamptz
WITH failed AS (
  UPDATE activations SET state = 'failed', money = 'released', ended_at = $1,
    idempotency_key = CASE WHEN channel = 'handler_api' THEN NULL ELSE idempotency_key END
  WHERE id = $2 AND node_id = $3 AND state IN ('reserving')
  RETURNING id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
    supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
    idempotency_key, input_hash, created_at, expires_at, ended_at
), released_account AS (
  UPDATE accounts
  SET available_micros = available_micros + due.micros, held_micros = held_micros - due.micros
  FROM (SELECT user_id, sum(price_micros)::bigint AS micros FROM failed GROUP BY user_id) due
  WHERE accounts.user_id = due.user_id
), released_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
  SELECT 'release', user_id, 'held', 'available', price_micros, currency, id, $1 FROM failed
), state_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $1, 'activation.' || state, user_id, id FROM failed
), abandoned AS (
  SELECT queue_job('abandon-attempt', json_build_object('supplierId', supplier_id, 'reference', id || '-' || attempt), 25)
  FROM failed WHERE $4
)
SELECT failed.* FROM failed WHERE (SELECT count(*) FROM abandoned) >= 0;

-- activation-list-orphans
-- server/core/numbers/activations/queries/purchase.ts
-- $1 nodeId int8, $2 before timestamptz, $3 afterAt timestamptz, $4 afterId int8, $5 limit int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, money text, price_micros int8, currency text, supplier_id int4, attempt int4, supplier_reference text, phone text, code text, sms_count int4, again_asked_at timestamptz, notice_at timestamptz, cost_limit_micros int8, excluded_prefixes text[], repeat_of int8, idempotency_key text, input_hash text, created_at timestamptz, expires_at timestamptz, ended_at timestamptz
SELECT id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
  supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
  idempotency_key, input_hash, created_at, expires_at, ended_at FROM activations
WHERE state = 'reserving' AND node_id = $1 AND created_at <= $2 AND (created_at, id) > ($3, $4)
ORDER BY created_at, id LIMIT $5;

-- activation-next-attempt
-- server/core/numbers/activations/queries/purchase.ts
-- $1 id int8, $2 attempt int4, $3 nodeId int8, $4 now timestamptz, $5 abandon bool, $6 supplierId int4, $7 costLimitMicros int8, $8 costCurrency text
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, money text, price_micros int8, currency text, supplier_id int4, attempt int4, supplier_reference text, phone text, code text, sms_count int4, again_asked_at timestamptz, notice_at timestamptz, cost_limit_micros int8, excluded_prefixes text[], repeat_of int8, idempotency_key text, input_hash text, created_at timestamptz, expires_at timestamptz, ended_at timestamptz
WITH left_behind AS (
  SELECT id, user_id, supplier_id, attempt FROM activations WHERE id = $1 AND state = 'reserving' AND attempt = $2 AND node_id = $3 FOR UPDATE
), attempt_event AS (
  INSERT INTO events (at, kind, user_id, subject_id, data)
  SELECT $4, 'activation.attempt-left', user_id, id, jsonb_build_object('attempt', attempt, 'unknown', $5::boolean,
      'supplier', (SELECT code FROM suppliers WHERE suppliers.id = left_behind.supplier_id))
  FROM left_behind
), abandoned AS (
  SELECT queue_job('abandon-attempt', json_build_object('supplierId', supplier_id, 'reference', id || '-' || attempt), 25)
  FROM left_behind WHERE $5
)
UPDATE activations SET attempt = activations.attempt + 1, supplier_id = $6, cost_limit_micros = $7,
  cost_currency = $8
FROM left_behind WHERE activations.id = left_behind.id AND (SELECT count(*) FROM abandoned) >= 0
RETURNING activations.id, activations.user_id, activations.service_code, activations.country_id, activations.operator_wanted, activations.operator, activations.state, activations.money, activations.price_micros, activations.currency,
  activations.supplier_id, activations.attempt, activations.supplier_reference, activations.phone, activations.code, activations.sms_count, activations.again_asked_at, activations.notice_at, activations.cost_limit_micros, activations.excluded_prefixes, activations.repeat_of,
  activations.idempotency_key, activations.input_hash, activations.created_at, activations.expires_at, activations.ended_at;

-- activation-reserve
-- server/core/numbers/activations/queries/purchase.ts
-- $1 priceMicros int8, $2 userId int4, $3 currency text, $4 serviceCode text, $5 countryId int4, $6 now timestamptz, $7 openLimit int4, $8 dayLimit int8, $9 apiKeyId int4, $10 operatorWanted text, $11 supplierId int4, $12 channel text, $13 idempotencyKey text, $14 inputHash text, $15 expiresAt timestamptz, $16 costLimitMicros int8, $17 costCurrency text, $18 excludedPrefixes text[], $19 repeatOf int8, $20 promotionId int4, $21 nodeId int8
-- returns: id int8
WITH payer AS (
  UPDATE accounts
  SET available_micros = available_micros - $1, held_micros = held_micros + $1
  WHERE user_id = $2 AND currency = $3 AND available_micros >= $1 AND debt_micros = 0
    AND NOT EXISTS (SELECT FROM users WHERE id = $2 AND blocked_at IS NOT NULL)
    AND NOT ((EXISTS (SELECT FROM services WHERE code = $4 AND blocked_at IS NOT NULL)
        OR EXISTS (SELECT FROM purchase_pauses WHERE user_id = $2 AND service_code = $4
            AND country_id = $5 AND until > $6)) OR (purchase_limit_reached($2, $1::bigint, $6::timestamptz, COALESCE(accounts.open_numbers_limit, $7::integer), COALESCE(accounts.day_spend_limit_micros, $8::bigint), NULL) IS NOT NULL) OR ($9::integer IS NOT NULL AND key_refuses($9::integer, $1::bigint, $6::timestamptz, NULL)))
  RETURNING user_id
), made AS (
  INSERT INTO activations (user_id, service_code, country_id, operator_wanted, state, money, price_micros, currency,
      supplier_id, channel, idempotency_key, input_hash, created_at, expires_at, cost_limit_micros, cost_currency,
      excluded_prefixes, repeat_of, api_key_id, promotion_id, node_id)
  SELECT user_id, $4, $5, $10, 'reserving', 'held', $1, $3,
    $11, $12, $13, $14, $6, $15, $16, $17,
    $18, $19, $9, $20, $21
  FROM payer
  RETURNING id, user_id, price_micros, currency
), hold_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
  SELECT 'hold', user_id, 'available', 'held', price_micros, currency, id, $6 FROM made
) SELECT id FROM made;

-- activation-reserve-routed
-- server/core/numbers/activations/queries/purchase.ts
-- $1 priceMicros int8, $2 userId int4, $3 currency text, $4 serviceCode text, $5 countryId int4, $6 now timestamptz, $7 openLimit int4, $8 dayLimit int8, $9 apiKeyId int4, $10 operatorWanted text, $11 supplierId int4, $12 channel text, $13 idempotencyKey text, $14 inputHash text, $15 expiresAt timestamptz, $16 costLimitMicros int8, $17 costCurrency text, $18 excludedPrefixes text[], $19 repeatOf int8, $20 promotionId int4, $21 nodeId int8, $22 route text
-- returns: id int8
WITH payer AS (
  UPDATE accounts
  SET available_micros = available_micros - $1, held_micros = held_micros + $1
  WHERE user_id = $2 AND currency = $3 AND available_micros >= $1 AND debt_micros = 0
    AND NOT EXISTS (SELECT FROM users WHERE id = $2 AND blocked_at IS NOT NULL)
    AND NOT ((EXISTS (SELECT FROM services WHERE code = $4 AND blocked_at IS NOT NULL)
        OR EXISTS (SELECT FROM purchase_pauses WHERE user_id = $2 AND service_code = $4
            AND country_id = $5 AND until > $6)) OR (purchase_limit_reached($2, $1::bigint, $6::timestamptz, COALESCE(accounts.open_numbers_limit, $7::integer), COALESCE(accounts.day_spend_limit_micros, $8::bigint), NULL) IS NOT NULL) OR ($9::integer IS NOT NULL AND key_refuses($9::integer, $1::bigint, $6::timestamptz, NULL)))
  RETURNING user_id
), made AS (
  INSERT INTO activations (user_id, service_code, country_id, operator_wanted, state, money, price_micros, currency,
      supplier_id, channel, idempotency_key, input_hash, created_at, expires_at, cost_limit_micros, cost_currency,
      excluded_prefixes, repeat_of, api_key_id, promotion_id, node_id)
  SELECT user_id, $4, $5, $10, 'reserving', 'held', $1, $3,
    $11, $12, $13, $14, $6, $15, $16, $17,
    $18, $19, $9, $20, $21
  FROM payer
  RETURNING id, user_id, price_micros, currency
), hold_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
  SELECT 'hold', user_id, 'available', 'held', price_micros, currency, id, $6 FROM made
), routed AS (
  INSERT INTO events (at, kind, user_id, subject_id, data)
  SELECT $6, 'activation.routed', user_id, id, jsonb_build_object('why', $22::text) FROM made WHERE $22::text IS NOT NULL
) SELECT id FROM made;

-- activation-settle
-- server/core/numbers/activations/queries/purchase.ts
-- $1 phone text, $2 operator text, $3 supplierReference text, $4 costMicros int8, $5 expiresAt timestamptz, $6 family text, $7 sendersKnown bool, $8 id int8, $9 attempt int4, $10 nodeId int8, $11 now timestamptz
-- returns: expires_at timestamptz
WITH settled AS (
  UPDATE activations
  SET state = 'waiting', phone = $1, operator = $2, supplier_reference = $3, cost_micros = $4,
    cost_rate_micros = (SELECT rub_micros FROM exchange_rates WHERE currency = 'usd'), expires_at = LEAST(expires_at, $5::timestamptz),
    family = NULLIF($6, service_code), senders_known = $7
  WHERE id = $8 AND attempt = $9 AND node_id = $10 AND state IN ('reserving')
    AND CASE WHEN repeat_of IS NULL
    THEN NOT EXISTS (SELECT FROM burnt_numbers b
      WHERE b.phone = $1 AND b.service_code IN (activations.service_code, 'full'))
    AND NOT EXISTS (SELECT FROM used_reports r WHERE r.phone = $1 AND r.service_code = activations.service_code
        AND r.user_id = activations.user_id AND r.lifted_at IS NULL)
    ELSE EXISTS (SELECT FROM activations earlier WHERE earlier.id = activations.repeat_of AND earlier.phone = $1
        AND earlier.user_id = activations.user_id AND earlier.service_code = activations.service_code) END
    AND NOT number_closed($1, user_id, $6, $7, false, $11)
  RETURNING id, user_id, expires_at
), settled_event AS (
  INSERT INTO events (at, kind, user_id, subject_id) SELECT $11, 'activation.waiting', user_id, id FROM settled
)
SELECT expires_at FROM settled;

-- activation-take-over
-- server/core/numbers/activations/queries/purchase.ts
-- $1 nodeId int8
-- returns: nothing
UPDATE activations SET node_id = $1
WHERE (state = 'reserving') AND node_id IS DISTINCT FROM $1
  AND NOT EXISTS (SELECT FROM nodes WHERE nodes.id = activations.node_id AND nodes.ended_at IS NULL);

-- activation-find
-- server/core/numbers/activations/queries/read.ts
-- $1 id int8, $2 userId int4
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, money text, price_micros int8, currency text, supplier_id int4, attempt int4, supplier_reference text, phone text, code text, sms_count int4, again_asked_at timestamptz, notice_at timestamptz, cost_limit_micros int8, excluded_prefixes text[], repeat_of int8, idempotency_key text, input_hash text, created_at timestamptz, expires_at timestamptz, ended_at timestamptz
SELECT id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
  supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
  idempotency_key, input_hash, created_at, expires_at, ended_at FROM activations WHERE id = $1 AND user_id = $2;

-- activation-find-any
-- server/core/numbers/activations/queries/read.ts
-- $1 id int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, money text, price_micros int8, currency text, supplier_id int4, attempt int4, supplier_reference text, phone text, code text, sms_count int4, again_asked_at timestamptz, notice_at timestamptz, cost_limit_micros int8, excluded_prefixes text[], repeat_of int8, idempotency_key text, input_hash text, created_at timestamptz, expires_at timestamptz, ended_at timestamptz
SELECT id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
  supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
  idempotency_key, input_hash, created_at, expires_at, ended_at FROM activations WHERE id = $1;

-- activation-find-by-key
-- server/core/numbers/activations/queries/read.ts
-- $1 userId int4, $2 key text
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, money text, price_micros int8, currency text, supplier_id int4, attempt int4, supplier_reference text, phone text, code text, sms_count int4, again_asked_at timestamptz, notice_at timestamptz, cost_limit_micros int8, excluded_prefixes text[], repeat_of int8, idempotency_key text, input_hash text, created_at timestamptz, expires_at timestamptz, ended_at timestamptz
SELECT id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
  supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
  idempotency_key, input_hash, created_at, expires_at, ended_at FROM activations WHERE user_id = $1 AND idempotency_key = $2;

-- activation-is-held
-- server/core/numbers/activations/queries/read.ts
-- $1 phone text, $2 supplierId int4, $3 supplierReference text
-- returns: held bool
SELECT EXISTS (SELECT FROM activations
  WHERE phone = $1 AND state IN ('waiting', 'received', 'waiting_again') AND supplier_id = $2 AND supplier_reference = $3) AS held;

-- activation-list-active-expiring
-- server/core/numbers/activations/queries/read.ts
-- $1 serviceCodes text[], $2 countryIds int4[], $3 searched bool, $4 phonePart text, $5 foundServices text[], $6 foundCountries int4[], $7 userId int4, $8 limit int8, $9 offset int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, money text, price_micros int8, currency text, supplier_id int4, attempt int4, supplier_reference text, phone text, code text, sms_count int4, again_asked_at timestamptz, notice_at timestamptz, cost_limit_micros int8, excluded_prefixes text[], repeat_of int8, idempotency_key text, input_hash text, created_at timestamptz, expires_at timestamptz, ended_at timestamptz, total int8, total_count int8
WITH active AS (
  SELECT id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
    supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
    idempotency_key, input_hash, created_at, expires_at, ended_at, ($1::text[] IS NULL OR service_code = ANY ($1)) AND ($2::integer[] IS NULL OR country_id = ANY ($2))
    AND (NOT $3 OR phone LIKE '%' || $4 || '%' OR service_code = ANY ($5) OR country_id = ANY ($6)) AS wanted
  FROM activations WHERE user_id = $7 AND state IN ('reserving', 'waiting', 'received', 'waiting_again') AND state <> 'reserving'
), totals AS (SELECT count(*) FILTER (WHERE wanted) AS total, count(*) AS total_count FROM active)
SELECT page.*, totals.* FROM totals LEFT JOIN LATERAL (
  SELECT id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
    supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
    idempotency_key, input_hash, created_at, expires_at, ended_at FROM active WHERE wanted ORDER BY expires_at, id LIMIT $8 OFFSET $9
) page ON true ORDER BY expires_at, id;

-- activation-list-active-newest
-- server/core/numbers/activations/queries/read.ts
-- $1 serviceCodes text[], $2 countryIds int4[], $3 searched bool, $4 phonePart text, $5 foundServices text[], $6 foundCountries int4[], $7 userId int4, $8 limit int8, $9 offset int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, money text, price_micros int8, currency text, supplier_id int4, attempt int4, supplier_reference text, phone text, code text, sms_count int4, again_asked_at timestamptz, notice_at timestamptz, cost_limit_micros int8, excluded_prefixes text[], repeat_of int8, idempotency_key text, input_hash text, created_at timestamptz, expires_at timestamptz, ended_at timestamptz, total int8, total_count int8
WITH active AS (
  SELECT id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
    supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
    idempotency_key, input_hash, created_at, expires_at, ended_at, ($1::text[] IS NULL OR service_code = ANY ($1)) AND ($2::integer[] IS NULL OR country_id = ANY ($2))
    AND (NOT $3 OR phone LIKE '%' || $4 || '%' OR service_code = ANY ($5) OR country_id = ANY ($6)) AS wanted
  FROM activations WHERE user_id = $7 AND state IN ('reserving', 'waiting', 'received', 'waiting_again') AND state <> 'reserving'
), totals AS (SELECT count(*) FILTER (WHERE wanted) AS total, count(*) AS total_count FROM active)
SELECT page.*, totals.* FROM totals LEFT JOIN LATERAL (
  SELECT id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
    supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
    idempotency_key, input_hash, created_at, expires_at, ended_at FROM active WHERE wanted ORDER BY id DESC LIMIT $8 OFFSET $9
) page ON true ORDER BY id DESC;

-- activation-list-active-oldest
-- server/core/numbers/activations/queries/read.ts
-- $1 serviceCodes text[], $2 countryIds int4[], $3 searched bool, $4 phonePart text, $5 foundServices text[], $6 foundCountries int4[], $7 userId int4, $8 limit int8, $9 offset int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, money text, price_micros int8, currency text, supplier_id int4, attempt int4, supplier_reference text, phone text, code text, sms_count int4, again_asked_at timestamptz, notice_at timestamptz, cost_limit_micros int8, excluded_prefixes text[], repeat_of int8, idempotency_key text, input_hash text, created_at timestamptz, expires_at timestamptz, ended_at timestamptz, total int8, total_count int8
WITH active AS (
  SELECT id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
    supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
    idempotency_key, input_hash, created_at, expires_at, ended_at, ($1::text[] IS NULL OR service_code = ANY ($1)) AND ($2::integer[] IS NULL OR country_id = ANY ($2))
    AND (NOT $3 OR phone LIKE '%' || $4 || '%' OR service_code = ANY ($5) OR country_id = ANY ($6)) AS wanted
  FROM activations WHERE user_id = $7 AND state IN ('reserving', 'waiting', 'received', 'waiting_again') AND state <> 'reserving'
), totals AS (SELECT count(*) FILTER (WHERE wanted) AS total, count(*) AS total_count FROM active)
SELECT page.*, totals.* FROM totals LEFT JOIN LATERAL (
  SELECT id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
    supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
    idempotency_key, input_hash, created_at, expires_at, ended_at FROM active WHERE wanted ORDER BY id LIMIT $8 OFFSET $9
) page ON true ORDER BY id;

-- activation-status
-- server/core/numbers/activations/queries/read.ts
-- $1 id int8, $2 userId int4
-- returns: state text, code text, again_asked_at timestamptz
SELECT state, code, again_asked_at FROM activations WHERE id = $1 AND user_id = $2;

-- activation-reserve-replacing
-- server/core/numbers/activations/queries/replace.ts
-- $1 replaced int8, $2 userId int4, $3 createdBefore timestamptz, $4 priceMicros int8, $5 currency text, $6 serviceCode text, $7 countryId int4, $8 now timestamptz, $9 openLimit int4, $10 dayLimit int8, $11 apiKeyId int4, $12 operatorWanted text, $13 supplierId int4, $14 channel text, $15 idempotencyKey text, $16 inputHash text, $17 expiresAt timestamptz, $18 costLimitMicros int8, $19 costCurrency text, $20 excludedPrefixes text[], $21 repeatOf int8, $22 promotionId int4, $23 nodeId int8, $24 route text
-- returns: id int8
WITH earlier AS (
  SELECT user_id, price_micros FROM activations
  WHERE id = $1 AND user_id = $2 AND state IN ('waiting') AND created_at <= $3 FOR UPDATE
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
            AND country_id = $7 AND until > $8)) OR (purchase_limit_reached($2, $4::bigint, $8::timestamptz, COALESCE(accounts.open_numbers_limit, $9::integer), COALESCE(accounts.day_spend_limit_micros, $10::bigint), $1) IS NOT NULL) OR ($11::integer IS NOT NULL AND key_refuses($11::integer, $4::bigint, $8::timestamptz, $1)))
  RETURNING accounts.user_id
), freed AS (
  UPDATE activations SET state = 'cancelled', money = 'released', ended_at = $8, outcome_at = $8
  FROM payer WHERE activations.id = $1
  RETURNING activations.id, activations.user_id, activations.service_code, activations.country_id, activations.operator_wanted, activations.operator, activations.state, activations.money, activations.price_micros, activations.currency,
    activations.supplier_id, activations.attempt, activations.supplier_reference, activations.phone, activations.code, activations.sms_count, activations.again_asked_at, activations.notice_at, activations.cost_limit_micros, activations.excluded_prefixes, activations.repeat_of,
    activations.idempotency_key, activations.input_hash, activations.created_at, activations.expires_at, activations.ended_at
), made AS (
  INSERT INTO activations (user_id, service_code, country_id, operator_wanted, state, money, price_micros, currency,
      supplier_id, channel, idempotency_key, input_hash, created_at, expires_at, cost_limit_micros, cost_currency,
      excluded_prefixes, repeat_of, api_key_id, promotion_id, node_id)
  SELECT user_id, $6, $7, $12, 'reserving', 'held', $4, $5,
    $13, $14, $15, $16, $8, $17, $18, $19,
    $20, $21, $11, $22, $23
  FROM payer
  RETURNING id, user_id, price_micros, currency
), routed AS (
  INSERT INTO events (at, kind, user_id, subject_id, data)
  SELECT $8, 'activation.routed', user_id, id, jsonb_build_object('why', $24::text) FROM made WHERE $24::text IS NOT NULL
), instead_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, charge_id, at)
  SELECT kind, user_id, from_account, to_account, price_micros, currency, activation_id, charge_id, $8
  FROM (
    SELECT 1 AS place, 'release' AS kind, 'held' AS from_account, 'available' AS to_account, user_id, price_micros,
      currency, id AS activation_id, NULL::bigint AS charge_id FROM freed
    UNION ALL
    SELECT 2, 'hold', 'available', 'held', user_id, price_micros, currency, id, NULL FROM made
  ) moves ORDER BY place
),
state_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $8, 'activation.' || state, user_id, id FROM freed
)
SELECT made.id FROM made WHERE (SELECT bool_and(queue_job('end-number', json_build_object('activationId', o.id::text), 25,
    CASE WHEN o.supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox) THEN 0 ELSE 10 END) IS NOT NULL AND (o.state = 'finished' OR raise_hooks(o.user_id, CASE o.state WHEN 'expired' THEN 'activation.expired' ELSE 'activation.cancelled' END, 'activation:' || o.id, NULL, jsonb_build_object('order', 'activation', 'id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
        'phone', o.phone, 'state', o.state, 'price_micros', o.price_micros::text, 'currency', o.currency), $8::timestamptz))) FROM freed o);

-- activation-sell-stock
-- server/core/numbers/activations/queries/sell-stock.ts
-- $1 userId int4, $2 currency text, $3 priceMicros int8, $4 supplierId int4, $5 countryId int4, $6 fromPosition int8, $7 operator text, $8 serviceCode text, $9 excludedPrefixes text[], $10 buyerId int4, $11 family text, $12 sendersKnown bool, $13 exclusive bool, $14 now timestamptz, $15 openLimit int4, $16 dayLimit int8, $17 apiKeyId int4, $18 operatorWanted text, $19 channel text, $20 idempotencyKey text, $21 inputHash text, $22 expiresAt timestamptz, $23 costLimitMicros int8, $24 costCurrency text, $25 promotionId int4, $26 nodeId int8, $27 costMicros int8, $28 route text
-- returns: id int8, phone text, operator text, supplierReference text, position int8
WITH numbered AS MATERIALIZED (
  SELECT nextval(pg_get_serial_sequence('activations', 'id')) AS id
  WHERE EXISTS (SELECT FROM accounts WHERE user_id = $1 AND currency = $2 AND available_micros >= $3)
), first AS (SELECT n.position FROM smpp_numbers n
  WHERE EXISTS (SELECT FROM numbered) AND n.supplier_id = $4 AND n.country_id = $5 AND n.enabled AND n.rent_state = 'free'
    AND n.position >= $6
    AND n.operator = $7
    AND (SELECT u.state FROM smpp_number_uses u WHERE u.phone = n.phone AND u.service_code = $8) IS NULL ORDER BY n.position LIMIT 1
), next AS MATERIALIZED (
  SELECT phone FROM (SELECT n.phone FROM smpp_numbers n
    WHERE EXISTS (SELECT FROM numbered) AND n.supplier_id = $4 AND n.country_id = $5 AND n.enabled AND n.rent_state = 'free'
      AND n.position >= $6
      AND n.operator = $7
      AND (SELECT u.state FROM smpp_number_uses u WHERE u.phone = n.phone AND u.service_code = $8) IS NULL
    ORDER BY n.position LIMIT 32) few ORDER BY hashtext(phone || (SELECT id FROM numbered)::text)
), fresh AS (
  SELECT n.phone, n.country_id, n.operator, n.position FROM next JOIN smpp_numbers n USING (phone)
  WHERE n.enabled AND n.rent_state = 'free' AND NOT (n.phone ^@ ANY ($9::text[])) AND NOT smpp_number_closed(n.phone, $10, $8, $11, $12, $13, $14) LIMIT 1 FOR UPDATE OF n SKIP LOCKED
), tried AS MATERIALIZED (
  SELECT l.phone FROM smpp_leases l JOIN smpp_number_uses u ON l.phone = u.phone AND l.service_code = u.service_code AND l.state = 'ended' AND l.ending IN ('cancelled', 'expired')
    AND (u.restored_at IS NULL OR l.ended_at > u.restored_at)
  WHERE l.buyer_id = $10 AND l.service_code = $8 AND l.hours IS NULL
), returned AS (
  SELECT u.phone, u.country_id, u.operator, NULL::bigint FROM smpp_number_uses u JOIN smpp_numbers n USING (phone)
  WHERE EXISTS (SELECT FROM numbered) AND u.supplier_id = $4 AND u.service_code = $8 AND u.country_id = $5
    AND u.state = 'returned' AND u.operator = $7
    AND NOT EXISTS (SELECT FROM fresh) AND n.enabled AND n.rent_state = 'free' AND NOT (u.phone ^@ ANY ($9::text[]))
    AND (u.phone NOT IN (SELECT phone FROM tried) OR 50 <= (SELECT count(*) FILTER (WHERE money = 'captured') FROM (SELECT money FROM activations latest
      WHERE latest.user_id = $10 ORDER BY created_at DESC, id DESC LIMIT 1000) latest))
    AND NOT smpp_number_closed(u.phone, $10, $8, $11, $12, $13, $14)
  ORDER BY u.times_offered, u.changed_at LIMIT 1 FOR UPDATE OF n SKIP LOCKED FOR UPDATE OF u SKIP LOCKED
), found AS (SELECT * FROM fresh UNION ALL SELECT * FROM returned
), sure AS MATERIALIZED (
  SELECT * FROM found WHERE NOT smpp_number_closed(found.phone, $10, $8, $11, $12, $13, $14)
    AND NOT EXISTS (SELECT FROM burnt_numbers b
      WHERE b.phone = found.phone AND b.service_code IN ($8, 'full'))
    AND NOT EXISTS (SELECT FROM used_reports r WHERE r.phone = found.phone AND r.service_code = $8
        AND r.user_id = $1 AND r.lifted_at IS NULL)
    AND NOT number_closed(found.phone, $1, $11, $12, false, $14)
), payer AS (
  UPDATE accounts
  SET available_micros = available_micros - $3, held_micros = held_micros + $3
  FROM sure
  WHERE user_id = $1 AND currency = $2 AND available_micros >= $3 AND debt_micros = 0
    AND NOT EXISTS (SELECT FROM users WHERE id = $1 AND blocked_at IS NOT NULL)
    AND NOT ((EXISTS (SELECT FROM services WHERE code = $8 AND blocked_at IS NOT NULL)
        OR EXISTS (SELECT FROM purchase_pauses WHERE user_id = $1 AND service_code = $8
            AND country_id = $5 AND until > $14)) OR (purchase_limit_reached($1, $3::bigint, $14::timestamptz, COALESCE(accounts.open_numbers_limit, $15::integer), COALESCE(accounts.day_spend_limit_micros, $16::bigint), NULL) IS NOT NULL) OR ($17::integer IS NOT NULL AND key_refuses($17::integer, $3::bigint, $14::timestamptz, NULL)))
  RETURNING accounts.user_id, sure.*
), used AS (
  INSERT INTO smpp_number_uses AS u
  (phone, service_code, supplier_id, country_id, operator, state, times_offered, changed_at)
  SELECT phone, $8, $4, country_id, operator, 'leased', 1, $14 FROM payer
  ON CONFLICT (phone, service_code) DO UPDATE
  SET state = 'leased', times_offered = u.times_offered + 1, changed_at = $14
  WHERE u.state = 'returned' AND u.times_offered < 4
  RETURNING u.phone, u.operator
), made AS (
  INSERT INTO activations (id, user_id, service_code, country_id, operator_wanted, state, money, price_micros,
      currency, supplier_id, channel, idempotency_key, input_hash, created_at, expires_at, cost_limit_micros,
      cost_currency, excluded_prefixes, api_key_id, promotion_id, node_id, phone, operator, supplier_reference,
      cost_micros, cost_rate_micros, family, senders_known)
    OVERRIDING SYSTEM VALUE
  SELECT numbered.id, payer.user_id, $8, $5, $18, 'waiting', 'held', $3,
    $2, $4, $19, $20, $21, $14, $22, $23,
    $24, $9, $17, $25, $26, used.phone, used.operator,
    numbered.id::text || '-1', $27, (SELECT rub_micros FROM exchange_rates WHERE currency = 'usd'), NULLIF($11, $8), $12
  FROM numbered, payer LEFT JOIN used ON true
  RETURNING id, user_id, price_micros, currency, phone, operator, supplier_reference
), leased AS (INSERT INTO smpp_leases (supplier_id, reference, state, phone, service_code, operator, cost_micros, currency, created_at,
    expires_at, buyer_id, family, senders_known)
  SELECT $4, supplier_reference, 'leased', phone, $8, operator, $27, $24, $14, $22,
    $10, NULLIF($11, $8), $12 FROM made), hold_transfer AS (
      INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
      SELECT 'hold', user_id, 'available', 'held', price_micros, currency, id, $14 FROM made
    ), routed AS (
      INSERT INTO events (at, kind, user_id, subject_id, data)
      SELECT $14, 'activation.routed', user_id, id, jsonb_build_object('why', $28::text) FROM made WHERE $28::text IS NOT NULL
    ), sold_event AS (
      INSERT INTO events (at, kind, user_id, subject_id) SELECT $14, 'activation.waiting', user_id, id FROM made
    )
SELECT made.id, made.phone, made.operator, made.supplier_reference AS "supplierReference",
  COALESCE((SELECT position FROM first), (SELECT last_value FROM smpp_numbers_positions)) AS position
FROM (SELECT 1) AS always LEFT JOIN made ON true;

-- activation-give-sms
-- server/core/numbers/activations/queries/sms.ts
-- $1 id int8, $2 from text[], $3 isNotice bool, $4 given text, $5 code text, $6 namedServices text[], $7 sender text, $8 now timestamptz, $9 activationId int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator text, state text, money text, price_micros int8, currency text, phone text, code text, sms_count int4, notice_at timestamptz, created_at timestamptz, expires_at timestamptz, queued bool, hooked bool
WITH taken AS (SELECT id FROM messages WHERE id = $1 AND given = ANY ($2::text[]) FOR UPDATE), hit AS (
  UPDATE activations
  SET state = CASE WHEN $3::boolean THEN state ELSE 'received' END, money = CASE WHEN $3::boolean THEN money ELSE 'captured' END, sms_count = sms_count + ($4::text <> 'notice')::integer,
    code = CASE WHEN $5::text IS NOT NULL AND (code IS NULL OR state = 'waiting_again' OR service_code = ANY ($6::text[]) OR EXISTS (
      SELECT FROM (SELECT sender, named_by FROM messages m
        WHERE m.activation_id = activations.id AND m.code = activations.code ORDER BY m.id DESC LIMIT 1) before
      WHERE before.sender = $7::text OR (before.named_by IS NULL AND before.sender ~ '^[+]?[0-9]{3,20}$' AND $7::text ~ '^[+]?[0-9]{3,20}$'))) THEN $5::text ELSE code END,
    first_code_at = CASE WHEN $3::boolean THEN first_code_at ELSE COALESCE(first_code_at, $8) END,
    outcome_at = CASE WHEN $3::boolean THEN outcome_at ELSE COALESCE(outcome_at, $8) END, notice_at = CASE WHEN $4::text = 'notice' THEN $8 ELSE notice_at END
  WHERE id = $9 AND ($4::text <> 'notice' OR money = 'held') AND EXISTS (SELECT FROM taken) AND state IN ('waiting', 'received', 'waiting_again')
  RETURNING id, user_id, service_code, country_id, operator, state, money, price_micros, currency,
    phone, code, sms_count, notice_at, created_at, expires_at
), first AS (
  SELECT id, user_id, service_code, phone, price_micros, currency FROM hit WHERE sms_count = 1 AND money = 'captured'
), captured_account AS (
  UPDATE accounts SET held_micros = held_micros - first.price_micros
  FROM first WHERE accounts.user_id = first.user_id
), captured_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
  SELECT 'capture', user_id, 'held', 'revenue', price_micros, currency, id, $8 FROM first
), burnt AS (
  INSERT INTO burnt_numbers (phone, service_code) SELECT phone, service_code FROM first ON CONFLICT DO NOTHING
), received_event AS (
  INSERT INTO events (at, kind, user_id, subject_id) SELECT $8, 'activation.received', user_id, id FROM hit WHERE NOT $3::boolean
), moved AS (
  UPDATE messages SET activation_id = hit.id, rental_id = NULL, code = $5::text, given = $4::text FROM hit, taken
  WHERE messages.id = taken.id
), told AS (
  SELECT t.queued, t.hooked FROM (SELECT taken.id AS message_id, hit.* FROM taken, hit WHERE money = 'captured') o, LATERAL tell_code(o.message_id, o.user_id,
      CASE WHEN o.sms_count > 1 THEN 'code.another' ELSE 'code.received' END, 'activation:' || o.id, jsonb_build_object('order', 'activation', 'id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
          'phone', o.phone), $8::timestamptz) t
)
SELECT *, (SELECT queued FROM told) AS queued, (SELECT hooked FROM told) AS hooked FROM hit;

-- activation-open-notices
-- server/core/numbers/activations/queries/sms.ts
-- $1 id int8, $2 now timestamptz, $3 userId int4
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, money text, price_micros int8, currency text, supplier_id int4, attempt int4, supplier_reference text, phone text, code text, sms_count int4, again_asked_at timestamptz, notice_at timestamptz, cost_limit_micros int8, excluded_prefixes text[], repeat_of int8, idempotency_key text, input_hash text, created_at timestamptz, expires_at timestamptz, ended_at timestamptz
WITH notices AS (SELECT id FROM messages WHERE activation_id = $1 AND given = 'notice'), hit AS (
  UPDATE activations SET state = 'received', money = 'captured', sms_count = (SELECT count(*) FROM notices),
    outcome_at = COALESCE(outcome_at, $2)
  WHERE id = $1 AND user_id = $3 AND state = 'waiting' AND EXISTS (SELECT FROM notices)
  RETURNING id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
    supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
    idempotency_key, input_hash, created_at, expires_at, ended_at
), captured_account AS (
  UPDATE accounts SET held_micros = held_micros - hit.price_micros
  FROM hit WHERE accounts.user_id = hit.user_id
), captured_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
  SELECT 'capture', user_id, 'held', 'revenue', price_micros, currency, id, $2 FROM hit
), burnt AS (
  INSERT INTO burnt_numbers (phone, service_code) SELECT phone, service_code FROM hit ON CONFLICT DO NOTHING
), received_event AS (
  INSERT INTO events (at, kind, user_id, subject_id) SELECT $2, 'activation.received', user_id, id FROM hit
), opened AS (
  UPDATE messages SET given = 'opened' FROM notices, hit WHERE messages.id = notices.id
)
SELECT * FROM hit;

-- activation-store-sms
-- server/core/numbers/activations/queries/sms.ts
-- $1 isNotice bool, $2 given text, $3 code text, $4 namedServices text[], $5 sender text, $6 now timestamptz, $7 activationId int8, $8 supplierId int4, $9 phone text, $10 text text, $11 messageId text, $12 receivedAt timestamptz, $13 namedBy text, $14 namedFamily text, $15 namingVersion int2, $16 reference text
-- returns: message_id int8, id int8, user_id int4, service_code text, country_id int4, operator text, state text, money text, price_micros int8, currency text, phone text, code text, sms_count int4, notice_at timestamptz, created_at timestamptz, expires_at timestamptz, queued bool, hooked bool
WITH hit AS (
  UPDATE activations
  SET state = CASE WHEN $1::boolean THEN state ELSE 'received' END, money = CASE WHEN $1::boolean THEN money ELSE 'captured' END, sms_count = sms_count + ($2::text <> 'notice')::integer,
    code = CASE WHEN $3::text IS NOT NULL AND (code IS NULL OR state = 'waiting_again' OR service_code = ANY ($4::text[]) OR EXISTS (
      SELECT FROM (SELECT sender, named_by FROM messages m
        WHERE m.activation_id = activations.id AND m.code = activations.code ORDER BY m.id DESC LIMIT 1) before
      WHERE before.sender = $5::text OR (before.named_by IS NULL AND before.sender ~ '^[+]?[0-9]{3,20}$' AND $5::text ~ '^[+]?[0-9]{3,20}$'))) THEN $3::text ELSE code END,
    first_code_at = CASE WHEN $1::boolean THEN first_code_at ELSE COALESCE(first_code_at, $6) END,
    outcome_at = CASE WHEN $1::boolean THEN outcome_at ELSE COALESCE(outcome_at, $6) END, notice_at = CASE WHEN $2::text = 'notice' THEN $6 ELSE notice_at END
  WHERE id = $7 AND ($2::text <> 'notice' OR money = 'held') AND state IN ('waiting', 'received', 'waiting_again')
  RETURNING id, user_id, service_code, country_id, operator, state, money, price_micros, currency,
    phone, code, sms_count, notice_at, created_at, expires_at
), first AS (
  SELECT id, user_id, service_code, phone, price_micros, currency FROM hit WHERE sms_count = 1 AND money = 'captured'
), captured_account AS (
  UPDATE accounts SET held_micros = held_micros - first.price_micros
  FROM first WHERE accounts.user_id = first.user_id
), captured_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
  SELECT 'capture', user_id, 'held', 'revenue', price_micros, currency, id, $6 FROM first
), burnt AS (
  INSERT INTO burnt_numbers (phone, service_code) SELECT phone, service_code FROM first ON CONFLICT DO NOTHING
), received_event AS (
  INSERT INTO events (at, kind, user_id, subject_id) SELECT $6, 'activation.received', user_id, id FROM hit WHERE NOT $1::boolean
), stored AS (
  INSERT INTO messages (supplier_id, phone, sender, body, supplier_message_id, received_at, named_by, named_services,
      named_family, naming_version, reference, code, given, activation_id, rental_id)
  SELECT $8::integer, $9::text, $5::text, $10::text, $11::text, $12::timestamptz, $13::text, $4::text[], $14::text, $15::smallint,
    $16::text, $3::text, $2::text, hit.id, NULL::bigint
  FROM hit
  RETURNING id AS message_id
), told AS (
  SELECT t.queued, t.hooked FROM (SELECT message_id, hit.* FROM stored, hit WHERE money = 'captured') o, LATERAL tell_code(o.message_id, o.user_id,
      CASE WHEN o.sms_count > 1 THEN 'code.another' ELSE 'code.received' END, 'activation:' || o.id, jsonb_build_object('order', 'activation', 'id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
          'phone', o.phone), $6::timestamptz) t
)
SELECT *, (SELECT queued FROM told) AS queued, (SELECT hooked FROM told) AS hooked FROM stored, hit;

-- activation-store-sms-for-only-holder
-- server/core/numbers/activations/queries/sms.ts
-- $1 ownCodes jsonb, $2 generalCode text, $3 namedServices text[], $4 sender text, $5 now timestamptz, $6 phone text, $7 supplierId int4, $8 heldSince timestamptz, $9 isCode bool, $10 namedBy text, $11 byContent bool, $12 since timestamptz, $13 text text, $14 messageId text, $15 receivedAt timestamptz, $16 namedFamily text, $17 namingVersion int2, $18 reference text, $19 nobodysCode text, $20 nobodysGiven text, $21 lateSince timestamptz
-- returns: message_id int8, message_code text, id int8, user_id int4, service_code text, country_id int4, operator text, state text, money text, price_micros int8, currency text, phone text, code text, sms_count int4, notice_at timestamptz, created_at timestamptz, expires_at timestamptz, queued bool, hooked bool
WITH hit AS (
  UPDATE activations
  SET state = 'received', money = 'captured', sms_count = sms_count + 1,
    code = CASE WHEN COALESCE($1::jsonb ->> service_code, $2) IS NOT NULL AND (code IS NULL OR state = 'waiting_again' OR service_code = ANY ($3::text[]) OR EXISTS (
      SELECT FROM (SELECT sender, named_by FROM messages m
        WHERE m.activation_id = activations.id AND m.code = activations.code ORDER BY m.id DESC LIMIT 1) before
      WHERE before.sender = $4::text OR (before.named_by IS NULL AND before.sender ~ '^[+]?[0-9]{3,20}$' AND $4::text ~ '^[+]?[0-9]{3,20}$'))) THEN COALESCE($1::jsonb ->> service_code, $2) ELSE code END,
    first_code_at = COALESCE(first_code_at, $5),
    outcome_at = COALESCE(outcome_at, $5)
  WHERE phone = $6 AND supplier_id = $7
    AND (SELECT count(*) FROM activations WHERE phone = $6 AND supplier_id = $7 AND state IN ('waiting', 'received', 'waiting_again')) = 1
    AND NOT EXISTS (SELECT FROM activations WHERE phone = $6 AND supplier_id = $7 AND ended_at > $8)
    AND NOT EXISTS (SELECT FROM rentals WHERE phone = $6 AND supplier_id = $7 AND state = 'active') AND NOT EXISTS (SELECT FROM rentals WHERE phone = $6 AND supplier_id = $7 AND ended_at > $8)
    AND $9::boolean AND ($10::text IS NULL OR service_code = ANY ($3::text[])) AND (NOT $11::boolean OR NOT EXISTS (SELECT FROM messages WHERE phone = $6 AND received_at > $12 AND supplier_id = $7 AND sender = $4 AND body = $13)) AND state IN ('waiting', 'received', 'waiting_again')
  RETURNING id, user_id, service_code, country_id, operator, state, money, price_micros, currency,
    phone, code, sms_count, notice_at, created_at, expires_at
), first AS (
  SELECT id, user_id, service_code, phone, price_micros, currency FROM hit WHERE sms_count = 1 AND money = 'captured'
), captured_account AS (
  UPDATE accounts SET held_micros = held_micros - first.price_micros
  FROM first WHERE accounts.user_id = first.user_id
), captured_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
  SELECT 'capture', user_id, 'held', 'revenue', price_micros, currency, id, $5 FROM first
), burnt AS (
  INSERT INTO burnt_numbers (phone, service_code) SELECT phone, service_code FROM first ON CONFLICT DO NOTHING
), received_event AS (
  INSERT INTO events (at, kind, user_id, subject_id) SELECT $5, 'activation.received', user_id, id FROM hit
), stored AS (
  INSERT INTO messages (supplier_id, phone, sender, body, supplier_message_id, received_at, named_by, named_services,
      named_family, naming_version, reference, code, given, activation_id, rental_id)
  SELECT $7::integer, $6::text, $4::text, $13::text, $14::text, $15::timestamptz, $10::text, $3::text[], $16::text, $17::smallint,
    $18::text, CASE WHEN owner_id IS NULL THEN $19::text ELSE COALESCE($1::jsonb ->> service_code, $2) END, CASE WHEN owner_id IS NULL THEN $20::text WHEN $10::text IS NULL OR $10::text = 'mention'
    THEN 'only-holder' ELSE 'named' END, owner_id, NULL::bigint
  FROM (SELECT id AS owner_id, service_code FROM hit
    UNION ALL SELECT NULL::bigint, NULL::text WHERE NOT EXISTS (SELECT FROM hit) AND NOT EXISTS (SELECT FROM activations WHERE phone = $6 AND supplier_id = $7 AND state IN ('waiting', 'received', 'waiting_again')) AND NOT EXISTS (SELECT FROM activations WHERE phone = $6 AND supplier_id = $7 AND ended_at > $21)
      AND NOT EXISTS (SELECT FROM rentals WHERE phone = $6 AND supplier_id = $7 AND state = 'active') AND NOT EXISTS (SELECT FROM rentals WHERE phone = $6 AND supplier_id = $7 AND ended_at > $21) AND (NOT $11::boolean OR NOT EXISTS (SELECT FROM messages WHERE phone = $6 AND received_at > $12 AND supplier_id = $7 AND sender = $4 AND body = $13))) owner
  RETURNING id AS message_id, code AS message_code
), told AS (
  SELECT t.queued, t.hooked FROM (SELECT message_id, hit.* FROM stored, hit) o, LATERAL tell_code(o.message_id, o.user_id,
      CASE WHEN o.sms_count > 1 THEN 'code.another' ELSE 'code.received' END, 'activation:' || o.id, jsonb_build_object('order', 'activation', 'id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
          'phone', o.phone), $5::timestamptz) t
)
SELECT *, (SELECT queued FROM told) AS queued, (SELECT hooked FROM told) AS hooked FROM stored LEFT JOIN hit ON true;

-- activation-end-unusable
-- server/core/numbers/activations/queries/used.ts
-- $1 id int8, $2 now timestamptz
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, money text, price_micros int8, currency text, supplier_id int4, attempt int4, supplier_reference text, phone text, code text, sms_count int4, again_asked_at timestamptz, notice_at timestamptz, cost_limit_micros int8, excluded_prefixes text[], repeat_of int8, idempotency_key text, input_hash text, created_at timestamptz, expires_at timestamptz, ended_at timestamptz
WITH wanted AS (
  SELECT id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
    supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
    idempotency_key, input_hash, created_at, expires_at, ended_at FROM activations WHERE id = $1 AND state IN ('waiting') FOR UPDATE
), payee AS (
  UPDATE accounts
  SET available_micros = available_micros + wanted.price_micros, held_micros = held_micros - wanted.price_micros
  FROM wanted WHERE accounts.user_id = wanted.user_id AND true
  RETURNING accounts.user_id
), released_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
  SELECT 'release', user_id, 'held', 'available', price_micros, currency, id, $2 FROM wanted JOIN payee USING (user_id)
), ended AS (
  UPDATE activations SET state = 'used', money = 'released', ended_at = $2, outcome_at = $2
  FROM payee WHERE activations.id = $1
  RETURNING activations.id, activations.user_id, activations.service_code, activations.country_id, activations.operator_wanted, activations.operator, activations.state, activations.money, activations.price_micros, activations.currency,
    activations.supplier_id, activations.attempt, activations.supplier_reference, activations.phone, activations.code, activations.sms_count, activations.again_asked_at, activations.notice_at, activations.cost_limit_micros, activations.excluded_prefixes, activations.repeat_of,
    activations.idempotency_key, activations.input_hash, activations.created_at, activations.expires_at, activations.ended_at
), state_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $2, 'activation.' || state, user_id, id FROM ended
), reported AS (
  INSERT INTO used_reports (activation_id, user_id, service_code, country_id, phone, by_supplier, weighed, bars_all, reported_at)
  SELECT id, user_id, service_code, country_id, phone, true, weighed, true, $2
  FROM ended, LATERAL (SELECT true AS weighed) said
  RETURNING phone, service_code, bars_all
), burnt AS (
  INSERT INTO burnt_numbers (phone, service_code, reason) SELECT phone, service_code, 'used' FROM reported WHERE bars_all
  ON CONFLICT DO NOTHING
)
SELECT ended.* FROM ended WHERE (SELECT bool_and(queue_job('end-number', json_build_object('activationId', o.id::text), 25,
    CASE WHEN o.supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox) THEN 0 ELSE 10 END) IS NOT NULL AND (o.state = 'finished' OR raise_hooks(o.user_id, CASE o.state WHEN 'expired' THEN 'activation.expired' ELSE 'activation.cancelled' END, 'activation:' || o.id, NULL, jsonb_build_object('order', 'activation', 'id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
        'phone', o.phone, 'state', o.state, 'price_micros', o.price_micros::text, 'currency', o.currency), $2::timestamptz))) FROM ended o);

-- activation-end-used
-- server/core/numbers/activations/queries/used.ts
-- $1 id int8, $2 createdBefore timestamptz, $3 now timestamptz, $4 least int4, $5 percent int4, $6 inARow int4
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, money text, price_micros int8, currency text, supplier_id int4, attempt int4, supplier_reference text, phone text, code text, sms_count int4, again_asked_at timestamptz, notice_at timestamptz, cost_limit_micros int8, excluded_prefixes text[], repeat_of int8, idempotency_key text, input_hash text, created_at timestamptz, expires_at timestamptz, ended_at timestamptz
WITH wanted AS (
  SELECT id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
    supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
    idempotency_key, input_hash, created_at, expires_at, ended_at FROM activations WHERE id = $1 AND state IN ('waiting') FOR UPDATE
), payee AS (
  UPDATE accounts
  SET available_micros = available_micros + wanted.price_micros, held_micros = held_micros - wanted.price_micros
  FROM wanted WHERE accounts.user_id = wanted.user_id AND (wanted.created_at <= $2 OR used_is_free(wanted.user_id, wanted.service_code, wanted.country_id, $3, $4, $5, $6))
  RETURNING accounts.user_id
), released_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
  SELECT 'release', user_id, 'held', 'available', price_micros, currency, id, $3 FROM wanted JOIN payee USING (user_id)
), ended AS (
  UPDATE activations SET state = 'used', money = 'released', ended_at = $3, outcome_at = $3
  FROM payee WHERE activations.id = $1
  RETURNING activations.id, activations.user_id, activations.service_code, activations.country_id, activations.operator_wanted, activations.operator, activations.state, activations.money, activations.price_micros, activations.currency,
    activations.supplier_id, activations.attempt, activations.supplier_reference, activations.phone, activations.code, activations.sms_count, activations.again_asked_at, activations.notice_at, activations.cost_limit_micros, activations.excluded_prefixes, activations.repeat_of,
    activations.idempotency_key, activations.input_hash, activations.created_at, activations.expires_at, activations.ended_at
), state_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $3, 'activation.' || state, user_id, id FROM ended
), reported AS (
  INSERT INTO used_reports (activation_id, user_id, service_code, country_id, phone, by_supplier, weighed, bars_all, reported_at)
  SELECT id, user_id, service_code, country_id, phone, false, weighed, (weighed AND EXISTS (SELECT FROM used_reports r WHERE r.phone = ended.phone AND r.service_code = ended.service_code
      AND r.user_id <> ended.user_id AND r.weighed AND r.lifted_at IS NULL)
      OR 50 <= (SELECT count(*) FILTER (WHERE money = 'captured') FROM (SELECT money FROM activations latest
        WHERE latest.user_id = ended.user_id ORDER BY created_at DESC, id DESC LIMIT 1000) latest)), $3
  FROM ended, LATERAL (SELECT word_weighs(ended.user_id, $3::timestamptz, ended.id) AS weighed) said
  RETURNING phone, service_code, bars_all
), burnt AS (
  INSERT INTO burnt_numbers (phone, service_code, reason) SELECT phone, service_code, 'used' FROM reported WHERE bars_all
  ON CONFLICT DO NOTHING
)
SELECT ended.* FROM ended WHERE (SELECT bool_and(queue_job('end-number', json_build_object('activationId', o.id::text), 25,
    CASE WHEN o.supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox) THEN 0 ELSE 10 END) IS NOT NULL AND (o.state = 'finished' OR raise_hooks(o.user_id, CASE o.state WHEN 'expired' THEN 'activation.expired' ELSE 'activation.cancelled' END, 'activation:' || o.id, NULL, jsonb_build_object('order', 'activation', 'id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
        'phone', o.phone, 'state', o.state, 'price_micros', o.price_micros::text, 'currency', o.currency), $3::timestamptz))) FROM ended o);

-- activation-used-bars-all
-- server/core/numbers/activations/queries/used.ts
-- $1 activationId int8
-- returns: bars bool
SELECT bars_all AND NOT by_supplier AS bars FROM used_reports WHERE activation_id = $1;
