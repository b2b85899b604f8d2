-- PostgreSQL reads the text of a CHECK and compiles the condition of a partial index anew for each statement: together a
-- fifth of a purchase, of a message and of an end. A function is compiled once a connection.

CREATE FUNCTION is_account(a accounts) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN LEAST(a.available_micros, a.held_micros, a.debt_micros, a.referral_micros, a.open_numbers_limit, a.day_spend_limit_micros) >= 0
    AND a.currency IN ('rub', 'usd')
    AND (NOT a.sandbox OR (a.debt_micros = 0 AND a.referral_micros = 0));
END $$;
ALTER TABLE accounts DROP CONSTRAINT accounts_available_not_negative, DROP CONSTRAINT accounts_held_not_negative,
  DROP CONSTRAINT accounts_debt_not_negative, DROP CONSTRAINT accounts_referral_not_negative,
  DROP CONSTRAINT accounts_open_numbers_limit, DROP CONSTRAINT accounts_day_spend_limit,
  DROP CONSTRAINT accounts_currency, DROP CONSTRAINT accounts_sandbox_plain,
  ADD CONSTRAINT accounts_fit CHECK (is_account(accounts));

CREATE FUNCTION is_activation(a activations) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN a.price_micros > 0 AND (a.phone IS NOT NULL OR a.state IN ('reserving', 'failed'))
    AND a.money = CASE
      WHEN a.state IN ('reserving', 'waiting') THEN 'held'
      WHEN a.state IN ('received', 'waiting_again', 'finished') THEN 'captured'
      WHEN a.state IN ('cancelled', 'expired', 'used', 'failed') THEN 'released'
      ELSE '' END;
END $$;
ALTER TABLE activations DROP CONSTRAINT activations_price_positive, DROP CONSTRAINT activations_number_known,
  DROP CONSTRAINT activations_money_fits_state,
  ADD CONSTRAINT activations_fit CHECK (is_activation(activations));

CREATE FUNCTION is_message(m messages) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF num_nonnulls(m.activation_id, m.rental_id) = 0 THEN
    RETURN m.given IN ('unmatched', 'operator', 'junk');
  END IF;
  RETURN num_nonnulls(m.activation_id, m.rental_id) = 1
    AND m.given IN ('reference', 'named', 'only-holder', 'hinted', 'by-hand', 'late', 'notice', 'opened', 'folded');
END $$;
ALTER TABLE messages DROP CONSTRAINT messages_one_number, DROP CONSTRAINT messages_given,
  ADD CONSTRAINT messages_fit CHECK (is_message(messages));

-- An order is held, settled and given back once. A capture and a release are two ways to settle.
CREATE UNIQUE INDEX transfers_activation_once ON transfers (activation_id, (CASE kind WHEN 'release' THEN 'capture' ELSE kind END))
  WHERE activation_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_charge_once ON transfers (charge_id, (CASE kind WHEN 'release' THEN 'capture' ELSE kind END))
  WHERE charge_id IS NOT NULL;
DROP INDEX transfers_hold_once, transfers_settle_once, transfers_refund_once, transfers_charge_hold_once,
  transfers_charge_settle_once, transfers_charge_refund_once;
