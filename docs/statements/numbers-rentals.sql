-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/numbers/rentals/queries/charges.ts: rental-list-charges
-- server/core/numbers/rentals/queries/end.ts: rental-capture-due, rental-end-unused, rental-expire, rental-finish, rental-mark-warned
-- server/core/numbers/rentals/queries/extend.ts: rental-charge-late-extension, rental-find-extension-by-key, rental-grant-extension, rental-list-open-extensions, rental-release-extension, rental-reserve-extension
-- server/core/numbers/rentals/queries/read.ts: rental-find, rental-find-any, rental-find-by-key, rental-is-rented, rental-list-ended, rental-list-expiring, rental-list-newest, rental-list-oldest
-- server/core/numbers/rentals/queries/reserve.ts: rental-fail, rental-list-orphans, rental-next-attempt, rental-reserve, rental-settle, rental-take-over
-- server/core/numbers/rentals/queries/sms.ts: rental-give-sms, rental-store-sms

-- rental-list-charges
-- server/core/numbers/rentals/queries/charges.ts
-- $1 rentalId int8, $2 userId int4
-- returns: price_micros int8, hours int4, created_at timestamptz
SELECT price_micros, hours, created_at FROM charges
WHERE rental_id = $1 AND user_id = $2 AND money <> 'released' ORDER BY id DESC LIMIT 100;

-- rental-capture-due
-- server/core/numbers/rentals/queries/end.ts
-- $1 now timestamptz, $2 play bool, $3 limit int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text
WITH due AS (
  SELECT id FROM rentals WHERE cancel_until <= $1 AND captured_at IS NULL AND state IN ('active') AND (supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox)) <> $2::boolean
  ORDER BY cancel_until LIMIT $3 FOR UPDATE SKIP LOCKED
), kept AS (
  UPDATE rentals SET captured_at = $1 FROM due WHERE rentals.id = due.id RETURNING rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
    rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
    rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at,
  (SELECT sum(price_micros)::bigint FROM charges
    WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured')) AS price_micros,
  (SELECT currency FROM accounts WHERE accounts.user_id = rentals.user_id) AS currency
), settled AS (
  UPDATE charges SET money = 'captured', settled_at = $1 FROM kept
  WHERE charges.rental_id = kept.id AND charges.purpose = 'rental' AND charges.money = 'held'
  RETURNING charges.id, charges.user_id, charges.price_micros, charges.currency
), captured_account AS (
  UPDATE accounts SET held_micros = held_micros - due.micros
  FROM (SELECT user_id, sum(price_micros)::bigint AS micros FROM settled GROUP BY user_id) due
  WHERE accounts.user_id = due.user_id
), captured_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, charge_id, at)
  SELECT 'capture', user_id, 'held', 'revenue', price_micros, currency, id, $1 FROM settled
)
SELECT * FROM kept;

-- rental-end-unused
-- server/core/numbers/rentals/queries/end.ts
-- $1 state text, $2 now timestamptz, $3 id int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text
WITH ended AS (
  UPDATE rentals SET state = $1, ended_at = $2
  WHERE id = $3 AND state IN ('active') AND extension_id IS NULL AND captured_at IS NULL AND ($1 = 'revoked' OR cancel_until > $2)
  RETURNING rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
    rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
    rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at,
  (SELECT sum(price_micros)::bigint FROM charges
    WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured')) AS price_micros,
  (SELECT currency FROM accounts WHERE accounts.user_id = rentals.user_id) AS currency
), settled AS (
  UPDATE charges SET money = 'released', settled_at = $2 FROM ended
  WHERE charges.rental_id = ended.id AND charges.purpose = 'rental' AND charges.money = 'held'
  RETURNING charges.id, charges.user_id, charges.price_micros, charges.currency
), released_account AS (
  UPDATE accounts
  SET available_micros = available_micros + due.micros, held_micros = held_micros - due.micros
  FROM (SELECT user_id, sum(price_micros)::bigint AS micros FROM settled GROUP BY user_id) due
  WHERE accounts.user_id = due.user_id
), released_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, charge_id, at)
  SELECT 'release', user_id, 'held', 'available', price_micros, currency, id, $2 FROM settled
),
rental_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $2, 'rental.' || state, user_id, id FROM ended
)
SELECT ended.* FROM ended WHERE (SELECT bool_and(queue_job('end-rental', json_build_object('rentalId', o.id::text), 25,
    CASE WHEN o.supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox) THEN 0 ELSE 10 END) IS NOT NULL) FROM ended o) AND (SELECT bool_and(raise_hooks(o.user_id, 'rental.ended', 'rental:' || o.id, NULL, jsonb_build_object('order', 'rental', 'id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
        'phone', o.phone, 'state', o.state, 'price_micros', o.price_micros::text, 'currency', o.currency, 'expires_at', o.expires_at), $2::timestamptz)) FROM ended o);

