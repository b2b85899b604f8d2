-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/house/money/sandbox/play-money.ts: account-credit-play-money, account-open-sandbox

-- account-credit-play-money
-- server/house/money/sandbox/play-money.ts
-- $1 rub int8, $2 usd int8, $3 userId int4, $4 now timestamptz
-- returns: available_micros int8
WITH before AS (
  SELECT user_id, currency, available_micros, CASE currency WHEN 'rub' THEN $1::bigint ELSE $2::bigint END AS wanted_micros
  FROM accounts WHERE user_id = $3 AND sandbox FOR UPDATE
), changed AS (
  UPDATE accounts SET available_micros = before.wanted_micros FROM before
  WHERE accounts.user_id = before.user_id AND before.available_micros < before.wanted_micros
  RETURNING accounts.user_id
), moved AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, at)
  SELECT 'sandbox_credit', user_id, 'sandbox', 'available', wanted_micros - available_micros, currency, $4
  FROM before JOIN changed USING (user_id)
)
SELECT GREATEST(available_micros, wanted_micros) AS available_micros FROM before;

-- account-open-sandbox
-- server/house/money/sandbox/play-money.ts
-- $1 userId int4, $2 openNumbers int4, $3 times int8, $4 rub int8, $5 usd int8, $6 like int4
-- returns: nothing
INSERT INTO accounts (user_id, currency, sandbox, open_numbers_limit, day_spend_limit_micros)
SELECT $1, currency, true, $2::integer, $3 * CASE currency WHEN 'rub' THEN $4::bigint ELSE $5::bigint END
FROM accounts WHERE user_id = $6 ON CONFLICT (user_id) DO NOTHING;
