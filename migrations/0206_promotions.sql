-- Sales below cost, of one pair, until an end, within a ceiling of what they may lose. A promotion outlives its price rule, because the books refer to it.
CREATE TABLE promotions (
  id                integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  service_code      text NOT NULL REFERENCES services (code),
  country_id        integer NOT NULL REFERENCES countries (id),
  currency          text NOT NULL CONSTRAINT promotions_currency CHECK (currency IN ('rub', 'usd')),
  -- What one sale may lose, and all of them.
  sale_limit_micros bigint NOT NULL CONSTRAINT promotions_sale_limit CHECK (sale_limit_micros > 0),
  limit_micros      bigint NOT NULL,
  -- What open sales may lose, and what captured ones lost.
  spent_micros      bigint NOT NULL DEFAULT 0,
  created_at        timestamptz NOT NULL,
  ends_at           timestamptz NOT NULL,
  CONSTRAINT promotions_within_limit CHECK (spent_micros BETWEEN 0 AND limit_micros)
);

ALTER TABLE price_rules
  ADD COLUMN promotion_id integer REFERENCES promotions (id),
  ADD CONSTRAINT price_rules_promotion CHECK (
    promotion_id IS NULL OR num_nonnulls(service_code, country_id, price_micros, ends_at) = 4);
CREATE UNIQUE INDEX price_rules_promotion_once ON price_rules (promotion_id) WHERE promotion_id IS NOT NULL;

ALTER TABLE activations ADD COLUMN promotion_id integer REFERENCES promotions (id);
CREATE INDEX activations_promotion ON activations (promotion_id) WHERE promotion_id IS NOT NULL;

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
      promotion_back revenue promotions}'::text[])
  AND num_nonnulls(activation_id, charge_id) + 10 * num_nonnulls(payment_id) + 100 * num_nonnulls(referral_share_id)
    + 1000 * num_nonnulls(referral_withdrawal_id) + 10000 * num_nonnulls(loyalty_reward_id)
    + 100000 * num_nonnulls(channel_reward_id)
    = ANY (CASE WHEN kind IN ('hold', 'capture', 'release', 'refund', 'promotion', 'promotion_back') THEN '{1}'
        WHEN kind IN ('credit', 'debit', 'repayment', 'forfeit', 'referral_forfeit') THEN '{0}'
        WHEN kind IN ('referral', 'referral_back', 'referral_recall') THEN '{100}'
        WHEN kind IN ('referral_withdrawal', 'referral_payout', 'referral_payout_back') THEN '{1000}'
        WHEN kind IN ('loyalty', 'loyalty_back') THEN '{10000}'
        WHEN kind = 'channel_reward' THEN '{100000}'
        WHEN kind = 'debt' THEN '{10,100,10000}' ELSE '{10}' END::integer[])
);
CREATE UNIQUE INDEX transfers_promotion_once ON transfers (activation_id, kind) WHERE kind IN ('promotion', 'promotion_back');

-- Rounded up, as server/catalog/prices/sell-price.ts does.
CREATE FUNCTION in_currency(micros bigint, paid_in text, wanted text, rub_micros_per_usd bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN paid_in = wanted THEN micros
    WHEN paid_in = 'usd' THEN ceil(micros::numeric * rub_micros_per_usd / 1000000)::bigint
    ELSE ceil(micros::numeric * 1000000 / rub_micros_per_usd)::bigint END
$$;

-- What a sale cost beyond its price, at the rate of the sale.
CREATE FUNCTION sale_loss(sale activations, wanted text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT GREATEST(0, in_currency(sale.cost_micros, sale.cost_currency, wanted, sale.cost_rate_micros)
    - in_currency(sale.price_micros, sale.currency, wanted, sale.cost_rate_micros))
$$;

-- A sale takes its whole limit when it begins, and leaves what it really lost. Its loss is booked in the statement that captures its price.
CREATE FUNCTION keep_promotion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE promotions SET spent_micros = spent_micros + sale_limit_micros
    WHERE id = NEW.promotion_id AND ends_at > NEW.created_at;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'promotion % has ended', NEW.promotion_id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'promotions_within_limit';
    END IF;
    RETURN NULL;
  END IF;
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
  SELECT 'promotion', NEW.user_id, 'promotions', 'revenue', lost, NEW.currency, NEW.id, NEW.first_code_at
  FROM sale_loss(NEW, NEW.currency) AS lost WHERE NEW.money = 'captured' AND lost > 0;
  UPDATE promotions SET spent_micros = spent_micros - sale_limit_micros
    + CASE NEW.money WHEN 'captured' THEN LEAST(sale_limit_micros, sale_loss(NEW, currency)) ELSE 0 END
  WHERE id = NEW.promotion_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER activations_promotion_begins AFTER INSERT ON activations
  FOR EACH ROW WHEN (NEW.promotion_id IS NOT NULL) EXECUTE FUNCTION keep_promotion();
CREATE TRIGGER activations_promotion_settles AFTER UPDATE OF money ON activations
  FOR EACH ROW WHEN (NEW.promotion_id IS NOT NULL AND OLD.money = 'held' AND NEW.money <> 'held') EXECUTE FUNCTION keep_promotion();
