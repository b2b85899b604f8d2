-- Shares of what invited people spend or top up, and how the referrer takes them out.

-- One row for each invited person of whom something was counted.
CREATE TABLE referral_invitations (
  invited_id integer PRIMARY KEY REFERENCES users (id),
  user_id    integer NOT NULL REFERENCES accounts (user_id),
  -- `suspected`: its shares wait for staff. `cleared` and `barred` are what staff said.
  state      text NOT NULL DEFAULT 'counted' CONSTRAINT referral_invitations_state CHECK (state IN
    ('counted', 'suspected', 'cleared', 'barred')),
  reasons    text[] NOT NULL DEFAULT '{}',
  -- The sum of its shares, for the most that one invited person may bring.
  due_micros bigint NOT NULL DEFAULT 0 CONSTRAINT referral_invitations_due_not_negative CHECK (due_micros >= 0),
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  CONSTRAINT referral_invitations_not_self CHECK (invited_id <> user_id)
);
CREATE INDEX referral_invitations_user ON referral_invitations (user_id, invited_id);
CREATE INDEX referral_invitations_suspected ON referral_invitations (invited_id) WHERE state = 'suspected';

-- One row for each purchase or payment that a share is paid of.
CREATE TABLE referral_shares (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id       integer NOT NULL REFERENCES accounts (user_id),
  invited_id    integer NOT NULL REFERENCES referral_invitations (invited_id),
  activation_id bigint REFERENCES activations (id),
  charge_id     bigint REFERENCES charges (id),
  payment_id    bigint REFERENCES payments (id),
  -- What was counted, and what of it went back; in the currency of the invited person.
  gross_micros  bigint NOT NULL CONSTRAINT referral_shares_gross_positive CHECK (gross_micros > 0),
  back_micros   bigint NOT NULL DEFAULT 0 CONSTRAINT referral_shares_back_not_negative CHECK (back_micros >= 0),
  base_currency text NOT NULL CONSTRAINT referral_shares_base_currency CHECK (base_currency IN ('rub', 'usd')),
  percent       integer NOT NULL CONSTRAINT referral_shares_percent CHECK (percent BETWEEN 1 AND 100),
  -- Of the referrer. Where it is another: roubles for a dollar, in micros, and whose rate it was.
  currency      text NOT NULL CONSTRAINT referral_shares_currency CHECK (currency IN ('rub', 'usd')),
  rate_micros   bigint CONSTRAINT referral_shares_rate_positive CHECK (rate_micros > 0),
  rate_source   text,
  -- What it is worth now, and what of it was given.
  due_micros    bigint NOT NULL DEFAULT 0 CONSTRAINT referral_shares_due_not_negative CHECK (due_micros >= 0),
  given_micros  bigint NOT NULL DEFAULT 0 CONSTRAINT referral_shares_given_not_negative CHECK (given_micros >= 0),
  -- How often money moved for it: part of the key that makes each movement once.
  moves         integer NOT NULL DEFAULT 0,
  state         text NOT NULL DEFAULT 'pending' CONSTRAINT referral_shares_state CHECK (state IN
    ('pending', 'available', 'refused')),
  created_at    timestamptz NOT NULL,
  available_at  timestamptz NOT NULL,
  -- When something is to be done about it; null: nothing until its base or staff change that.
  look_at       timestamptz,
  CONSTRAINT referral_shares_thing CHECK (num_nonnulls(activation_id, charge_id, payment_id) = 1),
  CONSTRAINT referral_shares_once UNIQUE NULLS NOT DISTINCT (activation_id, charge_id, payment_id),
  CONSTRAINT referral_shares_given_when_available CHECK (state = 'available' OR given_micros = 0)
);
CREATE INDEX referral_shares_charge ON referral_shares (charge_id) WHERE charge_id IS NOT NULL;
CREATE INDEX referral_shares_payment ON referral_shares (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX referral_shares_user ON referral_shares (user_id, created_at DESC);
CREATE INDEX referral_shares_invited ON referral_shares (invited_id, state);
CREATE INDEX referral_shares_look ON referral_shares (look_at, user_id) WHERE look_at IS NOT NULL;

-- Through which transfer shares were counted. What was spent before this release has none.
CREATE TABLE referral_progress (
  one              boolean PRIMARY KEY DEFAULT true CONSTRAINT referral_progress_one CHECK (one),
  through_transfer bigint NOT NULL
);
INSERT INTO referral_progress (through_transfer) SELECT COALESCE(max(id), 0) FROM transfers;

CREATE TABLE referral_withdrawals (
  id              bigint GENERATED ALWAYS AS IDENTITY (START WITH 1001) PRIMARY KEY,
  user_id         integer NOT NULL REFERENCES accounts (user_id),
  amount_micros   bigint NOT NULL CONSTRAINT referral_withdrawals_amount_positive CHECK (amount_micros > 0),
  currency        text NOT NULL CONSTRAINT referral_withdrawals_currency CHECK (currency IN ('rub', 'usd')),
  target          text NOT NULL,
  network         text,
  address         text,
  -- What staff named when they had paid.
  tx              text,
  state           text NOT NULL,
  idempotency_key text,
  input_hash      text,
  created_at      timestamptz NOT NULL,
  changed_at      timestamptz NOT NULL,
  CONSTRAINT referral_withdrawals_state CHECK (target || ' ' || state = ANY (
    '{balance paid, address asked, address approved, address paid, address refused}'::text[])),
  CONSTRAINT referral_withdrawals_address CHECK (
    (target = 'address') = (address IS NOT NULL) AND (target = 'address') = (network IS NOT NULL)),
  CONSTRAINT referral_withdrawals_tx CHECK ((tx IS NOT NULL) = (target = 'address' AND state = 'paid'))
);
CREATE INDEX referral_withdrawals_user ON referral_withdrawals (user_id, id DESC);
CREATE UNIQUE INDEX referral_withdrawals_one_open ON referral_withdrawals (user_id) WHERE state IN ('asked', 'approved');
CREATE UNIQUE INDEX referral_withdrawals_idempotency ON referral_withdrawals (user_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
-- One payment on a chain is for one withdrawal.
CREATE UNIQUE INDEX referral_withdrawals_tx_once ON referral_withdrawals (network, tx) WHERE tx IS NOT NULL;

ALTER TABLE transfers ADD CONSTRAINT transfers_referral_share
  FOREIGN KEY (referral_share_id) REFERENCES referral_shares (id);
ALTER TABLE transfers ADD CONSTRAINT transfers_referral_withdrawal
  FOREIGN KEY (referral_withdrawal_id) REFERENCES referral_withdrawals (id);
-- A share may be given, taken back and given again: there the idempotency key, with `moves`, makes each once.
CREATE INDEX transfers_referral_share ON transfers (referral_share_id) WHERE referral_share_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_referral_withdrawal_once ON transfers (referral_withdrawal_id, kind)
  WHERE referral_withdrawal_id IS NOT NULL;

-- What names the payer at the gateway, hashed with SECRET_KEY.
ALTER TABLE deposits ADD COLUMN payer_hash bytea;
CREATE INDEX deposits_payer ON deposits (payer_hash) WHERE payer_hash IS NOT NULL;