-- rental-expire
-- server/core/numbers/rentals/queries/end.ts
-- $1 now timestamptz, $2 play bool, $3 limit int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text
WITH due AS (
  SELECT id FROM rentals WHERE expires_at <= $1 AND state IN ('active') AND extension_id IS NULL AND (supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox)) <> $2::boolean
  ORDER BY expires_at LIMIT $3 FOR UPDATE SKIP LOCKED
), ended AS (
  UPDATE rentals SET state = 'expired', ended_at = $1, captured_at = COALESCE(captured_at, $1)
  FROM due WHERE rentals.id = due.id
  RETURNING rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
    rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
    rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at,
  (SELECT sum(price_micros)::bigint FROM charges
    WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured')) AS price_micros,
  (SELECT currency FROM accounts WHERE accounts.user_id = rentals.user_id) AS currency
), settled AS (
  UPDATE charges SET money = 'captured', settled_at = $1 FROM ended
  WHERE charges.rental_id = ended.id AND charges.purpose = 'rental' AND charges.money = 'held'
  RETURNING charges.id, charges.user_id, charges.price_micros, charges.currency
), captured_account AS (
  UPDATE accounts SET held_micros = held_micros - due.micros
  FROM (SELECT user_id, sum(price_micros)::bigint AS micros FROM settled GROUP BY user_id) due
  WHERE accounts.user_id = due.user_id
), captured_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, charge_id, at)
  SELECT 'capture', user_id, 'held', 'revenue', price_micros, currency, id, $1 FROM settled
),
rental_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $1, 'rental.' || state, user_id, id FROM ended
)
SELECT ended.* FROM ended WHERE (SELECT bool_and(queue_job('end-rental', json_build_object('rentalId', o.id::text), 25,
    CASE WHEN o.supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox) THEN 0 ELSE 10 END) IS NOT NULL) FROM ended o) AND (SELECT bool_and(raise_hooks(o.user_id, 'rental.ended', 'rental:' || o.id, NULL, jsonb_build_object('order', 'rental', 'id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
        'phone', o.phone, 'state', o.state, 'price_micros', o.price_micros::text, 'currency', o.currency, 'expires_at', o.expires_at), $1::timestamptz)) FROM ended o);

-- rental-finish
-- server/core/numbers/rentals/queries/end.ts
-- $1 now timestamptz, $2 id int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text
WITH ended AS (
  UPDATE rentals SET state = 'finished', ended_at = $1, captured_at = COALESCE(captured_at, $1)
  WHERE id = $2 AND state IN ('active') AND extension_id IS NULL AND (captured_at IS NOT NULL OR cancel_until <= $1)
  RETURNING rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
    rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
    rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at,
  (SELECT sum(price_micros)::bigint FROM charges
    WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured')) AS price_micros,
  (SELECT currency FROM accounts WHERE accounts.user_id = rentals.user_id) AS currency
), settled AS (
  UPDATE charges SET money = 'captured', settled_at = $1 FROM ended
  WHERE charges.rental_id = ended.id AND charges.purpose = 'rental' AND charges.money = 'held'
  RETURNING charges.id, charges.user_id, charges.price_micros, charges.currency
), captured_account AS (
  UPDATE accounts SET held_micros = held_micros - due.micros
  FROM (SELECT user_id, sum(price_micros)::bigint AS micros FROM settled GROUP BY user_id) due
  WHERE accounts.user_id = due.user_id
), captured_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, charge_id, at)
  SELECT 'capture', user_id, 'held', 'revenue', price_micros, currency, id, $1 FROM settled
),
rental_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $1, 'rental.' || state, user_id, id FROM ended
)
SELECT ended.* FROM ended WHERE (SELECT bool_and(queue_job('end-rental', json_build_object('rentalId', o.id::text), 25,
    CASE WHEN o.supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox) THEN 0 ELSE 10 END) IS NOT NULL) FROM ended o) AND (SELECT bool_and(raise_hooks(o.user_id, 'rental.ended', 'rental:' || o.id, NULL, jsonb_build_object('order', 'rental', 'id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
        'phone', o.phone, 'state', o.state, 'price_micros', o.price_micros::text, 'currency', o.currency, 'expires_at', o.expires_at), $1::timestamptz)) FROM ended o);

