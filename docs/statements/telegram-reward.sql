-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/surfaces/telegram/reward/queries.ts: channel-reward-insert, channel-reward-standing

-- channel-reward-insert
-- server/surfaces/telegram/reward/queries.ts
-- $1 currency text, $2 amountMicros int8, $3 now timestamptz, $4 userId int4, $5 telegramId int8, $6 linkedBy timestamptz
-- returns: id int8
INSERT INTO channel_rewards (user_id, telegram_id, currency, amount_micros, at)
SELECT user_id, telegram_id, $1, $2, $3 FROM telegram_chats
WHERE user_id = $4 AND telegram_id = $5 AND linked_at <= $6
ON CONFLICT DO NOTHING RETURNING id;

-- channel-reward-standing
-- server/surfaces/telegram/reward/queries.ts
-- $1 userId int4
-- returns: created_at timestamptz, given_micros int8, topped_up_micros int8
SELECT u.created_at, (SELECT amount_micros FROM channel_rewards WHERE user_id = u.id) AS given_micros,
(SELECT COALESCE(sum(CASE WHEN kind IN ('topup', 'payment_refund_failed', 'dispute_won') THEN amount_micros ELSE -amount_micros END), 0)::bigint
  FROM transfers WHERE user_id = u.id AND kind IN ('topup', 'payment_refund', 'payment_refund_failed', 'dispute', 'dispute_won')
) AS topped_up_micros
FROM users u WHERE u.id = $1;
