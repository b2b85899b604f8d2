-- Money that comes in: gateways, payments, the events they send, what arrived, and what went back.

CREATE TABLE gateways (
  id               integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code             text NOT NULL CONSTRAINT gateways_code_unique UNIQUE,
  kind             text NOT NULL,
  settings         jsonb NOT NULL DEFAULT '{}',
  settings_version integer NOT NULL DEFAULT 1,
  paused_at        timestamptz,
  created_at       timestamptz NOT NULL,
  last_success_at  timestamptz,
  last_failure_at  timestamptz,
  last_failure     text
);

CREATE TABLE payments (
  id               bigint GENERATED ALWAYS AS IDENTITY (START WITH 500000001) PRIMARY KEY,
  -- What the payer, the gateway and programs call it. The id above never leaves the house.
  transaction_id   text NOT NULL CONSTRAINT payments_transaction_once UNIQUE,
  user_id          integer NOT NULL REFERENCES accounts (user_id),
  gateway_id       integer NOT NULL REFERENCES gateways (id),
  system           text NOT NULL,
  state            text NOT NULL CONSTRAINT payments_state CHECK (state IN
    ('created', 'pending', 'confirming', 'paid', 'partial', 'expired', 'failed', 'refunded', 'disputed')),
  -- What was asked for, and the promises of that moment: the fee the payer bears and the bonus, in hundredths of a per cent.
  amount_micros    bigint NOT NULL CONSTRAINT payments_amount_positive CHECK (amount_micros > 0),
  currency         text NOT NULL CONSTRAINT payments_currency CHECK (currency IN ('rub', 'usd')),
  fee_points       integer NOT NULL DEFAULT 0 CONSTRAINT payments_fee CHECK (fee_points BETWEEN 0 AND 9999),
  bonus_points     integer NOT NULL DEFAULT 0 CONSTRAINT payments_bonus CHECK (bonus_points BETWEEN 0 AND 10000),
  provider_id      text,
  -- Where or how to pay, as the gateway said it.
  guidance         jsonb,
  confirmations    jsonb,
  idempotency_key  text,
  input_hash       text,
  network          text,
  created_at       timestamptz NOT NULL,
  expires_at       timestamptz NOT NULL,
  changed_at       timestamptz NOT NULL,
  paid_at          timestamptz,
  next_check_at    timestamptz,
  checks           integer NOT NULL DEFAULT 0,
  CONSTRAINT payments_paid_at CHECK (state NOT IN ('paid', 'refunded') OR paid_at IS NOT NULL)
);
CREATE UNIQUE INDEX payments_provider_once ON payments (gateway_id, provider_id) WHERE provider_id IS NOT NULL;
CREATE UNIQUE INDEX payments_idempotency ON payments (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX payments_user ON payments (user_id, id DESC);
CREATE INDEX payments_open ON payments (user_id) WHERE state IN ('created', 'pending', 'confirming');
CREATE INDEX payments_check ON payments (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX payments_network ON payments (network, created_at) WHERE network IS NOT NULL;

-- What a gateway sent, kept whole before anything is read from it.
CREATE TABLE gateway_events (
  id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  gateway_id        integer NOT NULL REFERENCES gateways (id),
  received_at       timestamptz NOT NULL,
  address           text NOT NULL,
  headers           jsonb NOT NULL,
  body              bytea NOT NULL,
  state             text NOT NULL DEFAULT 'stored' CONSTRAINT gateway_events_state CHECK (state IN
    ('stored', 'processed', 'repeated', 'unknown', 'refused')),
  provider_event_id text,
  payment_id        bigint REFERENCES payments (id),
  tries             integer NOT NULL DEFAULT 0,
  settled_at        timestamptz
);
CREATE UNIQUE INDEX gateway_events_once ON gateway_events (gateway_id, provider_event_id)
  WHERE state IN ('processed', 'unknown') AND provider_event_id IS NOT NULL;
CREATE INDEX gateway_events_stored ON gateway_events (id) WHERE state = 'stored';
CREATE INDEX gateway_events_refused ON gateway_events (received_at) WHERE state = 'refused';

-- What arrived for a payment. A gateway's id of it is credited once, whatever payment it is named for.
CREATE TABLE deposits (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  payment_id    bigint NOT NULL REFERENCES payments (id),
  gateway_id    integer NOT NULL REFERENCES gateways (id),
  provider_id   text NOT NULL,
  amount_micros bigint NOT NULL CONSTRAINT deposits_amount_positive CHECK (amount_micros > 0),
  currency      text NOT NULL,
  at            timestamptz NOT NULL,
  CONSTRAINT deposits_once UNIQUE (gateway_id, provider_id)
);
CREATE INDEX deposits_payment ON deposits (payment_id);
CREATE TRIGGER deposits_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON deposits
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What went back to the payer, or was taken back by the payer's bank or by the chain.
CREATE TABLE reversals (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  payment_id    bigint NOT NULL REFERENCES payments (id),
  gateway_id    integer NOT NULL REFERENCES gateways (id),
  kind          text NOT NULL,
  state         text NOT NULL,
  provider_id   text,
  amount_micros bigint NOT NULL CONSTRAINT reversals_amount_positive CHECK (amount_micros > 0),
  -- Of the bonus that the payment brought.
  bonus_micros  bigint NOT NULL DEFAULT 0 CONSTRAINT reversals_bonus_not_negative CHECK (bonus_micros >= 0),
  currency      text NOT NULL,
  at            timestamptz NOT NULL,
  settled_at    timestamptz,
  CONSTRAINT reversals_state CHECK (kind || ' ' || state = ANY (
    '{refund asked, refund done, refund failed, dispute open, dispute won, dispute lost}'::text[]))
);
CREATE UNIQUE INDEX reversals_once ON reversals (gateway_id, kind, provider_id) WHERE provider_id IS NOT NULL;
CREATE INDEX reversals_payment ON reversals (payment_id);
CREATE INDEX reversals_asked ON reversals (id) WHERE state = 'asked';

CREATE TABLE vouchers (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  gateway_id    integer NOT NULL REFERENCES gateways (id),
  code_hash     bytea NOT NULL CONSTRAINT vouchers_code_once UNIQUE,
  amount_micros bigint NOT NULL CONSTRAINT vouchers_amount_positive CHECK (amount_micros > 0),
  currency      text NOT NULL CONSTRAINT vouchers_currency CHECK (currency IN ('rub', 'usd')),
  batch         text NOT NULL,
  created_at    timestamptz NOT NULL,
  expires_at    timestamptz,
  withdrawn_at  timestamptz,
  payment_id    bigint CONSTRAINT vouchers_payment_once UNIQUE REFERENCES payments (id)
);
CREATE INDEX vouchers_batch ON vouchers (batch);

-- The demo's gateway: what was done on its page.
CREATE TABLE sandbox_payments (
  id             text PRIMARY KEY,
  transaction_id text NOT NULL UNIQUE,
  amount_micros  bigint NOT NULL,
  currency       text NOT NULL,
  state          text NOT NULL,
  return_url     text NOT NULL,
  deposits       jsonb NOT NULL DEFAULT '[]',
  reversals      jsonb NOT NULL DEFAULT '[]',
  events         integer NOT NULL DEFAULT 0,
  created_at     timestamptz NOT NULL
);

-- What a user owes: a reversal that `available` did not cover.
ALTER TABLE accounts ADD COLUMN debt_micros bigint NOT NULL DEFAULT 0
  CONSTRAINT accounts_debt_not_negative CHECK (debt_micros >= 0);
CREATE INDEX accounts_debt ON accounts (user_id) WHERE debt_micros > 0;

ALTER TABLE transfers ADD COLUMN payment_id bigint REFERENCES payments (id);
ALTER TABLE transfers ADD COLUMN deposit_id bigint REFERENCES deposits (id);
ALTER TABLE transfers ADD COLUMN reversal_id bigint REFERENCES reversals (id);
-- The same as server/money/movement-kinds.ts.
ALTER TABLE transfers DROP CONSTRAINT transfers_kind;
ALTER TABLE transfers ADD CONSTRAINT transfers_kind CHECK (
  kind || ' ' || from_account || ' ' || to_account = ANY (
    '{hold available held, capture held revenue, release held available, refund revenue available,
      credit adjustments available, debit available adjustments, topup cash available, fee available fees,
      bonus bonuses available, voucher promotions available, payment_refund available refunds,
      payment_refund_failed refunds available, dispute available disputes, dispute_won disputes available,
      bonus_back available bonuses, debt debt available, repayment available debt}'::text[])
  AND num_nonnulls(activation_id, charge_id) + 10 * num_nonnulls(payment_id)
    = CASE WHEN kind IN ('hold', 'capture', 'release', 'refund') THEN 1
        WHEN kind IN ('credit', 'debit', 'repayment') THEN 0 ELSE 10 END
);
CREATE UNIQUE INDEX transfers_deposit_once ON transfers (deposit_id, kind) WHERE deposit_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_reversal_once ON transfers (reversal_id, kind) WHERE reversal_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_bonus_once ON transfers (payment_id) WHERE kind = 'bonus' AND reversal_id IS NULL;
CREATE INDEX transfers_payment ON transfers (payment_id) WHERE payment_id IS NOT NULL;
