-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/adapters/shared/chain/queries/addresses.ts: chain-address-find, chain-address-insert, chain-owners, chain-place-take
-- server/adapters/shared/chain/queries/deposits.ts: chain-deposit-again, chain-deposit-bind, chain-deposit-state, chain-deposit-worth, chain-deposits-due, chain-deposits-find, chain-deposits-insert, chain-deposits-lose, chain-deposits-unbound, chain-losses-give-up
-- server/adapters/shared/chain/queries/facts.ts: chain-facts, chain-told, chain-touched
-- server/adapters/shared/chain/queries/findings.ts: chain-balance-store, chain-coin-expected, chain-coin-sum, chain-faults, chain-finding-insert
-- server/adapters/shared/chain/queries/quotes.ts: chain-quote-find, chain-quote-insert, chain-quote-lock
-- server/adapters/shared/chain/queries/watches.ts: chain-block-find, chain-blocks-any, chain-blocks-forget, chain-blocks-store, chain-watch-begin, chain-watch-doubted, chain-watch-find, chain-watch-look, chain-watch-move, chain-watch-rewind, chain-watch-stop

-- chain-address-find
-- server/adapters/shared/chain/queries/addresses.ts
-- $1 branch text, $2 userId int4
-- returns: address text
SELECT address FROM chain_addresses WHERE branch = $1 AND user_id = $2;

-- chain-address-insert
-- server/adapters/shared/chain/queries/addresses.ts
-- $1 branch text, $2 userId int4, $3 place int4, $4 address text, $5 now timestamptz
-- returns: nothing
INSERT INTO chain_addresses (branch, user_id, place, address, created_at)
VALUES ($1, $2, $3, $4, $5) ON CONFLICT ON CONSTRAINT chain_addresses_of_user DO NOTHING;

-- chain-owners
-- server/adapters/shared/chain/queries/addresses.ts
-- $1 addresses text[]
-- returns: address text, user_id int4
SELECT address, user_id FROM chain_addresses WHERE address = ANY ($1);

-- chain-place-take
-- server/adapters/shared/chain/queries/addresses.ts
-- $1 branch text
-- returns: place int4
INSERT INTO chain_branches AS b (branch, next_place) VALUES ($1, 1)
ON CONFLICT (branch) DO UPDATE SET next_place = b.next_place + 1 RETURNING next_place - 1 AS place;

-- chain-deposit-again
-- server/adapters/shared/chain/queries/deposits.ts
-- $1 now timestamptz, $2 id int8, $3 number int8, $4 hash text, $5 blockAt timestamptz
-- returns: nothing
WITH won AS (UPDATE chain_losses SET state = 'won', ended_at = $1 WHERE deposit_id = $2 AND state = 'open')
UPDATE chain_deposits SET block_number = $3, block_hash = $4, block_at = $5, lost_at = NULL,
  is_told = transaction_id IS NULL
WHERE id = $2;

-- chain-deposit-bind
-- server/adapters/shared/chain/queries/deposits.ts
-- $1 transactionId text, $2 id int8
-- returns: nothing
UPDATE chain_deposits SET transaction_id = $1, is_told = false WHERE id = $2 AND transaction_id IS NULL;

-- chain-deposit-state
-- server/adapters/shared/chain/queries/deposits.ts
-- $1 state text, $2 id int8
-- returns: nothing
UPDATE chain_deposits SET state = $1, is_told = transaction_id IS NULL
WHERE id = $2 AND state <> $1 AND lost_at IS NULL;

-- chain-deposit-worth
-- server/adapters/shared/chain/queries/deposits.ts
-- $1 transactionId text, $2 quotedUnits numeric, $3 valueMicros int8, $4 rubMicros int8, $5 usdRubMicros int8, $6 rateSource text, $7 rateAt timestamptz, $8 now timestamptz, $9 id int8
-- returns: nothing
UPDATE chain_deposits SET state = 'valued', transaction_id = $1, quoted_units = $2, value_micros = $3,
  rub_micros = $4, usd_rub_micros = $5, rate_source = $6, rate_at = $7, valued_at = $8,
  is_told = false
WHERE id = $9 AND state IN ('seen', 'waiting') AND lost_at IS NULL;

-- chain-deposits-due
-- server/adapters/shared/chain/queries/deposits.ts
-- $1 gatewayId int4, $2 finalHeight int8, $3 assets text[], $4 limit int8
-- returns: id int8, user_id int4, asset text, units text, state text, transaction_id text, address text, block_number int8, block_at timestamptz, currency text
SELECT d.id, d.user_id, d.asset, d.units::text AS units, d.state, d.transaction_id, d.address, d.block_number, d.block_at, a.currency
FROM chain_deposits d JOIN accounts a USING (user_id)
WHERE d.gateway_id = $1 AND d.state IN ('seen', 'waiting') AND d.lost_at IS NULL AND d.block_number <= $2
  AND d.asset = ANY ($3)
