-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/payments/queries/arrivals.ts: payment-id-by-transaction, payment-waiting
-- server/core/payments/queries/beginning.ts: payment-begun, payment-release-keys, payments-of-new-account
-- server/core/payments/queries/bonuses.ts: bonus-claim, bonus-rules-offered
-- server/core/payments/queries/events.ts: gateway-event-refuse, gateway-event-refused, gateway-event-repeated, gateway-event-repetition, gateway-event-settle, gateway-event-try, gateway-events-stored, gateway-events-take
-- server/core/payments/queries/gateways.ts: gateway-failure, gateway-success
-- server/core/payments/queries/money.ts: debtors, deposit-find, deposit-insert, deposits-known, payment-arrived, payment-awaited-reversal, payment-payer-left, payment-reversals, refund-answer, reversal-insert, reversal-shares, reversal-update
-- server/core/payments/queries/open-payment.ts: payment-key-remember, payment-open-by-system, payment-open-lock
-- server/core/payments/queries/payments.ts: payment-by-key, payment-close, payment-find, payment-insert, payment-lease, payment-lock, payment-postpone, payment-settled, payment-shown, payment-unpayable, payments-count, payments-due, payments-list, payments-open
-- server/core/payments/queries/refund-keys.ts: refund-by-key, refund-key, refund-same
-- server/core/payments/queries/refunds.ts: refund-queue, refunds-cancel, refunds-forgotten
-- server/core/payments/queries/vouchers.ts: voucher-bind, voucher-lock

-- payment-id-by-transaction
-- server/core/payments/queries/arrivals.ts
-- $1 transactionId text
-- returns: id int8
SELECT id FROM payments WHERE transaction_id = $1;

-- payment-waiting
-- server/core/payments/queries/arrivals.ts
-- $1 userId int4, $2 gatewayId int4, $3 system text, $4 since timestamptz, $5 at timestamptz
-- returns: transaction_id text
SELECT transaction_id FROM payments p WHERE user_id = $1 AND gateway_id = $2 AND system = $3
  AND (p.state IN ('created', 'pending', 'confirming') OR state IN ('expired', 'failed', 'partial') AND created_at > $4)
ORDER BY $5 BETWEEN created_at AND expires_at DESC, p.state IN ('created', 'pending', 'confirming') DESC, id DESC LIMIT 1;

-- payment-begun
-- server/core/payments/queries/beginning.ts
-- $1 providerId text, $2 guidance jsonb, $3 nextCheckAt timestamptz, $4 id int8
-- returns: id int8, transaction_id text, user_id int4, gateway_id int4, system text, state text, amount_micros int8, currency text, fee_points int4, bonus_points int4, bonus_rule_id int4, rule_bonus_micros int8, provider_id text, guidance jsonb, confirmations jsonb, input_hash text, press jsonb, created_at timestamptz, expires_at timestamptz, paid_at timestamptz, checks int4
UPDATE payments p SET provider_id = COALESCE(provider_id, $1), guidance = $2, press = NULL,
  next_check_at = CASE state WHEN 'created' THEN $3 ELSE next_check_at END,
  state = CASE state WHEN 'created' THEN 'pending' ELSE state END
WHERE id = $4 RETURNING p.id, p.transaction_id, p.user_id, p.gateway_id, p.system, p.state, p.amount_micros, p.currency, p.fee_points,
  p.bonus_points, p.bonus_rule_id, p.rule_bonus_micros, p.provider_id, p.guidance, p.confirmations, p.input_hash, p.press, p.created_at,
  p.expires_at, p.paid_at, p.checks;

-- payment-release-keys
-- server/core/payments/queries/beginning.ts
-- $1 id int8
-- returns: nothing
WITH gone AS (DELETE FROM payment_keys WHERE payment_id = $1)
UPDATE payments SET idempotency_key = NULL WHERE id = $1;

-- payments-of-new-account
-- server/core/payments/queries/beginning.ts
-- $1 system text, $2 now timestamptz, $3 userId int4, $4 youngerThan timestamptz
-- returns: micros int8
SELECT (SELECT COALESCE(sum(amount_micros), 0) FROM payments WHERE user_id = u.id AND system = $1
    AND (state NOT IN ('failed', 'expired') OR state = 'expired' AND payable_until > $2))::bigint AS micros
FROM users u WHERE id = $3 AND created_at > $4;

-- bonus-claim
-- server/core/payments/queries/bonuses.ts
-- $1 userId int4, $2 paymentId int8, $3 amountMicros int8, $4 now timestamptz, $5 ruleId int4
-- returns: micros int8
WITH made AS (
  INSERT INTO bonus_grants (user_id, rule_id, payment_id, amount_micros, at)
  SELECT $1, id, $2, $3, $4 FROM bonus_rules
  WHERE id = $5 AND (kind <> 'first' OR NOT EXISTS (SELECT FROM payments other
    WHERE other.user_id = $1 AND other.id IS DISTINCT FROM $2 AND other.paid_at IS NOT NULL
      AND other.amount_micros <= (SELECT sum(amount_micros) FROM transfers
        WHERE payment_id = other.id AND kind = 'topup')))
  ON CONFLICT DO NOTHING RETURNING amount_micros
)
SELECT amount_micros AS micros FROM made
UNION ALL SELECT amount_micros FROM bonus_grants WHERE payment_id = $2;

-- bonus-rules-offered
-- server/core/payments/queries/bonuses.ts
-- $1 currency text, $2 now timestamptz, $3 userId int4
-- returns: id int4, kind text, leastMicros int8, points int4, amountMicros int8, mostMicros int8, endsAt timestamptz
SELECT id, kind, least_micros AS "leastMicros", points, amount_micros AS "amountMicros", most_micros AS "mostMicros",
  ends_at AS "endsAt"
