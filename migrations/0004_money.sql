-- The books. Every movement is one transfer between two accounts, so the sum over all accounts is always zero.
-- A user has two accounts, `available` and `held`, whose balances stand in `accounts`; the accounts of the house
-- (`revenue`, `deposits`, `adjustments`) are summed from the transfers, so that no purchase waits on a shared row.

CREATE TABLE accounts (
  user_id          integer PRIMARY KEY REFERENCES users (id),
  currency         text NOT NULL CONSTRAINT accounts_currency CHECK (currency IN ('rub', 'usd')),
  available_micros bigint NOT NULL DEFAULT 0 CONSTRAINT accounts_available_not_negative CHECK (available_micros >= 0),
  held_micros      bigint NOT NULL DEFAULT 0 CONSTRAINT accounts_held_not_negative CHECK (held_micros >= 0)
) WITH (fillfactor = 70);

CREATE TABLE transfers (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind            text NOT NULL,
  user_id         integer NOT NULL REFERENCES accounts (user_id),
  from_account    text NOT NULL,
  to_account      text NOT NULL,
  amount_micros   bigint NOT NULL CONSTRAINT transfers_amount_positive CHECK (amount_micros > 0),
  currency        text NOT NULL CONSTRAINT transfers_currency CHECK (currency IN ('rub', 'usd')),
  activation_id   bigint REFERENCES activations (id),
  idempotency_key text,
  at              timestamptz NOT NULL,
  -- Every kind, with the accounts it goes between; only what is done by hand belongs to no activation.
  CONSTRAINT transfers_kind CHECK (
    kind || ' ' || from_account || ' ' || to_account = ANY (
      '{hold available held, capture held revenue, release held available, refund revenue available,
        credit adjustments available, debit available adjustments}'::text[])
    AND (activation_id IS NULL) = (from_account = 'adjustments' OR to_account = 'adjustments')
  )
);
CREATE INDEX transfers_user ON transfers (user_id, id DESC);
-- A hold is made once and settled once.
CREATE UNIQUE INDEX transfers_hold_once ON transfers (activation_id) WHERE kind = 'hold';
CREATE UNIQUE INDEX transfers_settle_once ON transfers (activation_id) WHERE kind IN ('capture', 'release');
CREATE UNIQUE INDEX transfers_refund_once ON transfers (activation_id) WHERE kind = 'refund';
CREATE UNIQUE INDEX transfers_idempotency ON transfers (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TRIGGER transfers_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON transfers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