-- rental-mark-warned
-- server/core/numbers/rentals/queries/end.ts
-- $1 now timestamptz, $2 play bool, $3 limit int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text
WITH due AS (
  SELECT id FROM rentals WHERE warn_at <= $1 AND warned_at IS NULL AND state IN ('active') AND expires_at > $1 AND (supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox)) <> $2::boolean
  ORDER BY warn_at LIMIT $3 FOR UPDATE SKIP LOCKED
), warned AS (
  UPDATE rentals SET warned_at = $1 FROM due WHERE rentals.id = due.id RETURNING rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
    rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
    rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at,
  (SELECT sum(price_micros)::bigint FROM charges
    WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured')) AS price_micros,
  (SELECT currency FROM accounts WHERE accounts.user_id = rentals.user_id) AS currency
)
SELECT * FROM warned o WHERE raise_hooks(o.user_id, 'rental.ending', 'rental:' || o.id, NULL, jsonb_build_object('order', 'rental', 'id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
    'phone', o.phone, 'expires_at', o.expires_at), $1::timestamptz);

-- rental-charge-late-extension
-- server/core/numbers/rentals/queries/extend.ts
-- $1 rentalId int8, $2 costMicros int8, $3 chargeId int8
-- returns: is_new bool
WITH subject AS MATERIALIZED (
  SELECT id FROM rentals WHERE id = $1 FOR UPDATE
), late AS (
  UPDATE charges SET late_cost_micros = $2 FROM subject
  WHERE charges.id = $3 AND charges.rental_id = subject.id AND charges.money = 'released' AND late_cost_micros IS NULL
  RETURNING charges.rental_id
), counted AS (
  UPDATE rentals SET cost_micros = cost_micros + $2 FROM late WHERE rentals.id = late.rental_id
  RETURNING rentals.id, rentals.supplier_id, rentals.ended_at
), over AS (SELECT id, supplier_id FROM counted WHERE ended_at IS NOT NULL)
SELECT EXISTS (SELECT FROM late) AS is_new FROM charges
WHERE id = $3 AND rental_id = $1 AND money = 'released' AND (SELECT bool_and(queue_job('end-rental', json_build_object('rentalId', o.id::text), 25,
    CASE WHEN o.supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox) THEN 0 ELSE 10 END) IS NOT NULL) FROM over o) IS NOT FALSE;

-- rental-find-extension-by-key
-- server/core/numbers/rentals/queries/extend.ts
-- $1 userId int4, $2 key text
-- returns: rental_id int8, money text, price_micros int8, input_hash text
SELECT rental_id, money, price_micros, input_hash FROM charges
WHERE user_id = $1 AND idempotency_key = $2 AND purpose = 'extension';

-- rental-grant-extension
-- server/core/numbers/rentals/queries/extend.ts
-- $1 expiresAt timestamptz, $2 warnAt timestamptz, $3 costMicros int8, $4 now timestamptz, $5 rentalId int8, $6 chargeId int8, $7 nodeId int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text
WITH extended AS (
  UPDATE rentals SET extension_id = NULL, hours = rentals.hours + charges.hours, expires_at = $1, warn_at = $2,
    warned_at = NULL, cost_micros = cost_micros + $3, captured_at = COALESCE(captured_at, $4)
  FROM charges WHERE rentals.id = $5 AND rentals.extension_id = $6 AND rentals.node_id = $7 AND charges.id = $6
  RETURNING rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
    rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
    rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at, (SELECT sum(price_micros)::bigint FROM charges
      WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured')) + charges.price_micros AS price_micros, charges.currency
), settled AS (
  UPDATE charges SET money = 'captured', settled_at = $4 FROM extended
  WHERE charges.rental_id = extended.id AND charges.money = 'held'
  RETURNING charges.id, charges.user_id, charges.price_micros, charges.currency
), captured_account AS (
  UPDATE accounts SET held_micros = held_micros - due.micros
  FROM (SELECT user_id, sum(price_micros)::bigint AS micros FROM settled GROUP BY user_id) due
  WHERE accounts.user_id = due.user_id
), captured_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, charge_id, at)
  SELECT 'capture', user_id, 'held', 'revenue', price_micros, currency, id, $4 FROM settled
), rental_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $4, 'rental.' || 'extended', user_id, id FROM extended
)
SELECT * FROM extended;

-- rental-list-open-extensions
-- server/core/numbers/rentals/queries/extend.ts
-- $1 nodeId int8, $2 before timestamptz, $3 afterAt timestamptz, $4 afterId int8, $5 limit int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text, extension_hours int4, asked_at timestamptz
SELECT rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
  rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
  rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at,
(SELECT sum(price_micros)::bigint FROM charges
  WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured')) AS price_micros,
(SELECT currency FROM accounts WHERE accounts.user_id = rentals.user_id) AS currency, c.hours AS extension_hours, c.created_at AS asked_at
FROM rentals JOIN charges c ON c.id = rentals.extension_id
WHERE rentals.extension_id IS NOT NULL AND rentals.node_id = $1 AND c.created_at <= $2
  AND (c.created_at, rentals.id) > ($3, $4)
ORDER BY c.created_at, rentals.id LIMIT $5;

-- rental-release-extension
-- server/core/numbers/rentals/queries/extend.ts
-- $1 rentalId int8, $2 chargeId int8, $3 nodeId int8, $4 now timestamptz, $5 abandon bool
-- returns: rows without columns
WITH refused AS (
  UPDATE rentals SET extension_id = NULL WHERE id = $1 AND extension_id = $2 AND ($3::bigint IS NULL OR node_id = $3)
  RETURNING id, user_id, supplier_id, supplier_reference, attempt
), settled AS (
  UPDATE charges SET money = 'released', settled_at = $4 FROM refused WHERE charges.id = $2 AND charges.money = 'held'
  RETURNING charges.id, charges.user_id, charges.price_micros, charges.currency, charges.hours
), released_account AS (
  UPDATE accounts
  SET available_micros = available_micros + due.micros, held_micros = held_micros - due.micros
  FROM (SELECT user_id, sum(price_micros)::bigint AS micros FROM settled GROUP BY user_id) due
  WHERE accounts.user_id = due.user_id
), released_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, charge_id, at)
  SELECT 'release', user_id, 'held', 'available', price_micros, currency, id, $4 FROM settled
), rental_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $4, 'rental.' || 'extension-refused', user_id, id FROM refused
), abandoned AS (
  SELECT queue_job('abandon-extension', json_build_object('supplierId', supplier_id,
      'rentalId', refused.id, 'chargeId', settled.id, 'reference', 'r' || refused.id || '-' || attempt,
      'supplierReference', supplier_reference, 'hours', hours), 25)
  FROM refused, settled WHERE $5
)
SELECT FROM refused WHERE (SELECT count(*) FROM abandoned) >= 0;