FROM bonus_rules r WHERE currency = $1 AND begins_at <= $2 AND (ends_at IS NULL OR ends_at > $2)
  AND NOT EXISTS (SELECT FROM bonus_grants WHERE user_id = $3 AND rule_id = r.id)
  AND (kind <> 'first' OR NOT EXISTS (SELECT FROM payments other
    WHERE other.user_id = $3::integer AND other.id IS DISTINCT FROM NULL AND other.paid_at IS NOT NULL
      AND other.amount_micros <= (SELECT sum(amount_micros) FROM transfers
        WHERE payment_id = other.id AND kind = 'topup')))
ORDER BY id;

-- gateway-event-refuse
-- server/core/payments/queries/events.ts
-- $1 now timestamptz, $2 id int8
-- returns: nothing
UPDATE gateway_events SET state = 'refused', settled_at = $1 WHERE id = $2 AND state = 'stored';

-- gateway-event-refused
-- server/core/payments/queries/events.ts
-- $1 gatewayId int4, $2 receivedAt timestamptz, $3 address text, $4 headers jsonb, $5 body bytea, $6 bodyHash bytea
-- returns: nothing
INSERT INTO gateway_events (gateway_id, received_at, address, headers, body, body_hash, state, settled_at)
VALUES ($1, $2, $3, $4, $5, $6, 'refused', $2);

-- gateway-event-repeated
-- server/core/payments/queries/events.ts
-- $1 eventId text, $2 now timestamptz, $3 id int8
-- returns: nothing
UPDATE gateway_events SET provider_event_id = $1, settled_at = $2, state = 'repeated'
WHERE id = $3 AND state = 'stored';

-- gateway-event-repetition
-- server/core/payments/queries/events.ts
-- $1 gatewayId int4, $2 receivedAt timestamptz, $3 address text, $4 headers jsonb, $5 body bytea, $6 read jsonb, $7 eventId text
-- returns: id int8, state text, paymentId int8
INSERT INTO gateway_events (gateway_id, received_at, address, headers, body, read, state, provider_event_id, settled_at)
VALUES ($1, $2, $3, $4, $5, $6, 'repeated', $7, $2)
RETURNING id, state, payment_id AS "paymentId";

-- gateway-event-settle
-- server/core/payments/queries/events.ts
-- $1 gatewayId int4, $2 eventId text, $3 transactionId text, $4 providerId text, $5 depositId text, $6 checkAt timestamptz, $7 isLast bool, $8 now timestamptz, $9 id int8
-- returns: payment_id int8
WITH told AS (SELECT $1::integer AS gateway_id, $2::text AS event_id, $3::text AS transaction_id,
    $4::text AS provider_id, $5::text AS deposit_id, $6::timestamptz AS check_at),
named AS MATERIALIZED (SELECT (SELECT id FROM payments WHERE gateway_id = told.gateway_id AND transaction_id = told.transaction_id
  UNION ALL SELECT id FROM payments WHERE gateway_id = told.gateway_id AND provider_id = told.provider_id
  UNION ALL SELECT payment_id FROM deposits WHERE gateway_id = told.gateway_id AND provider_id = told.deposit_id LIMIT 1) AS payment_id, (SELECT true FROM gateway_events WHERE gateway_id = told.gateway_id AND provider_event_id = told.event_id
      AND state IN ('processed', 'unknown') LIMIT 1) AS is_repeated, check_at FROM told),
outcome AS MATERIALIZED (SELECT payment_id, check_at, CASE WHEN is_repeated THEN 'repeated'
    WHEN payment_id IS NOT NULL THEN 'processed' WHEN $7 THEN 'unknown' END AS state FROM named),
watched AS (UPDATE payments p SET next_check_at = LEAST(p.next_check_at, check_at), checks = 0 FROM outcome o
  WHERE p.id = o.payment_id AND o.state = 'processed' AND (p.next_check_at IS NULL OR p.next_check_at > check_at OR p.checks > 3))
UPDATE gateway_events e SET provider_event_id = $2, settled_at = $8, state = o.state,
  payment_id = CASE o.state WHEN 'processed' THEN o.payment_id END
FROM outcome o WHERE e.id = $9 AND e.state = 'stored' AND o.state IS NOT NULL RETURNING e.payment_id;

-- gateway-event-try
-- server/core/payments/queries/events.ts
-- $1 id int8
-- returns: nothing
UPDATE gateway_events SET tries = tries + 1 WHERE id = $1;

-- gateway-events-stored
-- server/core/payments/queries/events.ts
-- $1 before timestamptz, $2 limit int8
-- returns: id int8, gateway_id int4, received_at timestamptz, address text, headers jsonb, body bytea, read jsonb
SELECT id, gateway_id, received_at, address, headers, body, read FROM gateway_events
WHERE state = 'stored' AND received_at <= $1 ORDER BY tries, id LIMIT $2;

