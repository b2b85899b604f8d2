-- What coins are worth: rounded once a payment, and decided once for each deposit.

-- What a deposit was worth beyond what it credited. Below zero, it completed a cent of those before it. Of all of a payment together it is
-- what their sum has beyond whole cents. What came before this was rounded up deposit by deposit.
ALTER TABLE deposits ADD COLUMN rest_micros bigint NOT NULL DEFAULT 0
  CONSTRAINT deposits_rest_below_a_cent CHECK (rest_micros > -10000 AND rest_micros < 10000);
ALTER TABLE deposits DROP CONSTRAINT deposits_amount_positive;
ALTER TABLE deposits ADD CONSTRAINT deposits_amount_not_negative CHECK (amount_micros >= 0);
ALTER TABLE deposits ADD CONSTRAINT deposits_worth_positive CHECK (amount_micros + rest_micros > 0);

-- Coins that a vendor has told of: what came in time up to what was due has the rate of its invoice, the rest that of the moment.
CREATE TABLE coin_deposits (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  gateway_id     integer NOT NULL REFERENCES gateways (id),
  transaction_id text NOT NULL REFERENCES payments (transaction_id),
  -- The vendor's.
  invoice        text NOT NULL,
  provider_id    text NOT NULL,
  coins          numeric NOT NULL CONSTRAINT coin_deposits_coins CHECK (coins > 0),
  quoted_coins   numeric NOT NULL CONSTRAINT coin_deposits_quoted CHECK (quoted_coins BETWEEN 0 AND coins),
  quoted_micros  bigint NOT NULL CONSTRAINT coin_deposits_quoted_worth CHECK (quoted_micros >= 0),
  -- Which rate the rest has; null: the vendor does not name its coin.
  asset          text,
  -- Null: it waits for a rate.
  rest_micros    bigint CONSTRAINT coin_deposits_rest CHECK (rest_micros >= 0),
  rub_micros     bigint,
  usd_rub_micros bigint,
  rate_source    text,
  rate_at        timestamptz,
  seen_at        timestamptz NOT NULL,
  valued_at      timestamptz,
  CONSTRAINT coin_deposits_once UNIQUE (gateway_id, provider_id),
  CONSTRAINT coin_deposits_valued CHECK ((rest_micros IS NULL) = (valued_at IS NULL))
);
CREATE INDEX coin_deposits_payment ON coin_deposits (transaction_id);
CREATE INDEX coin_deposits_waiting ON coin_deposits (gateway_id, id) WHERE rest_micros IS NULL;

-- Of vendors that do not tell when coins came: how many were seen while their invoice's rate held.
CREATE TABLE coin_sights (
  transaction_id text NOT NULL REFERENCES payments (transaction_id),
  gateway_id     integer NOT NULL REFERENCES gateways (id),
  -- In which they count; empty: the currency of the payment.
  asset          text NOT NULL,
  coins          numeric NOT NULL CONSTRAINT coin_sights_coins CHECK (coins > 0),
  -- False: something was under way, and what was due stands for it until the vendor says how much it was.
  is_told        boolean NOT NULL,
  seen_at        timestamptz NOT NULL,
  PRIMARY KEY (transaction_id, asset)
);

-- A webhook that was heard in time tells that money was there, also where nobody could be asked.
CREATE INDEX gateway_events_payment ON gateway_events (payment_id) WHERE payment_id IS NOT NULL;
