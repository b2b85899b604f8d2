-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/adapters/shared/resold/queries/accounts.ts: resell-store-rating
-- server/adapters/shared/resold/queries/order-book.ts: give-back-of-resold-orders, give-back-of-resold-rents, give-back-of-sim-bank-orders, insert-order-of-resold-orders, insert-order-of-resold-rents, insert-order-of-sim-bank-orders, list-known-of-resold-orders, list-known-of-resold-rents, mark-open-of-resold-orders, mark-open-of-resold-rents, mark-unsold-of-resold-orders, mark-unsold-of-resold-rents, mark-unsold-of-sim-bank-orders
-- server/adapters/shared/resold/queries/orders.ts: resold-begin-round, resold-find-activation-of-phone, resold-find-order, resold-has-messages, resold-list-unfinished, resold-mark-ended, resold-mark-round-taken

-- resell-store-rating
-- server/adapters/shared/resold/queries/accounts.ts
-- $1 supplierId int4, $2 ratingHundredths int4, $3 now timestamptz
-- returns: low bool
WITH before AS (
  SELECT supplier_id, rating_low FROM resell_accounts WHERE supplier_id = $1 FOR UPDATE
), stored AS (
  UPDATE resell_accounts a SET rating_hundredths = $2, rating_low = CASE
    WHEN $2::integer < 2000 THEN true
    WHEN $2::integer >= 2500 THEN false ELSE a.rating_low END
  FROM before b WHERE a.supplier_id = b.supplier_id
  RETURNING a.supplier_id, a.rating_low AS low, b.rating_low AS was
), told AS (
  INSERT INTO supplier_events (supplier_id, at, kind, reason)
  SELECT supplier_id, $3, CASE WHEN low THEN 'rating-low' ELSE 'rating-enough' END,
    'the rating there is ' || round($2::integer / 100.0, 2) FROM stored WHERE low <> was
  RETURNING kind
) SELECT low FROM stored WHERE low <> was AND (SELECT count(*) FROM told) > 0;

-- give-back-of-resold-orders
-- server/adapters/shared/resold/queries/order-book.ts
-- $1 theirId text, $2 costMicros int8, $3 phone text, $4 supplierId int4, $5 reference text
-- returns: queue_job int8
WITH late AS (
  INSERT INTO resold_orders (supplier_id, reference, state, cost_micros, asked_at, service, country, operator, activation_id, phone)
  SELECT supplier_id, reference || '/' || $1::text, 'open', $2, asked_at, service, country, operator, $1, $3
  FROM resold_orders WHERE supplier_id = $4 AND reference = $5 AND state <> 'asking'
  ON CONFLICT DO NOTHING RETURNING supplier_id, reference
) SELECT queue_job('abandon-attempt', json_build_object('supplierId', supplier_id, 'reference', reference), 25) FROM late;

-- give-back-of-resold-rents
-- server/adapters/shared/resold/queries/order-book.ts
-- $1 theirId text, $2 costMicros int8, $3 phone text, $4 supplierId int4, $5 reference text
-- returns: queue_job int8
WITH late AS (
  INSERT INTO resold_rents (supplier_id, reference, state, cost_micros, asked_at, service, country, strangers, expires_at, rent_id, phone)
  SELECT supplier_id, reference || '/' || $1::text, 'open', $2, asked_at, service, country, strangers, expires_at, $1, $3
  FROM resold_rents WHERE supplier_id = $4 AND reference = $5 AND state <> 'asking'
  ON CONFLICT DO NOTHING RETURNING supplier_id, reference
) SELECT queue_job('abandon-rental', json_build_object('supplierId', supplier_id, 'reference', reference), 25) FROM late;