-- gateway-events-take
-- server/core/payments/queries/events.ts
-- $1 gatewayIds int4[], $2 receivedAt timestamptz[], $3 addresses text[], $4 headers jsonb[], $5 bodies bytea[], $6 read jsonb[], $7 eventIds text[], $8 transactionIds text[], $9 providerIds text[], $10 depositIds text[], $11 checkAt timestamptz[]
-- returns: place int4, id int8, state text, paymentId int8
WITH came AS MATERIALIZED (SELECT nextval('gateway_events_id_seq') AS id, told.*, (SELECT true FROM gateway_events WHERE gateway_id = told.gateway_id AND provider_event_id = told.event_id
    AND state IN ('processed', 'unknown') LIMIT 1) AS is_repeated, (SELECT id FROM payments WHERE gateway_id = told.gateway_id AND transaction_id = told.transaction_id
      UNION ALL SELECT id FROM payments WHERE gateway_id = told.gateway_id AND provider_id = told.provider_id
      UNION ALL SELECT payment_id FROM deposits WHERE gateway_id = told.gateway_id AND provider_id = told.deposit_id LIMIT 1) AS named_id
  FROM unnest($1::integer[], $2::timestamptz[], $3::text[], $4::jsonb[], $5::bytea[], $6::jsonb[],
      $7::text[], $8::text[], $9::text[], $10::text[], $11::timestamptz[]) WITH ORDINALITY
    AS told (gateway_id, received_at, address, headers, body, read, event_id, transaction_id, provider_id, deposit_id, check_at, place)),
wanted AS (SELECT named_id AS id, min(check_at) AS check_at FROM came WHERE is_repeated IS NULL GROUP BY named_id),
due AS MATERIALIZED (SELECT id, check_at, p.next_check_at IS NULL OR p.next_check_at > check_at OR p.checks > 3 AS is_late FROM payments p JOIN wanted USING (id)),
free AS (SELECT id, check_at FROM payments p JOIN due USING (id) WHERE due.is_late FOR NO KEY UPDATE OF p SKIP LOCKED),
watched AS (UPDATE payments p SET next_check_at = LEAST(next_check_at, check_at), checks = 0
  FROM free WHERE free.id = p.id RETURNING p.id),
known AS (SELECT id FROM due WHERE NOT is_late UNION ALL SELECT id FROM watched),
outcome AS MATERIALIZED (SELECT came.*, known.id AS payment_id, CASE WHEN is_repeated THEN 'repeated'
    WHEN known.id IS NOT NULL THEN 'processed' ELSE 'stored' END AS state
  FROM came LEFT JOIN known ON known.id = named_id AND is_repeated IS NULL),
inserted AS (INSERT INTO gateway_events
  (id, gateway_id, received_at, address, headers, body, read, state, provider_event_id, payment_id, settled_at)
    OVERRIDING SYSTEM VALUE SELECT id, gateway_id, received_at, address, headers, body, read, state,
    CASE WHEN state <> 'stored' THEN event_id END, payment_id, CASE WHEN state <> 'stored' THEN received_at END FROM outcome
  ON CONFLICT DO NOTHING RETURNING id)
SELECT place::integer, id, state, payment_id AS "paymentId" FROM outcome JOIN inserted USING (id);

-- gateway-failure
-- server/core/payments/queries/gateways.ts
-- $1 now timestamptz, $2 failure text, $3 id int4
-- returns: failing_since timestamptz
UPDATE gateways g SET last_failure_at = $1, last_failure = $2, failing_since = COALESCE(g.failing_since, $1) FROM (SELECT id, failing_since FROM gateways WHERE id = $3  FOR NO KEY UPDATE) was WHERE g.id = was.id
RETURNING was.failing_since;

-- gateway-success
-- server/core/payments/queries/gateways.ts
-- $1 now timestamptz, $2 id int4, $3 before timestamptz
-- returns: failing_since timestamptz
UPDATE gateways g SET last_success_at = $1, failing_since = NULL
FROM (SELECT id, failing_since FROM gateways WHERE id = $2 AND (last_success_at IS NULL OR last_success_at < $3 OR failing_since IS NOT NULL) FOR NO KEY UPDATE) was WHERE g.id = was.id
RETURNING was.failing_since;

-- debtors
-- server/core/payments/queries/money.ts
-- $1 limit int8
-- returns: user_id int4
SELECT user_id FROM accounts WHERE debt_micros > 0 AND available_micros > 0 ORDER BY user_id LIMIT $1;

-- deposit-find
-- server/core/payments/queries/money.ts
-- $1 gatewayId int4, $2 providerId text
-- returns: payment_id int8, amount_micros int8
SELECT payment_id, amount_micros FROM deposits WHERE gateway_id = $1 AND provider_id = $2;

