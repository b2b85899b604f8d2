-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/house/money/accounts.ts: account-find, account-find-available
-- server/house/money/manual-changes.ts: changes-by-hand
-- server/house/money/move-money.ts: account-lock, money-move

-- account-find
-- server/house/money/accounts.ts
-- $1 userId int4
-- returns: currency text, available_micros int8, held_micros int8, debt_micros int8
SELECT currency, available_micros, held_micros, debt_micros FROM accounts WHERE user_id = $1;

-- account-find-available
-- server/house/money/accounts.ts
-- $1 userId int4
-- returns: available_micros int8
SELECT available_micros FROM accounts WHERE user_id = $1;

-- changes-by-hand
-- server/house/money/manual-changes.ts
-- $1 after int8, $2 limit int8
-- returns: id int8, actor text, command text, subject text, amount text, currency text, tells jsonb
SELECT id, actor, command, subject, detail->>'amount' AS amount, detail->>'currency' AS currency, tells
FROM audit_log WHERE id > $1 ORDER BY id LIMIT $2;

-- account-lock
-- server/house/money/move-money.ts
-- $1 userId int4
-- returns: currency text, availableMicros int8, heldMicros int8, debtMicros int8, referralMicros int8
SELECT currency, available_micros AS "availableMicros", held_micros AS "heldMicros", debt_micros AS "debtMicros",
  referral_micros AS "referralMicros"
FROM accounts WHERE user_id = $1 FOR UPDATE;

-- money-move
-- server/house/money/move-money.ts
-- $1 available int8, $2 held int8, $3 debt int8, $4 referral int8, $5 userId int4, $6 at timestamptz, $7 kinds text[], $8 from text[], $9 to text[], $10 micros int8[], $11 payments int8[], $12 deposits int8[], $13 reversals int8[], $14 shares int8[], $15 withdrawals int8[], $16 loyaltyRewards int8[], $17 channelRewards int8[], $18 keys text[]
-- returns: available_micros int8
WITH account AS (
  UPDATE accounts SET available_micros = available_micros + $1, held_micros = held_micros + $2,
    debt_micros = debt_micros - $3, referral_micros = referral_micros + $4
  WHERE user_id = $5 RETURNING user_id, currency, available_micros
), moved AS (
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, payment_id, deposit_id,
      reversal_id, referral_share_id, referral_withdrawal_id, loyalty_reward_id, channel_reward_id, idempotency_key, at)
  SELECT kind, user_id, from_account, to_account, micros, currency, payment_id, deposit_id, reversal_id, share_id,
    withdrawal_id, reward_id, channel_id, key, $6
  FROM account, unnest($7::text[], $8::text[], $9::text[], $10::bigint[], $11::bigint[],
      $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[], $16::bigint[],
      $17::bigint[], $18::text[]) WITH ORDINALITY
    AS move (kind, from_account, to_account, micros, payment_id, deposit_id, reversal_id, share_id, withdrawal_id, reward_id,
        channel_id, key, place)
  ORDER BY place
)
SELECT available_micros FROM account;