ORDER BY d.state = 'waiting', d.block_number, d.id LIMIT $4;

-- chain-deposits-find
-- server/adapters/shared/chain/queries/deposits.ts
-- $1 txHashes text[], $2 assets text[], $3 addresses text[], $4 units numeric[], $5 places int4[], $6 chain text
-- returns: turn int8, id int8, gateway_id int4, life int4, lost_at timestamptz, was_given_up bool
SELECT turn, known.*
FROM unnest($1::text[], $2::text[], $3::text[], $4::numeric[], $5::integer[])
WITH ORDINALITY AS one (tx_hash, asset, address, units, place, turn),
  LATERAL (SELECT id, gateway_id, life, lost_at,
      EXISTS (SELECT FROM chain_losses l WHERE l.deposit_id = d.id AND l.state = 'lost') AS was_given_up
    FROM chain_deposits d WHERE d.chain = $6 AND d.tx_hash = one.tx_hash AND d.asset = one.asset
      AND d.address = one.address AND d.units = one.units AND d.place = one.place ORDER BY life DESC LIMIT 1) known;

-- chain-deposits-insert
-- server/adapters/shared/chain/queries/deposits.ts
-- $1 gatewayId int4, $2 chain text, $3 now timestamptz, $4 txHashes text[], $5 assets text[], $6 addresses text[], $7 units numeric[], $8 places int4[], $9 lives int4[], $10 userIds int4[], $11 senders text[], $12 numbers int8[], $13 hashes text[], $14 times timestamptz[], $15 states text[]
-- returns: nothing
INSERT INTO chain_deposits (gateway_id, chain, tx_hash, asset, address, units, place, life, user_id, sender, block_number,
    block_hash, block_at, seen_at, state)
SELECT $1, $2, tx_hash, asset, address, units, place, life, user_id, sender, number, hash, at, $3, state
FROM unnest($4::text[], $5::text[], $6::text[], $7::numeric[], $8::integer[], $9::integer[],
    $10::integer[], $11::text[], $12::bigint[], $13::text[], $14::timestamptz[], $15::text[])
  AS one (tx_hash, asset, address, units, place, life, user_id, sender, number, hash, at, state)
ON CONFLICT ON CONSTRAINT chain_deposits_once DO NOTHING;

-- chain-deposits-lose
-- server/adapters/shared/chain/queries/deposits.ts
-- $1 now timestamptz, $2 gatewayId int4, $3 height int8
-- returns: rows without columns
WITH lost AS (
  UPDATE chain_deposits SET lost_at = $1, is_told = transaction_id IS NULL
  WHERE gateway_id = $2 AND block_number > $3 AND lost_at IS NULL RETURNING id, state
), taken AS (
  INSERT INTO chain_losses (deposit_id, state, at) SELECT id, 'open', $1 FROM lost WHERE state = 'valued'
)
SELECT FROM lost;

-- chain-deposits-unbound
-- server/adapters/shared/chain/queries/deposits.ts
-- $1 gatewayId int4, $2 limit int8
-- returns: id int8, user_id int4, asset text, block_at timestamptz
SELECT id, user_id, asset, block_at FROM chain_deposits d WHERE gateway_id = $1 AND state IN ('seen', 'waiting')
  AND lost_at IS NULL AND transaction_id IS NULL AND EXISTS (SELECT FROM payments p WHERE p.user_id = d.user_id
      AND p.gateway_id = d.gateway_id AND p.state NOT IN ('paid', 'refunded', 'disputed'))
ORDER BY id LIMIT $2;

-- chain-losses-give-up
-- server/adapters/shared/chain/queries/deposits.ts
-- $1 now timestamptz, $2 gatewayId int4, $3 before timestamptz
-- returns: nothing
WITH ended AS (
  UPDATE chain_losses l SET state = 'lost', ended_at = $1 FROM chain_deposits d
  WHERE d.id = l.deposit_id AND d.gateway_id = $2 AND l.state = 'open' AND l.at <= $3 RETURNING deposit_id
)
UPDATE chain_deposits SET is_told = false WHERE id IN (SELECT deposit_id FROM ended);

-- chain-facts
-- server/adapters/shared/chain/queries/facts.ts
-- $1 gatewayId int4, $2 transactionId text
-- returns: id int8, tx_hash text, state text, sender text, value_micros int8, credited_micros int8, block_number int8, is_lost bool, loss_id int8, loss_state text
SELECT d.id, d.tx_hash, d.state, d.sender, d.value_micros, b.amount_micros AS credited_micros, d.block_number, d.lost_at IS NOT NULL AS is_lost,
  l.id AS loss_id, l.state AS loss_state