-- rental-reserve-extension
-- server/core/numbers/rentals/queries/extend.ts
-- $1 rentalId int8, $2 userId int4, $3 now timestamptz, $4 priceMicros int8, $5 currency text, $6 idempotencyKey text, $7 dayLimit int8, $8 apiKeyId int4, $9 hours int4, $10 inputHash text, $11 costLimitMicros int8, $12 nodeId int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text, extension_hours int4, asked_at timestamptz
WITH subject AS MATERIALIZED (
  SELECT id FROM rentals WHERE id = $1 AND user_id = $2 AND state = 'active' AND extension_id IS NULL AND expires_at > $3
  FOR UPDATE
), payer AS (
  UPDATE accounts
  SET available_micros = available_micros - $4, held_micros = held_micros + $4
  WHERE user_id = $2 AND currency = $5 AND available_micros >= $4 AND debt_micros = 0
    AND NOT EXISTS (SELECT FROM users WHERE id = $2 AND blocked_at IS NOT NULL)
    AND NOT (NOT EXISTS (SELECT FROM subject)
        OR EXISTS (SELECT FROM charges WHERE user_id = $2 AND idempotency_key = $6)
        OR (purchase_limit_reached($2, $4::bigint, $3::timestamptz, NULL, COALESCE(accounts.day_spend_limit_micros, $7::bigint), NULL) IS NOT NULL) OR ($8::integer IS NOT NULL AND key_refuses($8::integer, $4::bigint, $3::timestamptz, NULL)))
  RETURNING user_id
), charge AS (
  INSERT INTO charges (user_id, purpose, rental_id, hours, price_micros, currency, money, idempotency_key, input_hash, created_at, api_key_id)
  SELECT user_id, 'extension', $1, $9, $4, $5, 'held', $6, $10, $3, $8 FROM payer
  RETURNING id, user_id, price_micros, currency, hours AS extension_hours, created_at AS asked_at
), marked AS (
  UPDATE rentals SET extension_id = charge.id, cost_limit_micros = $11, node_id = $12 FROM charge WHERE rentals.id = $1
  RETURNING rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
    rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
    rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at,
  (SELECT sum(price_micros)::bigint FROM charges
    WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured')) AS price_micros,
  (SELECT currency FROM accounts WHERE accounts.user_id = rentals.user_id) AS currency, extension_hours, asked_at
), hold_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, charge_id, at)
  SELECT 'hold', user_id, 'available', 'held', price_micros, currency, id, $3 FROM charge
)
SELECT * FROM marked;

-- rental-find
-- server/core/numbers/rentals/queries/read.ts
-- $1 id int8, $2 userId int4
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text
SELECT rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
  rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
  rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at,
