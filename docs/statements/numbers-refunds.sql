-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/numbers/refunds/queries/pay-back.ts: refund-keeps-money, refund-lock-rental, refund-rental-of-charge, refund-told-activation, refund-told-rental

-- refund-keeps-money
-- server/core/numbers/refunds/queries/pay-back.ts
-- $1 rentalId int8
-- returns: rows without columns
SELECT FROM charges c WHERE c.rental_id = $1 AND c.money = 'captured'
  AND NOT EXISTS (SELECT FROM transfers t WHERE t.charge_id = c.id AND t.kind = 'refund') LIMIT 1;

-- refund-lock-rental
-- server/core/numbers/refunds/queries/pay-back.ts
-- $1 id int8
-- returns: id int8, extension_id int8
SELECT id, extension_id FROM rentals WHERE id = $1 FOR UPDATE;

-- refund-rental-of-charge
-- server/core/numbers/refunds/queries/pay-back.ts
-- $1 chargeId int8
-- returns: rental_id int8
SELECT rental_id FROM charges WHERE id = $1;

-- refund-told-activation
-- server/core/numbers/refunds/queries/pay-back.ts
-- $1 id int8
-- returns: service_code text, country_id int4, phone text
SELECT o.service_code, o.country_id, o.phone FROM activations o JOIN users u ON u.id = o.user_id
WHERE o.id = $1 AND u.erased_at IS NULL;

-- refund-told-rental
-- server/core/numbers/refunds/queries/pay-back.ts
-- $1 id int8
-- returns: service_code text, country_id int4, phone text
SELECT o.service_code, o.country_id, o.phone FROM rentals o JOIN users u ON u.id = o.user_id
WHERE o.id = $1 AND u.erased_at IS NULL;
