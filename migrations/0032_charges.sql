-- Money held for something that is not an activation: the first period of a rental, each extension, a pre-order. One row a
-- hold, settled once. (An activation carries its own price, because buying one is a single statement.)
CREATE TABLE charges (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id         integer NOT NULL REFERENCES accounts (user_id),
  purpose         text NOT NULL,
  rental_id       bigint REFERENCES rentals (id),
  preorder_id     bigint REFERENCES preorders (id),
  -- How long a rental or an extension is for; null for a pre-order.
  hours           integer,
  price_micros    bigint NOT NULL CONSTRAINT charges_price_positive CHECK (price_micros > 0),
  currency        text NOT NULL,
  money           text NOT NULL CONSTRAINT charges_money CHECK (money IN ('held', 'captured', 'released')),
  -- Of an extension; a rental and a pre-order have their own.
  idempotency_key text,
  input_hash      text,
  created_at      timestamptz NOT NULL,
  settled_at      timestamptz,
  CONSTRAINT charges_subject CHECK (CASE purpose
    WHEN 'rental' THEN rental_id IS NOT NULL AND preorder_id IS NULL AND hours IS NOT NULL
    WHEN 'extension' THEN rental_id IS NOT NULL AND preorder_id IS NULL AND hours IS NOT NULL
    WHEN 'preorder' THEN rental_id IS NULL AND preorder_id IS NOT NULL AND hours IS NULL AND money <> 'captured'
    ELSE false END),
  CONSTRAINT charges_settled CHECK ((money = 'held') = (settled_at IS NULL))
);
CREATE INDEX charges_user ON charges (user_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX charges_rental_once ON charges (rental_id) WHERE purpose = 'rental';
-- One extension at a time, and one hold of a pre-order at a time.
CREATE UNIQUE INDEX charges_one_extension ON charges (rental_id) WHERE purpose = 'extension' AND money = 'held';
CREATE UNIQUE INDEX charges_one_preorder ON charges (preorder_id) WHERE purpose = 'preorder' AND money = 'held';
CREATE INDEX charges_rental ON charges (rental_id, id) WHERE rental_id IS NOT NULL;
CREATE INDEX charges_held ON charges (purpose, created_at) WHERE money = 'held';
CREATE UNIQUE INDEX charges_idempotency ON charges (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

ALTER TABLE transfers ADD COLUMN charge_id bigint REFERENCES charges (id);
-- Every kind, with the accounts it goes between; what is done by hand belongs to nothing that was bought, all else to one thing.
ALTER TABLE transfers DROP CONSTRAINT transfers_kind;
ALTER TABLE transfers ADD CONSTRAINT transfers_kind CHECK (
  kind || ' ' || from_account || ' ' || to_account = ANY (
    '{hold available held, capture held revenue, release held available, refund revenue available,
      credit adjustments available, debit available adjustments}'::text[])
  AND num_nonnulls(activation_id, charge_id)
    = CASE WHEN from_account = 'adjustments' OR to_account = 'adjustments' THEN 0 ELSE 1 END
);
CREATE UNIQUE INDEX transfers_charge_hold_once ON transfers (charge_id) WHERE kind = 'hold' AND charge_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_charge_settle_once ON transfers (charge_id)
  WHERE kind IN ('capture', 'release') AND charge_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_charge_refund_once ON transfers (charge_id) WHERE kind = 'refund' AND charge_id IS NOT NULL;
