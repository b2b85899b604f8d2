-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/adapters/yookassa/queries.ts: yookassa-payment-id, yookassa-sending, yookassa-sent

-- yookassa-payment-id
-- server/adapters/yookassa/queries.ts
-- $1 paymentId text, $2 transactionId text
-- returns: nothing
UPDATE yookassa_orders SET payment_id = $1
WHERE transaction_id = $2 AND payment_id IS DISTINCT FROM $1;

-- yookassa-sending
-- server/adapters/yookassa/queries.ts
-- $1 transactionId text, $2 body text, $3 now timestamptz
-- returns: body text
INSERT INTO yookassa_orders AS o (transaction_id, body, first_sent_at, last_sent_at)
VALUES ($1, $2, $3, $3)
ON CONFLICT (transaction_id) DO UPDATE SET last_sent_at = GREATEST(o.last_sent_at, $3)
RETURNING body;

-- yookassa-sent
-- server/adapters/yookassa/queries.ts
-- $1 transactionId text
-- returns: body text, first_sent_at timestamptz, last_sent_at timestamptz, payment_id text
SELECT body, first_sent_at, last_sent_at, payment_id FROM yookassa_orders WHERE transaction_id = $1;
