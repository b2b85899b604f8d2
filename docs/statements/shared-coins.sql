-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/adapters/shared/coins/queries.ts: coin-deposit-dropped, coin-deposit-insert, coin-deposit-rest, coin-deposit-revived, coin-deposits, coin-deposits-gone, coins-credited, coins-give-up, coins-heard, coins-lock, coins-reversals, coins-waiting

-- coin-deposit-dropped
-- server/adapters/shared/coins/queries.ts
-- $1 now timestamptz, $2 id int8
-- returns: nothing
UPDATE coin_deposits SET rest_micros = 0, valued_at = $1, dropped_at = $1 WHERE id = $2 AND rest_micros IS NULL;

-- coin-deposit-insert
-- server/adapters/shared/coins/queries.ts
-- $1 gatewayId int4, $2 transactionId text, $3 invoice text, $4 providerId text, $5 coins numeric, $6 quotedCoins numeric, $7 quotedMicros int8, $8 asset text, $9 restMicros int8, $10 now timestamptz
-- returns: id int8, provider_id text, invoice text, coins text, quoted_coins text, quoted_micros int8, asset text, rest_micros int8, seen_at timestamptz, given_up_at timestamptz, dropped_at timestamptz
INSERT INTO coin_deposits (gateway_id, transaction_id, invoice, provider_id, coins, quoted_coins, quoted_micros, asset, rest_micros,
    seen_at, valued_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9,
    $10, CASE WHEN $9::bigint IS NULL THEN NULL ELSE $10::timestamptz END)
RETURNING id, provider_id, invoice, coins::text AS coins, quoted_coins::text AS quoted_coins, quoted_micros, asset, rest_micros, seen_at, given_up_at, dropped_at;

-- coin-deposit-rest
-- server/adapters/shared/coins/queries.ts
-- $1 asset text, $2 restMicros int8, $3 rubMicros int8, $4 usdRubMicros int8, $5 rateSource text, $6 rateAt timestamptz, $7 now timestamptz, $8 id int8
-- returns: nothing
UPDATE coin_deposits SET asset = $1, rest_micros = $2, rub_micros = $3, usd_rub_micros = $4,
  rate_source = $5, rate_at = $6, valued_at = $7
WHERE id = $8 AND rest_micros IS NULL;

-- coin-deposit-revived
-- server/adapters/shared/coins/queries.ts
-- $1 id int8
-- returns: nothing
UPDATE coin_deposits SET rest_micros = NULL, valued_at = NULL, dropped_at = NULL WHERE id = $1 AND dropped_at IS NOT NULL;

-- coin-deposits
-- server/adapters/shared/coins/queries.ts
-- $1 gatewayId int4, $2 transactionId text
-- returns: id int8, provider_id text, invoice text, coins text, quoted_coins text, quoted_micros int8, asset text, rest_micros int8, seen_at timestamptz, given_up_at timestamptz, dropped_at timestamptz
SELECT id, provider_id, invoice, coins::text AS coins, quoted_coins::text AS quoted_coins, quoted_micros, asset, rest_micros, seen_at, given_up_at, dropped_at FROM coin_deposits WHERE gateway_id = $1 AND transaction_id = $2 ORDER BY id;

-- coin-deposits-gone
-- server/adapters/shared/coins/queries.ts
-- $1 now timestamptz, $2 gatewayId int4, $3 transactionId text, $4 there text[]
-- returns: nothing
UPDATE coin_deposits SET gone_at = CASE WHEN gone_at IS NULL THEN $1::timestamptz END
WHERE gateway_id = $2 AND transaction_id = $3 AND (gone_at IS NULL) <> (provider_id = ANY ($4));

-- coins-credited
-- server/adapters/shared/coins/queries.ts
-- $1 transactionId text, $2 gatewayId int4
-- returns: provider_id text, amount_micros int8, worth_micros int8
SELECT d.provider_id, d.amount_micros, d.amount_micros + d.rest_micros AS worth_micros FROM deposits d JOIN payments p ON p.id = d.payment_id
WHERE p.transaction_id = $1 AND d.gateway_id = $2 ORDER BY d.id;

-- coins-give-up
-- server/adapters/shared/coins/queries.ts
-- $1 now timestamptz, $2 gatewayId int4, $3 transactionId text, $4 seenBefore timestamptz
-- returns: provider_id text
UPDATE coin_deposits SET rest_micros = 0, valued_at = $1, given_up_at = $1
WHERE gateway_id = $2 AND transaction_id = $3 AND asset IS NULL AND rest_micros IS NULL AND seen_at < $4
RETURNING provider_id;

-- coins-heard
-- server/adapters/shared/coins/queries.ts
-- $1 transactionId text, $2 until timestamptz, $3 since timestamptz
-- returns: body bytea, received_at timestamptz
SELECT body, received_at FROM gateway_events WHERE payment_id = (SELECT id FROM payments WHERE transaction_id = $1)
  AND received_at <= $2 AND received_at > COALESCE($3, '-infinity'::timestamptz) ORDER BY id LIMIT 50;

-- coins-lock
-- server/adapters/shared/coins/queries.ts
-- $1 transactionId text
-- returns: rows without columns
SELECT FROM payments WHERE transaction_id = $1 FOR NO KEY UPDATE;

-- coins-reversals
-- server/adapters/shared/coins/queries.ts
-- $1 transactionId text, $2 gatewayId int4, $3 kind text
-- returns: provider_id text, stands bool
SELECT r.provider_id, r.state NOT IN ('failed', 'won') AS stands FROM reversals r JOIN payments p ON p.id = r.payment_id
WHERE p.transaction_id = $1 AND r.gateway_id = $2 AND r.kind = $3 AND r.provider_id IS NOT NULL
ORDER BY r.id;

-- coins-waiting
-- server/adapters/shared/coins/queries.ts
-- $1 gatewayId int4
-- returns: rate bool, name bool
SELECT EXISTS (SELECT FROM coin_deposits WHERE gateway_id = $1 AND rest_micros IS NULL AND gone_at IS NULL AND asset IS NOT NULL) AS rate, EXISTS (SELECT FROM coin_deposits WHERE gateway_id = $1 AND rest_micros IS NULL AND gone_at IS NULL AND asset IS NULL) AS name;