FROM chain_deposits d LEFT JOIN chain_losses l ON l.deposit_id = d.id
LEFT JOIN deposits b ON b.gateway_id = d.gateway_id AND b.provider_id = d.tx_hash || '-' || d.id
WHERE d.gateway_id = $1 AND d.transaction_id = $2 ORDER BY d.id, l.id;

-- chain-told
-- server/adapters/shared/chain/queries/facts.ts
-- $1 transactionId text
-- returns: nothing
UPDATE chain_deposits SET is_told = true WHERE transaction_id = $1 AND NOT is_told;

-- chain-touched
-- server/adapters/shared/chain/queries/facts.ts
-- $1 gatewayId int4, $2 hasGrown bool, $3 limit int8
-- returns: transaction_id text
SELECT transaction_id FROM chain_deposits WHERE gateway_id = $1 AND NOT is_told AND transaction_id IS NOT NULL
UNION SELECT transaction_id FROM chain_deposits WHERE $2 AND gateway_id = $1 AND state IN ('seen', 'waiting')
  AND lost_at IS NULL AND transaction_id IS NOT NULL
LIMIT $3;

-- chain-balance-store
-- server/adapters/shared/chain/queries/findings.ts
-- $1 gatewayId int4, $2 address text, $3 height int8, $4 units numeric
-- returns: nothing
INSERT INTO chain_balances (gateway_id, address, height, units) VALUES ($1, $2, $3, $4)
ON CONFLICT (gateway_id, address) DO UPDATE SET height = $3, units = $4;

-- chain-coin-expected
-- server/adapters/shared/chain/queries/findings.ts
-- $1 gatewayId int4, $2 asset text, $3 since timestamptz, $4 limit int8
-- returns: address text, user_id int4, height int8, units text
SELECT q.address, p.user_id, b.height, b.units::text AS units
FROM chain_quotes q JOIN payments p USING (transaction_id)
LEFT JOIN chain_balances b ON b.gateway_id = q.gateway_id AND b.address = q.address
WHERE q.gateway_id = $1 AND q.asset = $2 AND p.expires_at > $3
GROUP BY 1, 2, 3, 4 ORDER BY b.height NULLS FIRST, q.address LIMIT $4;

-- chain-coin-sum
-- server/adapters/shared/chain/queries/findings.ts
-- $1 gatewayId int4, $2 address text, $3 asset text, $4 after int8, $5 through int8
-- returns: units text
SELECT COALESCE(sum(units), 0)::text AS units FROM chain_deposits WHERE gateway_id = $1 AND address = $2
  AND asset = $3 AND lost_at IS NULL AND block_number > $4 AND block_number <= $5;

-- chain-faults
-- server/adapters/shared/chain/queries/findings.ts
-- $1 gatewayId int4
-- returns: waiting bool, found bool, since timestamptz
SELECT EXISTS (SELECT FROM chain_deposits WHERE gateway_id = $1 AND state = 'waiting' AND lost_at IS NULL) AS waiting,
  EXISTS (SELECT FROM chain_findings WHERE gateway_id = $1 AND settled_at IS NULL) AS found, created_at AS since
FROM gateways WHERE id = $1;

