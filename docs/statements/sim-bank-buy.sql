-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/adapters/sim-bank/buy/queries/names.ts: sim-bank-countries
-- server/adapters/sim-bank/buy/queries/orders.ts: sim-bank-find-or-refuse, sim-bank-is-ended, sim-bank-mark-ended, sim-bank-mark-sold
-- server/adapters/sim-bank/buy/queries/trials.ts: sim-bank-trial-push

-- sim-bank-countries
-- server/adapters/sim-bank/buy/queries/names.ts
-- returns: id int4, name text, dial text
SELECT id, name_en AS name, dial FROM countries ORDER BY visible DESC, id;

-- sim-bank-find-or-refuse
-- server/adapters/sim-bank/buy/queries/orders.ts
-- $1 supplierId int4, $2 reference text, $3 now timestamptz
-- returns: state text, operator text, costMicros int8, activationId text, phone text
INSERT INTO sim_bank_orders AS known (supplier_id, reference, state, service_code, operator, cost_micros, asked_at)
VALUES ($1, $2, 'none', '', '', 0, $3)
ON CONFLICT ON CONSTRAINT sim_bank_orders_reference DO UPDATE SET state = known.state
RETURNING state, operator, cost_micros AS "costMicros", activation_id AS "activationId", phone;

-- sim-bank-is-ended
-- server/adapters/sim-bank/buy/queries/orders.ts
-- $1 supplierId int4, $2 reference text
-- returns: rows without columns
SELECT FROM sim_bank_orders WHERE supplier_id = $1 AND reference = $2 AND state = 'ended';

-- sim-bank-mark-ended
-- server/adapters/sim-bank/buy/queries/orders.ts
-- $1 told int2, $2 now timestamptz, $3 supplierId int4, $4 reference text
-- returns: nothing
UPDATE sim_bank_orders SET state = 'ended', told = $1, ended_at = $2
WHERE supplier_id = $3 AND reference = $4 AND state = 'sold';

-- sim-bank-mark-sold
-- server/adapters/sim-bank/buy/queries/orders.ts
-- $1 activationId text, $2 phone text, $3 supplierId int4, $4 lostSince timestamptz, $5 reference text
-- returns: phone text
UPDATE sim_bank_orders SET state = 'sold', activation_id = $1, phone = CASE WHEN EXISTS (
  SELECT FROM sim_bank_orders l JOIN messages m ON m.phone = $2 AND m.supplier_id = $3
    AND m.given = 'unmatched' AND m.received_at >= l.asked_at
  WHERE l.supplier_id = $3 AND l.state = 'lost' AND l.asked_at > $4) THEN '' ELSE $2 END
WHERE supplier_id = $3 AND reference = $5 AND state = 'asking' RETURNING phone;

-- sim-bank-trial-push
-- server/adapters/sim-bank/buy/queries/trials.ts
-- $1 now timestamptz, $2 smsId text, $3 numeric bool, $4 supplierId int4, $5 phone text
-- returns: accepted bool
UPDATE sim_bank_trials SET came = came + 1, pushes = CASE WHEN came >= 50 THEN pushes ELSE pushes ||
  jsonb_build_object('at', $1::timestamptz, 'sms_id', $2::text, 'numeric', $3::boolean, 'accepted', came >= refused) END
WHERE supplier_id = $4 AND phone = $5 AND until > $1 RETURNING came > refused AS accepted;
