-- What goes back of a payment: its share of the bonus and of the fee, and refunds that staff end.

-- Of the fee that the payer had borne.
ALTER TABLE reversals ADD COLUMN fee_micros bigint NOT NULL DEFAULT 0
  CONSTRAINT reversals_fee_not_negative CHECK (fee_micros >= 0);
-- Since when staff want to end a refund that its gateway has not answered.
ALTER TABLE reversals ADD COLUMN cancel_at timestamptz;

-- Shares follow what is left of a payment, so they may move again and again; the money itself goes and comes back once.
DROP INDEX transfers_reversal_once;
CREATE UNIQUE INDEX transfers_reversal_once ON transfers (reversal_id, kind)
  WHERE kind IN ('payment_refund', 'payment_refund_failed', 'dispute', 'dispute_won');
CREATE INDEX transfers_reversal ON transfers (reversal_id) WHERE reversal_id IS NOT NULL;

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
      loyalty loyalty available, loyalty_back available loyalty}'::text[])
  AND num_nonnulls(activation_id, charge_id) + 10 * num_nonnulls(payment_id) + 100 * num_nonnulls(referral_share_id)
    + 1000 * num_nonnulls(referral_withdrawal_id) + 10000 * num_nonnulls(loyalty_reward_id)
    = ANY (CASE WHEN kind IN ('hold', 'capture', 'release', 'refund') THEN '{1}'
        WHEN kind IN ('credit', 'debit', 'repayment') THEN '{0}'
        WHEN kind IN ('referral', 'referral_back', 'referral_recall') THEN '{100}'
        WHEN kind IN ('referral_withdrawal', 'referral_payout', 'referral_payout_back') THEN '{1000}'
        WHEN kind IN ('loyalty', 'loyalty_back') THEN '{10000}'
        WHEN kind = 'debt' THEN '{10,100,10000}' ELSE '{10}' END::integer[])
);