-- give-back-of-sim-bank-orders
-- server/adapters/shared/resold/queries/order-book.ts
-- $1 theirId text, $2 costMicros int8, $3 phone text, $4 supplierId int4, $5 reference text
-- returns: queue_job int8
WITH late AS (
  INSERT INTO sim_bank_orders (supplier_id, reference, state, cost_micros, asked_at, service_code, country_id, operator, activation_id, phone)
  SELECT supplier_id, reference || '/' || $1::text, 'sold', $2, asked_at, service_code, country_id, operator, $1, $3
  FROM sim_bank_orders WHERE supplier_id = $4 AND reference = $5 AND state <> 'asking'
  ON CONFLICT DO NOTHING RETURNING supplier_id, reference
) SELECT queue_job('abandon-attempt', json_build_object('supplierId', supplier_id, 'reference', reference), 25) FROM late;

-- insert-order-of-resold-orders
-- server/adapters/shared/resold/queries/order-book.ts
-- $1 supplierId int4, $2 reference text, $3 state text, $4 costMicros int8, $5 now timestamptz, $6 service text, $7 country text, $8 operator text
-- returns: nothing
INSERT INTO resold_orders (supplier_id, reference, state, cost_micros, asked_at, service, country, operator)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT ON CONSTRAINT resold_orders_reference DO NOTHING;