-- deposit-insert
-- server/core/payments/queries/money.ts
-- $1 paymentId int8, $2 gatewayId int4, $3 providerId text, $4 amountMicros int8, $5 restMicros int8, $6 currency text, $7 payerHash bytea, $8 now timestamptz
-- returns: id int8
INSERT INTO deposits (payment_id, gateway_id, provider_id, amount_micros, rest_micros, currency, payer_hash, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT ON CONSTRAINT deposits_once DO NOTHING RETURNING id;

-- deposits-known
-- server/core/payments/queries/money.ts
-- $1 gatewayId int4, $2 providerIds text[]
-- returns: provider_id text
SELECT provider_id FROM deposits WHERE gateway_id = $1 AND provider_id = ANY ($2);

-- payment-arrived
-- server/core/payments/queries/money.ts
-- $1 paymentId int8
-- returns: arrivedMicros int8, bonusMicros int8, feeMicros int8, hadBonus bool, restMicros int8
SELECT COALESCE(sum(amount_micros) FILTER (WHERE kind IN ('topup', 'voucher')), 0)::bigint AS "arrivedMicros",
  COALESCE(sum(amount_micros) FILTER (WHERE kind = 'bonus' AND reversal_id IS NULL), 0)::bigint AS "bonusMicros",
  COALESCE(sum(amount_micros) FILTER (WHERE kind = 'fee' AND reversal_id IS NULL), 0)::bigint AS "feeMicros",
  COALESCE(bool_or(kind = 'bonus'), false) AS "hadBonus",
(SELECT COALESCE(sum(rest_micros), 0) FROM deposits WHERE payment_id = $1)::bigint AS "restMicros"
FROM transfers WHERE payment_id = $1;

-- payment-awaited-reversal
-- server/core/payments/queries/money.ts
-- $1 paymentId int8
-- returns: rows without columns
SELECT FROM reversals WHERE payment_id = $1 AND state IN ('asked', 'open') LIMIT 1;

-- payment-payer-left
-- server/core/payments/queries/money.ts
-- $1 userId int4
-- returns: rows without columns
SELECT FROM users WHERE id = $1 AND erased_at IS NOT NULL;

-- payment-reversals
-- server/core/payments/queries/money.ts
-- $1 paymentId int8
-- returns: id int8, payment_id int8, kind text, state text, provider_id text, amount_micros int8, bonus_micros int8, fee_micros int8, is_part bool, cancel_at timestamptz
SELECT id, payment_id, kind, state, provider_id, amount_micros, bonus_micros, fee_micros, is_part, cancel_at FROM reversals WHERE payment_id = $1 ORDER BY id;

-- refund-answer
-- server/core/payments/queries/money.ts
-- $1 state text, $2 providerId text, $3 now timestamptz, $4 id int8
-- returns: nothing
UPDATE reversals r SET state = $1, provider_id = $2,
  settled_at = CASE $1 WHEN 'asked' THEN NULL ELSE $3::timestamptz END
WHERE id = $4 AND state = 'asked' AND provider_id IS NULL AND NOT EXISTS (SELECT FROM reversals other
  WHERE other.gateway_id = r.gateway_id AND other.kind = r.kind AND other.provider_id = $2);

-- reversal-insert
-- server/core/payments/queries/money.ts
-- $1 paymentId int8, $2 gatewayId int4, $3 kind text, $4 state text, $5 providerId text, $6 amountMicros int8, $7 currency text, $8 isPart bool, $9 now timestamptz
-- returns: id int8, payment_id int8, kind text, state text, provider_id text, amount_micros int8, bonus_micros int8, fee_micros int8, is_part bool, cancel_at timestamptz
INSERT INTO reversals (payment_id, gateway_id, kind, state, provider_id, amount_micros, currency, is_part, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
RETURNING id, payment_id, kind, state, provider_id, amount_micros, bonus_micros, fee_micros, is_part, cancel_at;

-- reversal-shares
-- server/core/payments/queries/money.ts
-- $1 bonusMicros int8, $2 feeMicros int8, $3 id int8
-- returns: nothing
UPDATE reversals SET bonus_micros = $1, fee_micros = $2 WHERE id = $3;

-- reversal-update
-- server/core/payments/queries/money.ts
-- $1 state text, $2 providerId text, $3 now timestamptz, $4 id int8
-- returns: nothing
UPDATE reversals SET state = $1, provider_id = COALESCE(provider_id, $2),
  settled_at = CASE WHEN $1 IN ('asked', 'open') THEN NULL ELSE $3::timestamptz END
WHERE id = $4;

-- payment-key-remember
-- server/core/payments/queries/open-payment.ts
-- $1 userId int4, $2 key text, $3 paymentId int8, $4 inputHash text, $5 now timestamptz
-- returns: nothing
INSERT INTO payment_keys (user_id, idempotency_key, payment_id, input_hash, at)
VALUES ($1, $2, $3, $4, $5);

-- payment-open-by-system
-- server/core/payments/queries/open-payment.ts
-- $1 userId int4, $2 gatewayId int4, $3 system text
-- returns: id int8, transaction_id text, user_id int4, gateway_id int4, system text, state text, amount_micros int8, currency text, fee_points int4, bonus_points int4, bonus_rule_id int4, rule_bonus_micros int8, provider_id text, guidance jsonb, confirmations jsonb, input_hash text, press jsonb, created_at timestamptz, expires_at timestamptz, paid_at timestamptz, checks int4
SELECT p.id, p.transaction_id, p.user_id, p.gateway_id, p.system, p.state, p.amount_micros, p.currency, p.fee_points,
  p.bonus_points, p.bonus_rule_id, p.rule_bonus_micros, p.provider_id, p.guidance, p.confirmations, p.input_hash, p.press, p.created_at,
  p.expires_at, p.paid_at, p.checks FROM payments p WHERE user_id = $1 AND gateway_id = $2 AND system = $3
  AND p.state IN ('created', 'pending', 'confirming') ORDER BY id DESC LIMIT 1;

-- payment-open-lock
-- server/core/payments/queries/open-payment.ts
-- $1 userId int4, $2 gatewayId int4, $3 system text
-- returns: rows without columns
SELECT FROM payments WHERE user_id = $1 AND gateway_id = $2 AND system = $3
  AND state IN ('created', 'pending', 'confirming') ORDER BY id FOR NO KEY UPDATE;

-- payment-by-key
-- server/core/payments/queries/payments.ts
-- $1 userId int4, $2 key text
-- returns: id int8, transaction_id text, user_id int4, gateway_id int4, system text, state text, amount_micros int8, currency text, fee_points int4, bonus_points int4, bonus_rule_id int4, rule_bonus_micros int8, provider_id text, guidance jsonb, confirmations jsonb, input_hash text, press jsonb, created_at timestamptz, expires_at timestamptz, paid_at timestamptz, checks int4
SELECT p.id, p.transaction_id, p.user_id, p.gateway_id, p.system, p.state, p.amount_micros, p.currency, p.fee_points,
  p.bonus_points, p.bonus_rule_id, p.rule_bonus_micros, p.provider_id, p.guidance, p.confirmations, p.input_hash, p.press, p.created_at,
  p.expires_at, p.paid_at, p.checks FROM payments p WHERE user_id = $1 AND idempotency_key = $2
UNION ALL SELECT p.id, p.transaction_id, p.user_id, p.gateway_id, p.system, p.state, p.amount_micros, p.currency, p.fee_points,
  p.bonus_points, p.bonus_rule_id, p.rule_bonus_micros, p.provider_id, p.guidance, p.confirmations, k.input_hash, p.press, p.created_at,
  p.expires_at, p.paid_at, p.checks FROM payment_keys k JOIN payments p ON p.id = k.payment_id
WHERE k.user_id = $1 AND k.idempotency_key = $2
LIMIT 1;

-- payment-close
-- server/core/payments/queries/payments.ts
-- $1 now timestamptz, $2 userId int4, $3 transactionId text
-- returns: id int8, transaction_id text, user_id int4, gateway_id int4, system text, state text, amount_micros int8, currency text, fee_points int4, bonus_points int4, bonus_rule_id int4, rule_bonus_micros int8, provider_id text, guidance jsonb, confirmations jsonb, input_hash text, press jsonb, created_at timestamptz, expires_at timestamptz, paid_at timestamptz, checks int4
UPDATE payments p SET state = 'expired', expires_at = LEAST(expires_at, $1), payable_until = expires_at,
  closed_at = CASE WHEN $1 < expires_at THEN $1::timestamptz END, press = NULL
WHERE user_id = $2 AND transaction_id = $3 AND p.state IN ('created', 'pending', 'confirming') AND state <> 'confirming'
RETURNING p.id, p.transaction_id, p.user_id, p.gateway_id, p.system, p.state, p.amount_micros, p.currency, p.fee_points,
  p.bonus_points, p.bonus_rule_id, p.rule_bonus_micros, p.provider_id, p.guidance, p.confirmations, p.input_hash, p.press, p.created_at,
  p.expires_at, p.paid_at, p.checks;

-- payment-find
-- server/core/payments/queries/payments.ts
-- $1 id int8
-- returns: id int8, transaction_id text, user_id int4, gateway_id int4, system text, state text, amount_micros int8, currency text, fee_points int4, bonus_points int4, bonus_rule_id int4, rule_bonus_micros int8, provider_id text, guidance jsonb, confirmations jsonb, input_hash text, press jsonb, created_at timestamptz, expires_at timestamptz, paid_at timestamptz, checks int4
SELECT p.id, p.transaction_id, p.user_id, p.gateway_id, p.system, p.state, p.amount_micros, p.currency, p.fee_points,
  p.bonus_points, p.bonus_rule_id, p.rule_bonus_micros, p.provider_id, p.guidance, p.confirmations, p.input_hash, p.press, p.created_at,
  p.expires_at, p.paid_at, p.checks FROM payments p WHERE id = $1;

-- payment-insert
-- server/core/payments/queries/payments.ts
-- $1 transactionId text, $2 userId int4, $3 gatewayId int4, $4 system text, $5 amountMicros int8, $6 currency text, $7 feePoints int4, $8 bonusPoints int4, $9 bonusRuleId int4, $10 ruleBonusMicros int8, $11 idempotencyKey text, $12 inputHash text, $13 network text, $14 press jsonb, $15 now timestamptz, $16 expiresAt timestamptz, $17 nextCheckAt timestamptz, $18 unansweredSince timestamptz, $19 openLimit int8
-- returns: id int8, transaction_id text, user_id int4, gateway_id int4, system text, state text, amount_micros int8, currency text, fee_points int4, bonus_points int4, bonus_rule_id int4, rule_bonus_micros int8, provider_id text, guidance jsonb, confirmations jsonb, input_hash text, press jsonb, created_at timestamptz, expires_at timestamptz, paid_at timestamptz, checks int4
INSERT INTO payments AS p (transaction_id, user_id, gateway_id, system, state, amount_micros, currency, fee_points,
    bonus_points, bonus_rule_id, rule_bonus_micros, idempotency_key, input_hash, network, press, created_at, expires_at, next_check_at)
SELECT $1, $2, $3, $4, 'created', $5, $6, $7, $8, $9,
  $10, $11, $12, $13, $14, $15, $16, $17
WHERE (SELECT count(*) FROM payments WHERE user_id = $2 AND state IN ('created', 'pending', 'confirming')
    AND (state <> 'created' OR created_at > $18)) < $19
RETURNING p.id, p.transaction_id, p.user_id, p.gateway_id, p.system, p.state, p.amount_micros, p.currency, p.fee_points,
  p.bonus_points, p.bonus_rule_id, p.rule_bonus_micros, p.provider_id, p.guidance, p.confirmations, p.input_hash, p.press, p.created_at,
  p.expires_at, p.paid_at, p.checks;

-- payment-lease
-- server/core/payments/queries/payments.ts
-- $1 nextCheckAt timestamptz, $2 id int8
-- returns: nothing
UPDATE payments SET next_check_at = $1 WHERE id = $2;

-- payment-lock
-- server/core/payments/queries/payments.ts
-- $1 id int8
-- returns: id int8, transaction_id text, user_id int4, gateway_id int4, system text, state text, amount_micros int8, currency text, fee_points int4, bonus_points int4, bonus_rule_id int4, rule_bonus_micros int8, provider_id text, guidance jsonb, confirmations jsonb, input_hash text, press jsonb, created_at timestamptz, expires_at timestamptz, paid_at timestamptz, checks int4
SELECT p.id, p.transaction_id, p.user_id, p.gateway_id, p.system, p.state, p.amount_micros, p.currency, p.fee_points,
  p.bonus_points, p.bonus_rule_id, p.rule_bonus_micros, p.provider_id, p.guidance, p.confirmations, p.input_hash, p.press, p.created_at,
  p.expires_at, p.paid_at, p.checks FROM payments p WHERE id = $1 FOR NO KEY UPDATE;

-- payment-postpone
-- server/core/payments/queries/payments.ts
-- $1 nextCheckAt timestamptz, $2 id int8
-- returns: nothing
UPDATE payments SET next_check_at = $1, checks = checks + 1 WHERE id = $2;

-- payment-settled
-- server/core/payments/queries/payments.ts
-- $1 state text, $2 confirmations jsonb, $3 paidAt timestamptz, $4 nextCheckAt timestamptz, $5 id int8
-- returns: id int8, transaction_id text, user_id int4, gateway_id int4, system text, state text, amount_micros int8, currency text, fee_points int4, bonus_points int4, bonus_rule_id int4, rule_bonus_micros int8, provider_id text, guidance jsonb, confirmations jsonb, input_hash text, press jsonb, created_at timestamptz, expires_at timestamptz, paid_at timestamptz, checks int4
UPDATE payments p SET state = $1, confirmations = $2, paid_at = $3, next_check_at = $4,
  press = CASE $1 WHEN 'created' THEN press END,
  checks = checks + 1
WHERE id = $5 RETURNING p.id, p.transaction_id, p.user_id, p.gateway_id, p.system, p.state, p.amount_micros, p.currency, p.fee_points,
  p.bonus_points, p.bonus_rule_id, p.rule_bonus_micros, p.provider_id, p.guidance, p.confirmations, p.input_hash, p.press, p.created_at,
  p.expires_at, p.paid_at, p.checks;

-- payment-shown
-- server/core/payments/queries/payments.ts
-- $1 userId int4, $2 transactionId text
-- returns: id int8, transaction_id text, user_id int4, gateway_id int4, system text, state text, amount_micros int8, currency text, fee_points int4, bonus_points int4, bonus_rule_id int4, rule_bonus_micros int8, provider_id text, guidance jsonb, confirmations jsonb, input_hash text, press jsonb, created_at timestamptz, expires_at timestamptz, paid_at timestamptz, checks int4, is_closed bool, dispute text, received_micros int8, fee_micros int8, refunded_micros int8, bonus_micros int8, rounding_micros int8, promised_micros int8
SELECT p.id, p.transaction_id, p.user_id, p.gateway_id, p.system, p.state, p.amount_micros, p.currency, p.fee_points,
  p.bonus_points, p.bonus_rule_id, p.rule_bonus_micros, p.provider_id, p.guidance, p.confirmations, p.input_hash, p.press, p.created_at,
  p.expires_at, p.paid_at, p.checks, p.state = 'expired' AND p.closed_at IS NOT NULL AS is_closed, (SELECT r.state FROM reversals r WHERE r.payment_id = p.id AND r.kind = 'dispute'
    ORDER BY r.state = 'open' DESC, r.state = 'lost' DESC LIMIT 1) AS dispute,
  COALESCE((SELECT sum(CASE WHEN kind IN ('topup', 'voucher') THEN amount_micros
      WHEN kind IN ('') THEN -amount_micros ELSE 0 END) FROM transfers t WHERE t.payment_id = p.id), 0)::bigint AS received_micros, COALESCE((SELECT sum(CASE WHEN kind IN ('fee') THEN amount_micros
          WHEN kind IN ('fee_back') THEN -amount_micros ELSE 0 END) FROM transfers t WHERE t.payment_id = p.id), 0)::bigint AS fee_micros,
  COALESCE((SELECT sum(CASE WHEN kind IN ('payment_refund', 'dispute') THEN amount_micros
      WHEN kind IN ('payment_refund_failed', 'dispute_won') THEN -amount_micros ELSE 0 END) FROM transfers t WHERE t.payment_id = p.id), 0)::bigint AS refunded_micros,
  COALESCE((SELECT sum(CASE WHEN kind IN ('bonus') THEN amount_micros
      WHEN kind IN ('bonus_back') THEN -amount_micros ELSE 0 END) FROM transfers t WHERE t.payment_id = p.id), 0)::bigint AS bonus_micros, COALESCE((SELECT sum(CASE WHEN kind IN ('rounding') THEN amount_micros
          WHEN kind IN ('') THEN -amount_micros ELSE 0 END) FROM transfers t WHERE t.payment_id = p.id), 0)::bigint AS rounding_micros,
  CASE WHEN p.bonus_rule_id IS NULL OR EXISTS (SELECT FROM bonus_grants
    WHERE user_id = p.user_id AND rule_id = p.bonus_rule_id AND payment_id <> p.id) THEN 0
  WHEN (SELECT kind FROM bonus_rules WHERE id = p.bonus_rule_id) = 'first' AND EXISTS (SELECT FROM payments other
    WHERE other.user_id = p.user_id AND other.id IS DISTINCT FROM p.id AND other.paid_at IS NOT NULL
      AND other.amount_micros <= (SELECT sum(amount_micros) FROM transfers
        WHERE payment_id = other.id AND kind = 'topup'))
  THEN 0 ELSE p.rule_bonus_micros END AS promised_micros FROM payments p WHERE user_id = $1 AND transaction_id = $2;

-- payment-unpayable
-- server/core/payments/queries/payments.ts
-- $1 id int8
-- returns: nothing
UPDATE payments SET payable_until = NULL WHERE id = $1;

-- payments-count
-- server/core/payments/queries/payments.ts
-- $1 userId int4, $2 from timestamptz, $3 until timestamptz, $4 transactionId text, $5 search text, $6 systems text[]
-- returns: count int8
SELECT count(*) FROM payments WHERE user_id = $1 AND ($2::timestamptz IS NULL OR created_at >= $2)
  AND ($3::timestamptz IS NULL OR created_at < $3)
  AND ($4::text IS NULL OR transaction_id = $4)
  AND ($5::text IS NULL OR transaction_id ILIKE $5 OR system = ANY($6::text[]));

-- payments-due
-- server/core/payments/queries/payments.ts
-- $1 now timestamptz, $2 limit int8
-- returns: id int8, gateway_id int4
SELECT due.id, g.id AS gateway_id FROM gateways g CROSS JOIN LATERAL (SELECT id FROM payments
  WHERE gateway_id = g.id AND next_check_at <= $1 ORDER BY next_check_at LIMIT $2) due;

-- payments-list
-- server/core/payments/queries/payments.ts
-- $1 userId int4, $2 from timestamptz, $3 until timestamptz, $4 transactionId text, $5 search text, $6 systems text[], $7 offset int8, $8 limit int8
-- returns: id int8, transaction_id text, user_id int4, gateway_id int4, system text, state text, amount_micros int8, currency text, fee_points int4, bonus_points int4, bonus_rule_id int4, rule_bonus_micros int8, provider_id text, guidance jsonb, confirmations jsonb, input_hash text, press jsonb, created_at timestamptz, expires_at timestamptz, paid_at timestamptz, checks int4, is_closed bool, dispute text, received_micros int8, fee_micros int8, refunded_micros int8, bonus_micros int8, rounding_micros int8, promised_micros int8
WITH page AS (SELECT id FROM payments WHERE user_id = $1 AND ($2::timestamptz IS NULL OR created_at >= $2)
    AND ($3::timestamptz IS NULL OR created_at < $3)
    AND ($4::text IS NULL OR transaction_id = $4)
    AND ($5::text IS NULL OR transaction_id ILIKE $5 OR system = ANY($6::text[])) ORDER BY id DESC OFFSET $7 LIMIT $8)
SELECT p.id, p.transaction_id, p.user_id, p.gateway_id, p.system, p.state, p.amount_micros, p.currency, p.fee_points,
  p.bonus_points, p.bonus_rule_id, p.rule_bonus_micros, p.provider_id, p.guidance, p.confirmations, p.input_hash, p.press, p.created_at,
  p.expires_at, p.paid_at, p.checks, p.state = 'expired' AND p.closed_at IS NOT NULL AS is_closed, (SELECT r.state FROM reversals r WHERE r.payment_id = p.id AND r.kind = 'dispute'
    ORDER BY r.state = 'open' DESC, r.state = 'lost' DESC LIMIT 1) AS dispute,
  COALESCE((SELECT sum(CASE WHEN kind IN ('topup', 'voucher') THEN amount_micros
      WHEN kind IN ('') THEN -amount_micros ELSE 0 END) FROM transfers t WHERE t.payment_id = p.id), 0)::bigint AS received_micros, COALESCE((SELECT sum(CASE WHEN kind IN ('fee') THEN amount_micros
          WHEN kind IN ('fee_back') THEN -amount_micros ELSE 0 END) FROM transfers t WHERE t.payment_id = p.id), 0)::bigint AS fee_micros,
  COALESCE((SELECT sum(CASE WHEN kind IN ('payment_refund', 'dispute') THEN amount_micros
      WHEN kind IN ('payment_refund_failed', 'dispute_won') THEN -amount_micros ELSE 0 END) FROM transfers t WHERE t.payment_id = p.id), 0)::bigint AS refunded_micros,
  COALESCE((SELECT sum(CASE WHEN kind IN ('bonus') THEN amount_micros
      WHEN kind IN ('bonus_back') THEN -amount_micros ELSE 0 END) FROM transfers t WHERE t.payment_id = p.id), 0)::bigint AS bonus_micros, COALESCE((SELECT sum(CASE WHEN kind IN ('rounding') THEN amount_micros
          WHEN kind IN ('') THEN -amount_micros ELSE 0 END) FROM transfers t WHERE t.payment_id = p.id), 0)::bigint AS rounding_micros,
  CASE WHEN p.bonus_rule_id IS NULL OR EXISTS (SELECT FROM bonus_grants
    WHERE user_id = p.user_id AND rule_id = p.bonus_rule_id AND payment_id <> p.id) THEN 0
  WHEN (SELECT kind FROM bonus_rules WHERE id = p.bonus_rule_id) = 'first' AND EXISTS (SELECT FROM payments other
    WHERE other.user_id = p.user_id AND other.id IS DISTINCT FROM p.id AND other.paid_at IS NOT NULL
      AND other.amount_micros <= (SELECT sum(amount_micros) FROM transfers
        WHERE payment_id = other.id AND kind = 'topup'))
  THEN 0 ELSE p.rule_bonus_micros END AS promised_micros FROM page JOIN payments p USING (id) ORDER BY p.id DESC;

-- payments-open
-- server/core/payments/queries/payments.ts
-- $1 userId int4, $2 limit int8
-- returns: id int8, transaction_id text, user_id int4, gateway_id int4, system text, state text, amount_micros int8, currency text, fee_points int4, bonus_points int4, bonus_rule_id int4, rule_bonus_micros int8, provider_id text, guidance jsonb, confirmations jsonb, input_hash text, press jsonb, created_at timestamptz, expires_at timestamptz, paid_at timestamptz, checks int4, is_closed bool, dispute text, received_micros int8, fee_micros int8, refunded_micros int8, bonus_micros int8, rounding_micros int8, promised_micros int8
SELECT p.id, p.transaction_id, p.user_id, p.gateway_id, p.system, p.state, p.amount_micros, p.currency, p.fee_points,
  p.bonus_points, p.bonus_rule_id, p.rule_bonus_micros, p.provider_id, p.guidance, p.confirmations, p.input_hash, p.press, p.created_at,
  p.expires_at, p.paid_at, p.checks, p.state = 'expired' AND p.closed_at IS NOT NULL AS is_closed, (SELECT r.state FROM reversals r WHERE r.payment_id = p.id AND r.kind = 'dispute'
    ORDER BY r.state = 'open' DESC, r.state = 'lost' DESC LIMIT 1) AS dispute,
  COALESCE((SELECT sum(CASE WHEN kind IN ('topup', 'voucher') THEN amount_micros
      WHEN kind IN ('') THEN -amount_micros ELSE 0 END) FROM transfers t WHERE t.payment_id = p.id), 0)::bigint AS received_micros, COALESCE((SELECT sum(CASE WHEN kind IN ('fee') THEN amount_micros
          WHEN kind IN ('fee_back') THEN -amount_micros ELSE 0 END) FROM transfers t WHERE t.payment_id = p.id), 0)::bigint AS fee_micros,
  COALESCE((SELECT sum(CASE WHEN kind IN ('payment_refund', 'dispute') THEN amount_micros
      WHEN kind IN ('payment_refund_failed', 'dispute_won') THEN -amount_micros ELSE 0 END) FROM transfers t WHERE t.payment_id = p.id), 0)::bigint AS refunded_micros,
  COALESCE((SELECT sum(CASE WHEN kind IN ('bonus') THEN amount_micros
      WHEN kind IN ('bonus_back') THEN -amount_micros ELSE 0 END) FROM transfers t WHERE t.payment_id = p.id), 0)::bigint AS bonus_micros, COALESCE((SELECT sum(CASE WHEN kind IN ('rounding') THEN amount_micros
          WHEN kind IN ('') THEN -amount_micros ELSE 0 END) FROM transfers t WHERE t.payment_id = p.id), 0)::bigint AS rounding_micros,
  CASE WHEN p.bonus_rule_id IS NULL OR EXISTS (SELECT FROM bonus_grants
    WHERE user_id = p.user_id AND rule_id = p.bonus_rule_id AND payment_id <> p.id) THEN 0
  WHEN (SELECT kind FROM bonus_rules WHERE id = p.bonus_rule_id) = 'first' AND EXISTS (SELECT FROM payments other
    WHERE other.user_id = p.user_id AND other.id IS DISTINCT FROM p.id AND other.paid_at IS NOT NULL
      AND other.amount_micros <= (SELECT sum(amount_micros) FROM transfers
        WHERE payment_id = other.id AND kind = 'topup'))
  THEN 0 ELSE p.rule_bonus_micros END AS promised_micros FROM payments p WHERE user_id = $1 AND p.state IN ('created', 'pending', 'confirming') ORDER BY id DESC LIMIT $2;

-- refund-by-key
-- server/core/payments/queries/refund-keys.ts
-- $1 key text
-- returns: id int8, payment_id int8, state text, amount_micros int8, input_hash text, at timestamptz
SELECT id, payment_id, state, amount_micros, input_hash, at FROM reversals WHERE idempotency_key = $1;

-- refund-key
-- server/core/payments/queries/refund-keys.ts
-- $1 key text, $2 inputHash text, $3 id int8
-- returns: nothing
UPDATE reversals SET idempotency_key = $1, input_hash = $2 WHERE id = $3;

-- refund-same
-- server/core/payments/queries/refund-keys.ts
-- $1 paymentId int8, $2 amountMicros int8, $3 since timestamptz
-- returns: id int8, payment_id int8, state text, amount_micros int8, input_hash text, at timestamptz
SELECT id, payment_id, state, amount_micros, input_hash, at FROM reversals WHERE payment_id = $1 AND kind = 'refund' AND state <> 'failed'
  AND amount_micros = $2 AND at > $3 ORDER BY id DESC LIMIT 1;

-- refund-queue
-- server/core/payments/queries/refunds.ts
-- $1 text
-- returns: add_job _private_jobs
SELECT graphile_worker.add_job('refund-payment', json_build_object('reversalId', $1::text::text), max_attempts := 25,
    job_key := 'refund-' || $1::text);

-- refunds-cancel
-- server/core/payments/queries/refunds.ts
-- $1 now timestamptz, $2 paymentId int8
-- returns: id int8, amount_micros int8
UPDATE reversals SET cancel_at = $1 WHERE payment_id = $2 AND state = 'asked' AND provider_id IS NULL
RETURNING id, amount_micros;

-- refunds-forgotten
-- server/core/payments/queries/refunds.ts
-- $1 limit int8
-- returns: add_job _private_jobs
SELECT graphile_worker.add_job('refund-payment', json_build_object('reversalId', id::text), max_attempts := 25,
    job_key := 'refund-' || id) FROM (
      SELECT id::text FROM reversals r WHERE state = 'asked' AND provider_id IS NULL
        AND NOT EXISTS (SELECT FROM graphile_worker.jobs j WHERE j.key = 'refund-' || r.id
            AND (j.attempts < j.max_attempts OR j.locked_at IS NOT NULL))
      ORDER BY r.id LIMIT $1) forgotten;

-- voucher-bind
-- server/core/payments/queries/vouchers.ts
-- $1 paymentId int8, $2 id int8
-- returns: nothing
UPDATE vouchers SET payment_id = $1 WHERE id = $2;

-- voucher-lock
-- server/core/payments/queries/vouchers.ts
-- $1 codeHash bytea
-- returns: id int8, gateway_id int4, amount_micros int8, currency text, expires_at timestamptz, withdrawn_at timestamptz, payment_id int8
SELECT id, gateway_id, amount_micros, currency, expires_at, withdrawn_at, payment_id
FROM vouchers WHERE code_hash = $1 FOR UPDATE;