-- chain-finding-insert
-- server/adapters/shared/chain/queries/findings.ts
-- $1 gatewayId int4, $2 kind text, $3 subject text, $4 userId int4, $5 address text, $6 asset text, $7 units numeric, $8 height int8, $9 now timestamptz
-- returns: nothing
INSERT INTO chain_findings (gateway_id, kind, subject, user_id, address, asset, units, height, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT ON CONSTRAINT chain_findings_once DO NOTHING;

-- chain-quote-find
-- server/adapters/shared/chain/queries/quotes.ts
-- $1 transactionId text
-- returns: address text, asset text, units text, rub_micros int8, usd_rub_micros int8, rate_source text, rate_at timestamptz
SELECT address, asset, units::text AS units, rub_micros, usd_rub_micros, rate_source, rate_at
FROM chain_quotes WHERE transaction_id = $1;

-- chain-quote-insert
-- server/adapters/shared/chain/queries/quotes.ts
-- $1 transactionId text, $2 gatewayId int4, $3 address text, $4 asset text, $5 units numeric, $6 rubMicros int8, $7 usdRubMicros int8, $8 rateSource text, $9 rateAt timestamptz
-- returns: nothing
INSERT INTO chain_quotes (transaction_id, gateway_id, address, asset, units, rub_micros, usd_rub_micros, rate_source, rate_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (transaction_id) DO NOTHING;

-- chain-quote-lock
-- server/adapters/shared/chain/queries/quotes.ts
-- $1 transactionId text, $2 asset text
-- returns: address text, asset text, units text, rub_micros int8, usd_rub_micros int8, rate_source text, rate_at timestamptz, amount_micros int8, created_at timestamptz, expires_at timestamptz, used_units text
SELECT q.address, q.asset, q.units::text AS units, q.rub_micros, q.usd_rub_micros, q.rate_source, q.rate_at, p.amount_micros,
  p.created_at, p.expires_at, (SELECT COALESCE(sum(quoted_units), 0) FROM chain_deposits d
    WHERE d.transaction_id = q.transaction_id AND d.state = 'valued' AND d.lost_at IS NULL)::text AS used_units
FROM chain_quotes q JOIN payments p USING (transaction_id)
WHERE q.transaction_id = $1 AND q.asset = $2 FOR UPDATE OF q;

-- chain-block-find
-- server/adapters/shared/chain/queries/watches.ts
-- $1 gatewayId int4, $2 number int8
-- returns: number int8, hash text, parent text, at timestamptz
SELECT number, hash, parent, at FROM chain_blocks WHERE gateway_id = $1 AND number = $2;

-- chain-blocks-any
-- server/adapters/shared/chain/queries/watches.ts
-- $1 gatewayId int4
-- returns: rows without columns
SELECT FROM chain_blocks WHERE gateway_id = $1 LIMIT 1;

-- chain-blocks-forget
-- server/adapters/shared/chain/queries/watches.ts
-- $1 gatewayId int4, $2 height int8
-- returns: nothing
DELETE FROM chain_blocks WHERE gateway_id = $1 AND number > $2;

-- chain-blocks-store
-- server/adapters/shared/chain/queries/watches.ts
-- $1 gatewayId int4, $2 keepFrom int8, $3 numbers int8[], $4 hashes text[], $5 parents text[], $6 times timestamptz[]
-- returns: nothing
WITH old AS (DELETE FROM chain_blocks WHERE gateway_id = $1 AND number < $2)
INSERT INTO chain_blocks (gateway_id, number, hash, parent, at)
SELECT $1, number, hash, parent, at
FROM unnest($3::bigint[], $4::text[], $5::text[], $6::timestamptz[]) AS block (number, hash, parent, at);

-- chain-watch-begin
-- server/adapters/shared/chain/queries/watches.ts
-- $1 gatewayId int4, $2 height int8, $3 at timestamptz
-- returns: nothing
INSERT INTO chain_watches (gateway_id, height, block_at) VALUES ($1, $2, $3)
ON CONFLICT (gateway_id) DO UPDATE SET height = $2, block_at = $3;

-- chain-watch-doubted
-- server/adapters/shared/chain/queries/watches.ts
-- $1 gatewayId int4, $2 doubted text[]
-- returns: nothing
INSERT INTO chain_watches (gateway_id, doubted) VALUES ($1, $2)
ON CONFLICT (gateway_id) DO UPDATE SET doubted = $2 WHERE chain_watches.doubted <> $2;

-- chain-watch-find
-- server/adapters/shared/chain/queries/watches.ts
-- $1 gatewayId int4
-- returns: height int8, block_at timestamptz, head int8, final_height int8, stopped text, doubted text[]
SELECT height, block_at, head, final_height, stopped, doubted FROM chain_watches WHERE gateway_id = $1;

-- chain-watch-look
-- server/adapters/shared/chain/queries/watches.ts
-- $1 head int8, $2 finalHeight int8, $3 doubted text[], $4 now timestamptz, $5 gatewayId int4
-- returns: nothing
UPDATE chain_watches SET head = $1, final_height = $2, doubted = $3, looked_at = $4
WHERE gateway_id = $5;

-- chain-watch-move
-- server/adapters/shared/chain/queries/watches.ts
-- $1 height int8, $2 at timestamptz, $3 gatewayId int4, $4 from int8
-- returns: nothing
UPDATE chain_watches SET height = $1, block_at = $2 WHERE gateway_id = $3 AND height = $4;

-- chain-watch-rewind
-- server/adapters/shared/chain/queries/watches.ts
-- $1 gatewayId int4, $2 height int8
-- returns: nothing
WITH forgotten AS (DELETE FROM chain_blocks WHERE gateway_id = $1)
UPDATE chain_watches SET height = $2, final_height = NULL, stopped = NULL WHERE gateway_id = $1 AND height >= $2;

-- chain-watch-stop
-- server/adapters/shared/chain/queries/watches.ts
-- $1 gatewayId int4, $2 stopped text
-- returns: nothing
INSERT INTO chain_watches (gateway_id, stopped) VALUES ($1, $2)
ON CONFLICT (gateway_id) DO UPDATE SET stopped = $2;
