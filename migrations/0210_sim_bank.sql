-- Suppliers of the kind sim-bank (docs/api/sim-bank.md): what we asked of them, and what became of it.
CREATE TABLE sim_bank_orders (
  supplier_id   integer NOT NULL CONSTRAINT sim_bank_orders_supplier REFERENCES suppliers (id) ON DELETE RESTRICT,
  -- Our order's reference: the protocol has no place for it.
  reference     text NOT NULL,
  -- asking: no answer yet. refused: answered without a number. none: never asked. lost: nobody will ever know the answer.
  state         text NOT NULL CONSTRAINT sim_bank_orders_state
    CHECK (state IN ('asking', 'sold', 'refused', 'none', 'lost', 'ended')),
  service_code  text NOT NULL,
  country_id    integer,
  operator      text NOT NULL,
  cost_micros   bigint NOT NULL,
  asked_at      timestamptz NOT NULL,
  -- The bank's own id, as it wrote it.
  activation_id text,
  phone         text,
  -- What the bank was told at the end: 1, 3 or 4.
  told          smallint,
  ended_at      timestamptz,
  CONSTRAINT sim_bank_orders_reference PRIMARY KEY (supplier_id, reference),
  CONSTRAINT sim_bank_orders_sold CHECK (state NOT IN ('sold', 'ended') OR (activation_id IS NOT NULL AND phone IS NOT NULL)),
  CONSTRAINT sim_bank_orders_ended CHECK ((state = 'ended') = (ended_at IS NOT NULL))
);
-- A bank that answers with an activation of another order has sold it twice.
CREATE UNIQUE INDEX sim_bank_orders_activation_once ON sim_bank_orders (supplier_id, activation_id) WHERE state = 'sold';
CREATE INDEX sim_bank_orders_lost ON sim_bank_orders (supplier_id, asked_at) WHERE state = 'lost';
CREATE INDEX sim_bank_orders_asked ON sim_bank_orders (asked_at) WHERE state NOT IN ('asking', 'sold');
