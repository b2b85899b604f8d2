-- Somebody leaves: what is asked for, what they give up, and the number that stays of them.

CREATE TABLE account_deletions (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id         integer NOT NULL REFERENCES users (id),
  -- `erasing`: nobody any more; words of messages are still being erased.
  state           text NOT NULL DEFAULT 'waiting' CONSTRAINT account_deletions_state CHECK (state IN
    ('waiting', 'cancelled', 'erasing', 'erased')),
  asked_by        text NOT NULL CONSTRAINT account_deletions_asked_by CHECK (asked_by IN ('owner', 'staff')),
  -- The most that may be left on the account: what its owner saw and ticked.
  gives_up_micros bigint NOT NULL DEFAULT 0 CONSTRAINT account_deletions_gives_up CHECK (gives_up_micros >= 0),
  asked_at        timestamptz NOT NULL,
  due_at          timestamptz NOT NULL,
  reminded_at     timestamptz,
  -- When the sweep looks at it.
  look_at         timestamptz,
  ended_at        timestamptz,
  CONSTRAINT account_deletions_look CHECK ((look_at IS NULL) = (state IN ('cancelled', 'erased')))
);
CREATE UNIQUE INDEX account_deletions_one ON account_deletions (user_id) WHERE state <> 'cancelled';
CREATE INDEX account_deletions_look ON account_deletions (look_at) WHERE look_at IS NOT NULL;
CREATE INDEX account_deletions_user ON account_deletions (user_id, id DESC);

ALTER TABLE users ADD COLUMN erased_at timestamptz;
ALTER TABLE users ADD CONSTRAINT users_erased_is_nobody CHECK (erased_at IS NULL OR
  (blocked_at IS NOT NULL AND name = '' AND settings = '{}' AND utm = '{}' AND num_nonnulls(email, password_hash) = 0));

-- The same as server/money/movement-kinds.ts. `forfeit`: what somebody who leaves has given up.
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
      referral_forfeit referral forfeits}'::text[])
  AND num_nonnulls(activation_id, charge_id) + 10 * num_nonnulls(payment_id) + 100 * num_nonnulls(referral_share_id)
    + 1000 * num_nonnulls(referral_withdrawal_id) + 10000 * num_nonnulls(loyalty_reward_id)
    = ANY (CASE WHEN kind IN ('hold', 'capture', 'release', 'refund') THEN '{1}'
        WHEN kind IN ('credit', 'debit', 'repayment', 'forfeit', 'referral_forfeit') THEN '{0}'
        WHEN kind IN ('referral', 'referral_back', 'referral_recall') THEN '{100}'
        WHEN kind IN ('referral_withdrawal', 'referral_payout', 'referral_payout_back') THEN '{1000}'
        WHEN kind IN ('loyalty', 'loyalty_back') THEN '{10000}'
        WHEN kind = 'debt' THEN '{10,100,10000}' ELSE '{10}' END::integer[])
);