(SELECT sum(price_micros)::bigint FROM charges
  WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured')) AS price_micros,
(SELECT currency FROM accounts WHERE accounts.user_id = rentals.user_id) AS currency FROM rentals WHERE id = $1 AND user_id = $2;

-- rental-find-any
-- server/core/numbers/rentals/queries/read.ts
-- $1 id int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text
SELECT rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
  rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
  rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at,
(SELECT sum(price_micros)::bigint FROM charges
  WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured')) AS price_micros,
(SELECT currency FROM accounts WHERE accounts.user_id = rentals.user_id) AS currency FROM rentals WHERE id = $1;

-- rental-find-by-key
-- server/core/numbers/rentals/queries/read.ts
-- $1 userId int4, $2 key text
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text
SELECT rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
  rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
  rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at,
(SELECT sum(price_micros)::bigint FROM charges
  WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured')) AS price_micros,
(SELECT currency FROM accounts WHERE accounts.user_id = rentals.user_id) AS currency FROM rentals WHERE user_id = $1 AND idempotency_key = $2;

-- rental-is-rented
-- server/core/numbers/rentals/queries/read.ts
-- $1 phone text, $2 supplierId int4, $3 supplierReference text
-- returns: rented bool
SELECT EXISTS (SELECT FROM rentals
  WHERE phone = $1 AND state IN ('active') AND supplier_id = $2 AND supplier_reference = $3) AS rented;

-- rental-list-ended
-- server/core/numbers/rentals/queries/read.ts
-- $1 userId int4, $2 serviceCodes text[], $3 countryIds int4[], $4 searched bool, $5 phonePart text, $6 foundServices text[], $7 foundCountries int4[], $8 limit int8, $9 offset int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text, total int8, total_count int8
WITH wanted AS MATERIALIZED (
  SELECT id FROM rentals WHERE user_id = $1 AND state IN ('finished', 'expired', 'cancelled', 'revoked') AND ($2::text[] IS NULL OR service_code = ANY ($2)) AND ($3::integer[] IS NULL OR country_id = ANY ($3))
    AND (NOT $4 OR phone LIKE '%' || $5 || '%' OR service_code = ANY ($6) OR country_id = ANY ($7))
), totals AS (SELECT (SELECT count(*) FROM wanted) AS total, (SELECT count(*) FROM rentals WHERE user_id = $1 AND state = 'active') AS total_count)
SELECT page.*, totals.* FROM totals LEFT JOIN LATERAL (
  SELECT rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
    rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
    rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at,
  (SELECT sum(price_micros)::bigint FROM charges
    WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured')) AS price_micros,
  (SELECT currency FROM accounts WHERE accounts.user_id = rentals.user_id) AS currency FROM rentals WHERE id IN (SELECT id FROM wanted) ORDER BY id DESC LIMIT $8 OFFSET $9
) page ON true ORDER BY id DESC;

-- rental-list-expiring
-- server/core/numbers/rentals/queries/read.ts
-- $1 userId int4, $2 serviceCodes text[], $3 countryIds int4[], $4 searched bool, $5 phonePart text, $6 foundServices text[], $7 foundCountries int4[], $8 limit int8, $9 offset int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text, total int8, total_count int8
WITH wanted AS MATERIALIZED (
  SELECT id FROM rentals WHERE user_id = $1 AND state IN ('active') AND ($2::text[] IS NULL OR service_code = ANY ($2)) AND ($3::integer[] IS NULL OR country_id = ANY ($3))
    AND (NOT $4 OR phone LIKE '%' || $5 || '%' OR service_code = ANY ($6) OR country_id = ANY ($7))
), totals AS (SELECT (SELECT count(*) FROM wanted) AS total, (SELECT count(*) FROM rentals WHERE user_id = $1 AND state = 'active') AS total_count)
SELECT page.*, totals.* FROM totals LEFT JOIN LATERAL (
  SELECT rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
    rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
    rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at,
  (SELECT sum(price_micros)::bigint FROM charges
    WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured')) AS price_micros,
  (SELECT currency FROM accounts WHERE accounts.user_id = rentals.user_id) AS currency FROM rentals WHERE id IN (SELECT id FROM wanted) ORDER BY expires_at, id LIMIT $8 OFFSET $9
) page ON true ORDER BY expires_at, id;

-- rental-list-newest
-- server/core/numbers/rentals/queries/read.ts
-- $1 userId int4, $2 serviceCodes text[], $3 countryIds int4[], $4 searched bool, $5 phonePart text, $6 foundServices text[], $7 foundCountries int4[], $8 limit int8, $9 offset int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text, total int8, total_count int8
WITH wanted AS MATERIALIZED (
  SELECT id FROM rentals WHERE user_id = $1 AND state IN ('active') AND ($2::text[] IS NULL OR service_code = ANY ($2)) AND ($3::integer[] IS NULL OR country_id = ANY ($3))
    AND (NOT $4 OR phone LIKE '%' || $5 || '%' OR service_code = ANY ($6) OR country_id = ANY ($7))
), totals AS (SELECT (SELECT count(*) FROM wanted) AS total, (SELECT count(*) FROM rentals WHERE user_id = $1 AND state = 'active') AS total_count)
SELECT page.*, totals.* FROM totals LEFT JOIN LATERAL (
  SELECT rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
    rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
    rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at,
  (SELECT sum(price_micros)::bigint FROM charges
    WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured')) AS price_micros,
  (SELECT currency FROM accounts WHERE accounts.user_id = rentals.user_id) AS currency FROM rentals WHERE id IN (SELECT id FROM wanted) ORDER BY id DESC LIMIT $8 OFFSET $9
) page ON true ORDER BY id DESC;

-- rental-list-oldest
-- server/core/numbers/rentals/queries/read.ts
-- $1 userId int4, $2 serviceCodes text[], $3 countryIds int4[], $4 searched bool, $5 phonePart text, $6 foundServices text[], $7 foundCountries int4[], $8 limit int8, $9 offset int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text, total int8, total_count int8
WITH wanted AS MATERIALIZED (
  SELECT id FROM rentals WHERE user_id = $1 AND state IN ('active') AND ($2::text[] IS NULL OR service_code = ANY ($2)) AND ($3::integer[] IS NULL OR country_id = ANY ($3))
    AND (NOT $4 OR phone LIKE '%' || $5 || '%' OR service_code = ANY ($6) OR country_id = ANY ($7))
), totals AS (SELECT (SELECT count(*) FROM wanted) AS total, (SELECT count(*) FROM rentals WHERE user_id = $1 AND state = 'active') AS total_count)
SELECT page.*, totals.* FROM totals LEFT JOIN LATERAL (
  SELECT rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
    rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
    rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at,
  (SELECT sum(price_micros)::bigint FROM charges
    WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured')) AS price_micros,
  (SELECT currency FROM accounts WHERE accounts.user_id = rentals.user_id) AS currency FROM rentals WHERE id IN (SELECT id FROM wanted) ORDER BY id LIMIT $8 OFFSET $9
) page ON true ORDER BY id;

-- rental-fail
-- server/core/numbers/rentals/queries/reserve.ts
-- $1 now timestamptz, $2 id int8, $3 nodeId int8, $4 abandon bool
-- returns: id int8
WITH failed AS (
  UPDATE rentals SET state = 'failed', ended_at = $1,
    idempotency_key = CASE WHEN channel = 'handler_api' THEN NULL ELSE idempotency_key END
  WHERE id = $2 AND node_id = $3 AND state IN ('reserving')
  RETURNING id, user_id, state, supplier_id, attempt
), settled AS (
  UPDATE charges SET money = 'released', settled_at = $1 FROM failed
  WHERE charges.rental_id = failed.id AND charges.purpose = 'rental' AND charges.money = 'held'
  RETURNING charges.id, charges.user_id, charges.price_micros, charges.currency
), released_account AS (
  UPDATE accounts
  SET available_micros = available_micros + due.micros, held_micros = held_micros - due.micros
  FROM (SELECT user_id, sum(price_micros)::bigint AS micros FROM settled GROUP BY user_id) due
  WHERE accounts.user_id = due.user_id
), released_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, charge_id, at)
  SELECT 'release', user_id, 'held', 'available', price_micros, currency, id, $1 FROM settled
),
rental_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $1, 'rental.' || state, user_id, id FROM failed
), abandoned AS (
  SELECT queue_job('abandon-rental', json_build_object('supplierId', supplier_id, 'reference', 'r' || id || '-' || attempt), 25)
  FROM failed WHERE $4
)
SELECT id FROM failed WHERE (SELECT count(*) FROM abandoned) >= 0;

-- rental-list-orphans
-- server/core/numbers/rentals/queries/reserve.ts
-- $1 nodeId int8, $2 before timestamptz, $3 afterAt timestamptz, $4 afterId int8, $5 limit int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text
SELECT rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
  rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
  rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at,
(SELECT sum(price_micros)::bigint FROM charges
  WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured')) AS price_micros,
(SELECT currency FROM accounts WHERE accounts.user_id = rentals.user_id) AS currency FROM rentals
WHERE state = 'reserving' AND node_id = $1 AND created_at <= $2 AND (created_at, id) > ($3, $4)
ORDER BY created_at, id LIMIT $5;

-- rental-next-attempt
-- server/core/numbers/rentals/queries/reserve.ts
-- $1 id int8, $2 attempt int4, $3 nodeId int8, $4 now timestamptz, $5 abandon bool, $6 supplierId int4, $7 costLimitMicros int8, $8 costCurrency text
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text
WITH left_behind AS (
  SELECT id, user_id, supplier_id, attempt FROM rentals WHERE id = $1 AND state = 'reserving' AND attempt = $2 AND node_id = $3 FOR UPDATE
), attempt_event AS (
  INSERT INTO events (at, kind, user_id, subject_id, data)
  SELECT $4, 'rental.attempt-left', user_id, id, jsonb_build_object('attempt', attempt, 'unknown', $5::boolean,
      'supplier', (SELECT code FROM suppliers WHERE suppliers.id = left_behind.supplier_id))
  FROM left_behind
), abandoned AS (
  SELECT queue_job('abandon-rental', json_build_object('supplierId', supplier_id, 'reference', 'r' || id || '-' || attempt), 25)
  FROM left_behind WHERE $5
)
UPDATE rentals SET attempt = rentals.attempt + 1, supplier_id = $6, cost_limit_micros = $7,
  cost_currency = $8
FROM left_behind WHERE rentals.id = left_behind.id AND (SELECT count(*) FROM abandoned) >= 0
RETURNING rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
  rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
  rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at,
(SELECT sum(price_micros)::bigint FROM charges
  WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured')) AS price_micros,
(SELECT currency FROM accounts WHERE accounts.user_id = rentals.user_id) AS currency;

-- rental-reserve
-- server/core/numbers/rentals/queries/reserve.ts
-- $1 priceMicros int8, $2 userId int4, $3 currency text, $4 idempotencyKey text, $5 serviceCode text, $6 countryId int4, $7 now timestamptz, $8 openLimit int4, $9 dayLimit int8, $10 apiKeyId int4, $11 operatorWanted text, $12 hours int4, $13 supplierId int4, $14 channel text, $15 inputHash text, $16 expiresAt timestamptz, $17 costLimitMicros int8, $18 costCurrency text, $19 cancelUntil timestamptz, $20 warnAt timestamptz, $21 nodeId int8, $22 route text
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text
WITH payer AS (
  UPDATE accounts
  SET available_micros = available_micros - $1, held_micros = held_micros + $1
  WHERE user_id = $2 AND currency = $3 AND available_micros >= $1 AND debt_micros = 0
    AND NOT EXISTS (SELECT FROM users WHERE id = $2 AND blocked_at IS NOT NULL)
    AND NOT (EXISTS (SELECT FROM rentals WHERE user_id = $2 AND idempotency_key = $4)
        OR (EXISTS (SELECT FROM services WHERE code = $5 AND blocked_at IS NOT NULL)
            OR EXISTS (SELECT FROM purchase_pauses WHERE user_id = $2 AND service_code = $5
                AND country_id = $6 AND until > $7)) OR (purchase_limit_reached($2, $1::bigint, $7::timestamptz, COALESCE(accounts.open_numbers_limit, $8::integer), COALESCE(accounts.day_spend_limit_micros, $9::bigint), NULL) IS NOT NULL) OR ($10::integer IS NOT NULL AND key_refuses($10::integer, $1::bigint, $7::timestamptz, NULL)))
  RETURNING user_id
), made AS (
  INSERT INTO rentals (user_id, service_code, country_id, operator_wanted, state, hours, supplier_id, channel,
      idempotency_key, input_hash, created_at, expires_at, cost_limit_micros, cost_currency, cancel_until, warn_at, node_id)
  SELECT user_id, $5, $6, $11, 'reserving', $12, $13, $14, $4, $15, $7, $16, $17, $18, $19, $20, $21 FROM payer
  RETURNING rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
    rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
    rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at
), charge AS (
  INSERT INTO charges (user_id, purpose, rental_id, hours, price_micros, currency, money, created_at, api_key_id)
  SELECT user_id, 'rental', id, hours, $1, $3, 'held', $7, $10 FROM made
  RETURNING id, user_id, price_micros, currency
), routed AS (
  INSERT INTO events (at, kind, user_id, subject_id, data)
  SELECT $7, 'rental.routed', user_id, id, jsonb_build_object('why', $22::text) FROM made WHERE $22::text IS NOT NULL
), hold_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, charge_id, at)
  SELECT 'hold', user_id, 'available', 'held', price_micros, currency, id, $7 FROM charge
)
SELECT made.*, charge.price_micros, charge.currency FROM made, charge;

-- rental-settle
-- server/core/numbers/rentals/queries/reserve.ts
-- $1 phone text, $2 operator text, $3 supplierReference text, $4 costMicros int8, $5 family text, $6 sendersKnown bool, $7 id int8, $8 attempt int4, $9 nodeId int8, $10 now timestamptz
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text
WITH settled AS (
  UPDATE rentals SET state = 'active', phone = $1, operator = $2, supplier_reference = $3, cost_micros = $4,
    cost_rate_micros = (SELECT rub_micros FROM exchange_rates WHERE currency = 'usd'),
    family = NULLIF($5, service_code), senders_known = $6
  WHERE id = $7 AND attempt = $8 AND node_id = $9 AND state IN ('reserving')
    AND NOT EXISTS (SELECT FROM burnt_numbers b WHERE b.phone = $1 AND (rentals.service_code = 'full'
        OR b.service_code IN (rentals.service_code, 'full')))
    AND NOT EXISTS (SELECT FROM used_reports r WHERE r.phone = $1 AND r.service_code = rentals.service_code
        AND r.user_id = rentals.user_id AND r.lifted_at IS NULL)
    AND NOT number_closed($1, user_id, $5, $6, true, $10)
  RETURNING rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
    rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
    rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at,
  (SELECT sum(price_micros)::bigint FROM charges
    WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured')) AS price_micros,
  (SELECT currency FROM accounts WHERE accounts.user_id = rentals.user_id) AS currency
), rental_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $10, 'rental.' || state, user_id, id FROM settled
)
SELECT * FROM settled;

-- rental-take-over
-- server/core/numbers/rentals/queries/reserve.ts
-- $1 nodeId int8
-- returns: nothing
UPDATE rentals SET node_id = $1
WHERE (state = 'reserving' OR extension_id IS NOT NULL) AND node_id IS DISTINCT FROM $1
  AND NOT EXISTS (SELECT FROM nodes WHERE nodes.id = rentals.node_id AND nodes.ended_at IS NULL);

-- rental-give-sms
-- server/core/numbers/rentals/queries/sms.ts
-- $1 id int8, $2 from text[], $3 code text, $4 now timestamptz, $5 rentalId int8, $6 given text
-- returns: queued bool, hooked bool
WITH taken AS (SELECT id FROM messages WHERE id = $1 AND given = ANY ($2::text[]) FOR UPDATE), hit AS (
  UPDATE rentals SET sms_count = sms_count + 1, code = COALESCE($3, code), captured_at = COALESCE(captured_at, $4)
  WHERE id = $5 AND EXISTS (SELECT FROM taken) AND state IN ('active')
  RETURNING id, user_id, service_code, country_id, phone, sms_count
), settled AS (
  UPDATE charges SET money = 'captured', settled_at = $4 FROM hit
  WHERE charges.rental_id = hit.id AND charges.purpose = 'rental' AND charges.money = 'held'
  RETURNING charges.id, charges.user_id, charges.price_micros, charges.currency
), captured_account AS (
  UPDATE accounts SET held_micros = held_micros - due.micros
  FROM (SELECT user_id, sum(price_micros)::bigint AS micros FROM settled GROUP BY user_id) due
  WHERE accounts.user_id = due.user_id
), captured_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, charge_id, at)
  SELECT 'capture', user_id, 'held', 'revenue', price_micros, currency, id, $4 FROM settled
), burnt AS (
  INSERT INTO burnt_numbers (phone, service_code) SELECT phone, service_code FROM hit WHERE sms_count = 1
  ON CONFLICT DO NOTHING
), rental_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $4, 'rental.' || 'received', user_id, id FROM hit
), moved AS (
  UPDATE messages SET rental_id = hit.id, activation_id = NULL, code = $3, given = $6 FROM hit, taken
  WHERE messages.id = taken.id
), told AS (
  SELECT t.queued, t.hooked FROM (SELECT taken.id AS message_id, hit.* FROM taken, hit) o, LATERAL tell_code(o.message_id, o.user_id,
      CASE WHEN o.sms_count > 1 THEN 'code.another' ELSE 'code.received' END, 'rental:' || o.id, jsonb_build_object('order', 'rental', 'id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
          'phone', o.phone), $4::timestamptz) t
)
SELECT (SELECT queued FROM told) AS queued, (SELECT hooked FROM told) AS hooked FROM hit;

-- rental-store-sms
-- server/core/numbers/rentals/queries/sms.ts
-- $1 code text, $2 now timestamptz, $3 rentalId int8, $4 supplierId int4, $5 phone text, $6 sender text, $7 text text, $8 messageId text, $9 receivedAt timestamptz, $10 namedBy text, $11 namedServices text[], $12 namedFamily text, $13 namingVersion int2, $14 reference text, $15 given text
-- returns: message_id int8, queued bool, hooked bool
WITH hit AS (
  UPDATE rentals SET sms_count = sms_count + 1, code = COALESCE($1, code), captured_at = COALESCE(captured_at, $2)
  WHERE id = $3 AND state IN ('active')
  RETURNING id, user_id, service_code, country_id, phone, sms_count
), settled AS (
  UPDATE charges SET money = 'captured', settled_at = $2 FROM hit
  WHERE charges.rental_id = hit.id AND charges.purpose = 'rental' AND charges.money = 'held'
  RETURNING charges.id, charges.user_id, charges.price_micros, charges.currency
), captured_account AS (
  UPDATE accounts SET held_micros = held_micros - due.micros
  FROM (SELECT user_id, sum(price_micros)::bigint AS micros FROM settled GROUP BY user_id) due
  WHERE accounts.user_id = due.user_id
), captured_transfer AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, charge_id, at)
  SELECT 'capture', user_id, 'held', 'revenue', price_micros, currency, id, $2 FROM settled
), burnt AS (
  INSERT INTO burnt_numbers (phone, service_code) SELECT phone, service_code FROM hit WHERE sms_count = 1
  ON CONFLICT DO NOTHING
), rental_event AS (
  INSERT INTO events (at, kind, user_id, subject_id)
  SELECT $2, 'rental.' || 'received', user_id, id FROM hit
), stored AS (
  INSERT INTO messages (supplier_id, phone, sender, body, supplier_message_id, received_at, named_by, named_services,
      named_family, naming_version, reference, code, given, activation_id, rental_id)
  SELECT $4::integer, $5::text, $6::text, $7::text, $8::text, $9::timestamptz, $10::text, $11::text[], $12::text, $13::smallint,
    $14::text, $1, $15, NULL::bigint, hit.id
  FROM hit
  RETURNING id AS message_id
), told AS (
  SELECT t.queued, t.hooked FROM (SELECT message_id, hit.* FROM stored, hit) o, LATERAL tell_code(o.message_id, o.user_id,
      CASE WHEN o.sms_count > 1 THEN 'code.another' ELSE 'code.received' END, 'rental:' || o.id, jsonb_build_object('order', 'rental', 'id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
          'phone', o.phone), $2::timestamptz) t
)
SELECT message_id, (SELECT queued FROM told) AS queued, (SELECT hooked FROM told) AS hooked FROM stored;
