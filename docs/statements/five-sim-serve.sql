-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/adapters/five-sim/serve/queries/max-prices.ts: max-prices-delete, max-prices-find, max-prices-list, max-prices-put
-- server/adapters/five-sim/serve/queries/orders.ts: five-sim-activations-false, five-sim-activations-true, five-sim-count-activations, five-sim-count-rentals, five-sim-last-finished, five-sim-rentals-false, five-sim-rentals-true
-- server/adapters/five-sim/serve/queries/payments.ts: five-sim-payments-false, five-sim-payments-true
-- server/adapters/five-sim/serve/queries/rating.ts: five-sim-key-spent

-- max-prices-delete
-- server/adapters/five-sim/serve/queries/max-prices.ts
-- $1 userId int4, $2 serviceCode text
-- returns: nothing
DELETE FROM max_prices WHERE user_id = $1 AND service_code = $2;

-- max-prices-find
-- server/adapters/five-sim/serve/queries/max-prices.ts
-- $1 userId int4, $2 serviceCode text
-- returns: price_micros int8
SELECT price_micros FROM max_prices WHERE user_id = $1 AND service_code = $2;

-- max-prices-list
-- server/adapters/five-sim/serve/queries/max-prices.ts
-- $1 userId int4
-- returns: id int8, service_code text, price_micros int8, created_at timestamptz
SELECT id, service_code, price_micros, created_at FROM max_prices WHERE user_id = $1 ORDER BY id;

-- max-prices-put
-- server/adapters/five-sim/serve/queries/max-prices.ts
-- $1 userId int4, $2 serviceCode text, $3 priceMicros int8, $4 now timestamptz
-- returns: nothing
INSERT INTO max_prices (user_id, service_code, price_micros, created_at)
VALUES ($1, $2, $3, $4)
ON CONFLICT ON CONSTRAINT max_prices_once DO UPDATE SET price_micros = $3;

-- five-sim-activations-false
-- server/adapters/five-sim/serve/queries/orders.ts
-- $1 userId int4, $2 limit int8, $3 offset int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, money text, price_micros int8, currency text, supplier_id int4, attempt int4, supplier_reference text, phone text, code text, sms_count int4, again_asked_at timestamptz, notice_at timestamptz, cost_limit_micros int8, excluded_prefixes text[], repeat_of int8, idempotency_key text, input_hash text, created_at timestamptz, expires_at timestamptz, ended_at timestamptz
SELECT id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
  supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
  idempotency_key, input_hash, created_at, expires_at, ended_at FROM activations WHERE user_id = $1 AND state NOT IN ('reserving', 'failed')
ORDER BY id LIMIT $2 OFFSET $3;

-- five-sim-activations-true
-- server/adapters/five-sim/serve/queries/orders.ts
-- $1 userId int4, $2 limit int8, $3 offset int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, money text, price_micros int8, currency text, supplier_id int4, attempt int4, supplier_reference text, phone text, code text, sms_count int4, again_asked_at timestamptz, notice_at timestamptz, cost_limit_micros int8, excluded_prefixes text[], repeat_of int8, idempotency_key text, input_hash text, created_at timestamptz, expires_at timestamptz, ended_at timestamptz
SELECT id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
  supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
  idempotency_key, input_hash, created_at, expires_at, ended_at FROM activations WHERE user_id = $1 AND state NOT IN ('reserving', 'failed')
ORDER BY id DESC LIMIT $2 OFFSET $3;

-- five-sim-count-activations
-- server/adapters/five-sim/serve/queries/orders.ts
-- $1 userId int4, $2 most int8
-- returns: count int8
SELECT count(*) FROM (SELECT FROM activations WHERE user_id = $1 AND state NOT IN ('reserving', 'failed') LIMIT $2) counted;

-- five-sim-count-rentals
-- server/adapters/five-sim/serve/queries/orders.ts
-- $1 userId int4, $2 most int8
-- returns: count int8
SELECT count(*) FROM (SELECT FROM rentals WHERE user_id = $1 AND state NOT IN ('reserving', 'failed') LIMIT $2) counted;

-- five-sim-last-finished
-- server/adapters/five-sim/serve/queries/orders.ts
-- $1 phone text, $2 userId int4, $3 serviceCode text
-- returns: id int8, ended_at timestamptz
SELECT id, ended_at FROM activations WHERE phone = $1 AND user_id = $2 AND service_code = $3
  AND state = 'finished' AND ended_at IS NOT NULL
ORDER BY created_at DESC LIMIT 1;

