-- The reward for joining the channel: once for an account, and once for a person of Telegram.
CREATE TABLE channel_rewards (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id       integer NOT NULL CONSTRAINT channel_rewards_account_once UNIQUE REFERENCES accounts (user_id),
  telegram_id   bigint NOT NULL CONSTRAINT channel_rewards_person_once UNIQUE,
  currency      text NOT NULL,
  amount_micros bigint NOT NULL CONSTRAINT channel_rewards_amount_positive CHECK (amount_micros > 0),
  at            timestamptz NOT NULL
);
CREATE TRIGGER channel_rewards_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON channel_rewards
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE transfers ADD COLUMN channel_reward_id bigint
  CONSTRAINT transfers_channel_reward REFERENCES channel_rewards (id);
CREATE UNIQUE INDEX transfers_channel_reward_once ON transfers (channel_reward_id) WHERE channel_reward_id IS NOT NULL;

-- The same as server/money/movement-kinds.ts.
ALTER TABLE transfers DROP CONSTRAINT transfers_kind;
ALTER TABLE transfers ADD CONSTRAINT transfers_kind CHECK (
  kind || ' ' || from_account || ' ' || to_account = ANY (
    '{hold available held, capture held revenue, release held available, refund revenue available,
      credit adjustments available, debit available adjustments, topup cash available, fee available fees,
      fee_back fees available, bonus bonuses available, voucher promotions available, rounding rounding available,
      payment_refund available refunds, payment_refund_failed refunds available, dispute available disputes,
      dispute_won disputes available, bonus_back available bonuses, debt debt available, repayment available debt,
      referral referrals referral, referral_back referral referrals, referral_recall available referral,
      referral_withdrawal referral available, referral_payout referral payouts, referral_payout_back payouts referral,
      loyalty loyalty available, loyalty_back available loyalty, forfeit available forfeits,
      referral_forfeit referral forfeits, channel_reward promotions available}'::text[])
  AND num_nonnulls(activation_id, charge_id) + 10 * num_nonnulls(payment_id) + 100 * num_nonnulls(referral_share_id)
    + 1000 * num_nonnulls(referral_withdrawal_id) + 10000 * num_nonnulls(loyalty_reward_id)
    + 100000 * num_nonnulls(channel_reward_id)
    = ANY (CASE WHEN kind IN ('hold', 'capture', 'release', 'refund') THEN '{1}'
        WHEN kind IN ('credit', 'debit', 'repayment', 'forfeit', 'referral_forfeit') THEN '{0}'
        WHEN kind IN ('referral', 'referral_back', 'referral_recall') THEN '{100}'
        WHEN kind IN ('referral_withdrawal', 'referral_payout', 'referral_payout_back') THEN '{1000}'
        WHEN kind IN ('loyalty', 'loyalty_back') THEN '{10000}'
        WHEN kind = 'channel_reward' THEN '{100000}'
        WHEN kind = 'debt' THEN '{10,100,10000}' ELSE '{10}' END::integer[])
);
