-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/adapters/heleket/queries.ts: heleket-refunds, heleket-sight, heleket-sight-store

-- heleket-refunds
-- server/adapters/heleket/queries.ts
-- $1 transactionId text
-- returns: is_part bool, at timestamptz
SELECT r.is_part, r.at FROM reversals r JOIN payments p ON p.id = r.payment_id
WHERE p.transaction_id = $1 AND r.kind = 'refund' AND r.state <> 'failed';

-- heleket-sight
-- server/adapters/heleket/queries.ts
-- $1 transactionId text
-- returns: asset text, coins text, firm text, txid text, seenAt timestamptz, lookedAt timestamptz
SELECT asset, coins::text AS coins, firm_coins::text AS firm, txid, seen_at AS "seenAt", looked_at AS "lookedAt"
FROM coin_sights WHERE transaction_id = $1;

-- heleket-sight-store
-- server/adapters/heleket/queries.ts
-- $1 transactionId text, $2 gatewayId int4, $3 asset text, $4 coins numeric, $5 firm numeric, $6 txid text, $7 seenAt timestamptz, $8 lookedAt timestamptz
-- returns: nothing
INSERT INTO coin_sights (transaction_id, gateway_id, asset, coins, firm_coins, txid, seen_at, looked_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (transaction_id) DO UPDATE SET asset = EXCLUDED.asset, coins = EXCLUDED.coins, firm_coins = EXCLUDED.firm_coins,
  txid = EXCLUDED.txid, seen_at = EXCLUDED.seen_at, looked_at = EXCLUDED.looked_at;