-- five-sim-rentals-false
-- server/adapters/five-sim/serve/queries/orders.ts
-- $1 userId int4, $2 limit int8, $3 offset int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text
SELECT rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
  rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
  rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at,
(SELECT sum(price_micros)::bigint FROM charges
  WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured')) AS price_micros,
(SELECT currency FROM accounts WHERE accounts.user_id = rentals.user_id) AS currency FROM rentals WHERE user_id = $1 AND state NOT IN ('reserving', 'failed') ORDER BY id LIMIT $2 OFFSET $3;

-- five-sim-rentals-true
-- server/adapters/five-sim/serve/queries/orders.ts
-- $1 userId int4, $2 limit int8, $3 offset int8
-- returns: id int8, user_id int4, service_code text, country_id int4, operator_wanted text, operator text, state text, hours int4, supplier_id int4, attempt int4, supplier_reference text, cost_limit_micros int8, cost_currency text, phone text, code text, sms_count int4, idempotency_key text, input_hash text, created_at timestamptz, cancel_until timestamptz, captured_at timestamptz, expires_at timestamptz, extension_id int8, warned_at timestamptz, ended_at timestamptz, price_micros int8, currency text
SELECT rentals.id, rentals.user_id, rentals.service_code, rentals.country_id, rentals.operator_wanted, rentals.operator, rentals.state, rentals.hours, rentals.supplier_id, rentals.attempt,
  rentals.supplier_reference, rentals.cost_limit_micros, rentals.cost_currency, rentals.phone, rentals.code, rentals.sms_count, rentals.idempotency_key, rentals.input_hash, rentals.created_at, rentals.cancel_until, rentals.captured_at,
  rentals.expires_at, rentals.extension_id, rentals.warned_at, rentals.ended_at,
(SELECT sum(price_micros)::bigint FROM charges
  WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured')) AS price_micros,
(SELECT currency FROM accounts WHERE accounts.user_id = rentals.user_id) AS currency FROM rentals WHERE user_id = $1 AND state NOT IN ('reserving', 'failed') ORDER BY id DESC LIMIT $2 OFFSET $3;

-- five-sim-payments-false
-- server/adapters/five-sim/serve/queries/payments.ts
-- $1 userId int4, $2 afterId int8, $3 scanned int8, $4 limit int8, $5 offset int8
-- returns: id int8, kind text, delta_micros int8, balance_micros int8, system text, at timestamptz, total int8
WITH known AS (
  SELECT id, kind, delta_micros, payment_id, at,
  (SELECT available_micros FROM accounts WHERE user_id = $1) - COALESCE(sum(delta_micros)
      OVER (ORDER BY id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint AS balance_micros
  FROM (SELECT *, CASE WHEN to_account = 'available' THEN amount_micros ELSE -amount_micros END AS delta_micros FROM transfers WHERE user_id = $1 AND id < $2 AND (from_account = 'available' OR to_account = 'available') ORDER BY id DESC LIMIT $3) scanned
)
SELECT known.id, kind, delta_micros, balance_micros, p.system, at, count(*) OVER () AS total
FROM known LEFT JOIN payments p ON p.id = known.payment_id
WHERE kind NOT IN ('hold', 'release', 'refund') ORDER BY known.id
LIMIT $4 OFFSET $5;

-- five-sim-payments-true
-- server/adapters/five-sim/serve/queries/payments.ts
-- $1 userId int4, $2 afterId int8, $3 scanned int8, $4 limit int8, $5 offset int8
-- returns: id int8, kind text, delta_micros int8, balance_micros int8, system text, at timestamptz, total int8
WITH known AS (
  SELECT id, kind, delta_micros, payment_id, at,
  (SELECT available_micros FROM accounts WHERE user_id = $1) - COALESCE(sum(delta_micros)
      OVER (ORDER BY id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint AS balance_micros
  FROM (SELECT *, CASE WHEN to_account = 'available' THEN amount_micros ELSE -amount_micros END AS delta_micros FROM transfers WHERE user_id = $1 AND id < $2 AND (from_account = 'available' OR to_account = 'available') ORDER BY id DESC LIMIT $3) scanned
)
SELECT known.id, kind, delta_micros, balance_micros, p.system, at, count(*) OVER () AS total
FROM known LEFT JOIN payments p ON p.id = known.payment_id
WHERE kind NOT IN ('hold', 'release', 'refund') ORDER BY known.id DESC
LIMIT $4 OFFSET $5;

-- five-sim-key-spent
-- server/adapters/five-sim/serve/queries/rating.ts
-- $1 keyId int4, $2 now timestamptz
-- returns: spent bool
SELECT key_refuses($1, 1, $2, NULL) AS spent;
