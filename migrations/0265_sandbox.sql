-- Keys with play money. Such a key acts for a shadow of its owner, whose account and orders are apart from all others.
ALTER TABLE users
  ADD COLUMN sandbox_of integer CONSTRAINT users_sandbox_of REFERENCES users (id),
  ADD CONSTRAINT users_sandbox_once UNIQUE (sandbox_of),
  -- It cannot sign in, is told nothing by mail, and brings nobody anything.
  ADD CONSTRAINT users_sandbox_bare CHECK (sandbox_of IS NULL OR (sandbox_of <> id AND email IS NULL AND password_hash IS NULL
    AND role = 'user' AND referrer_id IS NULL));

ALTER TABLE accounts
  ADD COLUMN sandbox boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT accounts_sandbox_plain CHECK (NOT sandbox OR (debt_micros = 0 AND referral_micros = 0));

ALTER TABLE api_keys ADD COLUMN sandbox boolean NOT NULL DEFAULT false;

ALTER TABLE suppliers
  ADD COLUMN sandbox boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT suppliers_sandbox_simulated CHECK (NOT sandbox OR (kind = 'simulator' AND removed_at IS NULL AND paused_at IS NULL));
CREATE UNIQUE INDEX suppliers_sandbox_one ON suppliers (sandbox) WHERE sandbox;

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
      referral_forfeit referral forfeits, channel_reward promotions available, promotion promotions revenue,
      promotion_back revenue promotions, sandbox_credit sandbox available}'::text[])
  AND num_nonnulls(activation_id, charge_id) + 10 * num_nonnulls(payment_id) + 100 * num_nonnulls(referral_share_id)
    + 1000 * num_nonnulls(referral_withdrawal_id) + 10000 * num_nonnulls(loyalty_reward_id)
    + 100000 * num_nonnulls(channel_reward_id)
    = ANY (CASE WHEN kind IN ('hold', 'capture', 'release', 'refund', 'promotion', 'promotion_back') THEN '{1}'
        WHEN kind IN ('credit', 'debit', 'repayment', 'forfeit', 'referral_forfeit', 'sandbox_credit') THEN '{0}'
        WHEN kind IN ('referral', 'referral_back', 'referral_recall') THEN '{100}'
        WHEN kind IN ('referral_withdrawal', 'referral_payout', 'referral_payout_back') THEN '{1000}'
        WHEN kind IN ('loyalty', 'loyalty_back') THEN '{10000}'
        WHEN kind = 'channel_reward' THEN '{100000}'
        WHEN kind = 'debt' THEN '{10,100,10000}' ELSE '{10}' END::integer[])
);

-- As before; of a sandbox key the refunds are its shadow's.
CREATE OR REPLACE FUNCTION key_spent(key integer, asked_at timestamptz, besides bigint) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  day timestamptz := date_trunc('day', asked_at, 'UTC');
  buyer integer := (SELECT CASE WHEN k.sandbox THEN (SELECT s.id FROM users s WHERE s.sandbox_of = k.user_id) ELSE k.user_id END
    FROM api_keys k WHERE k.id = key);
BEGIN
  RETURN (SELECT COALESCE(sum(price_micros), 0) FROM activations
      WHERE api_key_id = key AND created_at >= day AND money <> 'released' AND id IS DISTINCT FROM besides)
    + (SELECT COALESCE(sum(price_micros), 0) FROM charges
      WHERE api_key_id = key AND created_at >= day AND money <> 'released')
    + (SELECT COALESCE(sum(CASE WHEN p.state IN ('waiting', 'buying') THEN p.max_price_micros
        WHEN p.state = 'bought' AND a.money <> 'released' THEN a.price_micros ELSE 0 END), 0)
      FROM preorders p LEFT JOIN activations a ON a.id = p.activation_id WHERE p.api_key_id = key AND p.created_at >= day)
    - (SELECT COALESCE(sum(t.amount_micros), 0) FROM transfers t
      LEFT JOIN activations a ON a.id = t.activation_id AND a.id IS DISTINCT FROM besides
      LEFT JOIN charges c ON c.id = t.charge_id LEFT JOIN preorders p ON p.activation_id = a.id
      -- Nothing is given back before it is bought.
      WHERE t.kind = 'refund' AND t.user_id = buyer AND t.at >= day
        AND ((a.api_key_id = key AND a.created_at >= day) OR (c.api_key_id = key AND c.created_at >= day)
          OR (p.api_key_id = key AND p.created_at >= day)));
END $$;