-- insert-order-of-resold-rents
-- server/adapters/shared/resold/queries/order-book.ts
-- $1 supplierId int4, $2 reference text, $3 state text, $4 costMicros int8, $5 now timestamptz, $6 service text, $7 country text, $8 strangers text[], $9 expiresAt timestamptz
-- returns: nothing
INSERT INTO resold_rents (supplier_id, reference, state, cost_micros, asked_at, service, country, strangers, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT ON CONSTRAINT resold_rents_reference DO NOTHING;

-- insert-order-of-sim-bank-orders
-- server/adapters/shared/resold/queries/order-book.ts
-- $1 supplierId int4, $2 reference text, $3 state text, $4 costMicros int8, $5 now timestamptz, $6 serviceCode text, $7 countryId int4, $8 operator text
-- returns: nothing
INSERT INTO sim_bank_orders (supplier_id, reference, state, cost_micros, asked_at, service_code, country_id, operator)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT ON CONSTRAINT sim_bank_orders_reference DO NOTHING;

-- list-known-of-resold-orders
-- server/adapters/shared/resold/queries/order-book.ts
-- $1 supplierId int4, $2 theirIds text[]
-- returns: id text
SELECT activation_id AS id FROM resold_orders
WHERE supplier_id = $1 AND activation_id = ANY ($2::text[]);

-- list-known-of-resold-rents
-- server/adapters/shared/resold/queries/order-book.ts
-- $1 supplierId int4, $2 theirIds text[]
-- returns: id text
SELECT rent_id AS id FROM resold_rents
WHERE supplier_id = $1 AND rent_id = ANY ($2::text[]);

-- mark-open-of-resold-orders
-- server/adapters/shared/resold/queries/order-book.ts
-- $1 theirId text, $2 phone text, $3 costMicros int8, $4 expiresAt timestamptz, $5 supplierId int4, $6 reference text
-- returns: nothing
UPDATE resold_orders SET state = 'open', activation_id = $1, phone = $2, cost_micros = $3,
  expires_at = $4
WHERE supplier_id = $5 AND reference = $6 AND state = 'asking';

-- mark-open-of-resold-rents
-- server/adapters/shared/resold/queries/order-book.ts
-- $1 theirId text, $2 phone text, $3 costMicros int8, $4 expiresAt timestamptz, $5 supplierId int4, $6 reference text
-- returns: nothing
UPDATE resold_rents SET state = 'open', rent_id = $1, phone = $2, cost_micros = $3,
  expires_at = $4
WHERE supplier_id = $5 AND reference = $6 AND state = 'asking';

-- mark-unsold-of-resold-orders
-- server/adapters/shared/resold/queries/order-book.ts
-- $1 state text, $2 supplierId int4, $3 reference text
-- returns: nothing
UPDATE resold_orders SET state = $1 WHERE supplier_id = $2 AND reference = $3 AND state = 'asking';

-- mark-unsold-of-resold-rents
-- server/adapters/shared/resold/queries/order-book.ts
-- $1 state text, $2 supplierId int4, $3 reference text
-- returns: nothing
UPDATE resold_rents SET state = $1 WHERE supplier_id = $2 AND reference = $3 AND state = 'asking';

-- mark-unsold-of-sim-bank-orders
-- server/adapters/shared/resold/queries/order-book.ts
-- $1 state text, $2 supplierId int4, $3 reference text
-- returns: nothing
UPDATE sim_bank_orders SET state = $1 WHERE supplier_id = $2 AND reference = $3 AND state = 'asking';

-- resold-begin-round
-- server/adapters/shared/resold/queries/orders.ts
-- $1 supplierId int4, $2 reference text
-- returns: rounds int4
UPDATE resold_orders SET rounds = rounds + CASE WHEN round_taken THEN 1 ELSE 0 END, round_taken = false
WHERE supplier_id = $1 AND reference = $2 AND state = 'open' RETURNING rounds;

-- resold-find-activation-of-phone
-- server/adapters/shared/resold/queries/orders.ts
-- $1 supplierId int4, $2 phone text, $3 service text
-- returns: id text
SELECT activation_id AS id FROM resold_orders
WHERE supplier_id = $1 AND phone = $2 AND service = $3 AND state = 'ended' AND ending = 'finished'
ORDER BY asked_at DESC LIMIT 1;

-- resold-find-order
-- server/adapters/shared/resold/queries/orders.ts
-- $1 supplierId int4, $2 reference text
-- returns: reference text, state text, service text, country text, costMicros int8, askedAt timestamptz, activationId text, phone text, expiresAt timestamptz, rounds int4, roundTaken bool, operator text, ending text
SELECT reference, state, service, country, cost_micros AS "costMicros", asked_at AS "askedAt",
  activation_id AS "activationId", phone, expires_at AS "expiresAt", rounds, round_taken AS "roundTaken", operator, ending FROM resold_orders WHERE supplier_id = $1 AND reference = $2;

-- resold-has-messages
-- server/adapters/shared/resold/queries/orders.ts
-- $1 phone text, $2 supplierId int4, $3 reference text
-- returns: rows without columns
SELECT FROM messages
WHERE phone = $1 AND supplier_id = $2 AND reference = $3 LIMIT 1;

-- resold-list-unfinished
-- server/adapters/shared/resold/queries/orders.ts
-- $1 supplierId int4, $2 since timestamptz
-- returns: reference text, state text, service text, country text, costMicros int8, askedAt timestamptz, activationId text, phone text, expiresAt timestamptz, rounds int4, roundTaken bool, operator text, ending text
SELECT reference, state, service, country, cost_micros AS "costMicros", asked_at AS "askedAt",
  activation_id AS "activationId", phone, expires_at AS "expiresAt", rounds, round_taken AS "roundTaken", operator, ending FROM resold_orders
WHERE supplier_id = $1 AND state IN ('asking', 'open') AND asked_at > $2 ORDER BY asked_at LIMIT 50000;

-- resold-mark-ended
-- server/adapters/shared/resold/queries/orders.ts
-- $1 ending text, $2 now timestamptz, $3 isLoss bool, $4 supplierId int4, $5 reference text
-- returns: nothing
UPDATE resold_orders SET state = 'ended', ending = COALESCE(ending, $1),
  ended_at = COALESCE(ended_at, $2), is_loss = is_loss OR $3
WHERE supplier_id = $4 AND reference = $5 AND state IN ('open', 'ended');

-- resold-mark-round-taken
-- server/adapters/shared/resold/queries/orders.ts
-- $1 supplierId int4, $2 reference text, $3 rounds int4
-- returns: nothing
UPDATE resold_orders SET round_taken = true
WHERE supplier_id = $1 AND reference = $2 AND rounds = $3;
