-- Suppliers of the kind handler-api (docs/suppliers/handler-api.md): what we asked of them, and what became of it.
CREATE TABLE resold_orders (
  supplier_id   integer NOT NULL REFERENCES suppliers (id),
  -- Our order's reference.
  reference     text NOT NULL,
  -- asking: no answer is known yet. none: looked for, and never bought.
  state         text NOT NULL CONSTRAINT resold_orders_state
    CHECK (state IN ('asking', 'open', 'refused', 'none', 'ended')),
  -- In the supplier's codes.
  service       text NOT NULL,
  country       text NOT NULL,
  cost_micros   bigint NOT NULL,
  asked_at      timestamptz NOT NULL,
  activation_id text,
  phone         text,
  expires_at    timestamptz,
  -- How often another code was asked for, and whether the supplier took the last request.
  rounds        integer NOT NULL DEFAULT 0,
  round_taken   boolean NOT NULL DEFAULT true,
  ending        text,
  ended_at      timestamptz,
  -- The supplier charged a code that no buyer paid for.
  is_loss       boolean NOT NULL DEFAULT false,
  CONSTRAINT resold_orders_reference PRIMARY KEY (supplier_id, reference),
  CONSTRAINT resold_orders_activation_once UNIQUE (supplier_id, activation_id),
  CONSTRAINT resold_orders_bought CHECK (state NOT IN ('open', 'ended') OR (activation_id IS NOT NULL AND phone IS NOT NULL))
);
CREATE INDEX resold_orders_open ON resold_orders (supplier_id, asked_at) WHERE state IN ('asking', 'open');
CREATE INDEX resold_orders_losses ON resold_orders (supplier_id) WHERE is_loss;
CREATE INDEX resold_orders_asked ON resold_orders (asked_at);
CREATE INDEX resold_orders_phone ON resold_orders (supplier_id, phone);

-- `marker` begins each order's name at the supplier, so that two installations with one key do not meet.
CREATE TABLE resell_accounts (
  supplier_id    integer PRIMARY KEY REFERENCES suppliers (id),
  marker         text NOT NULL,
  balance_micros bigint,
  balance_at     timestamptz
);

-- The operator's word on a supplier's code; `ours` null: it is not sold.
CREATE TABLE resell_codes (
  supplier_id integer NOT NULL REFERENCES suppliers (id),
  kind        text NOT NULL CONSTRAINT resell_codes_kind CHECK (kind IN ('service', 'country')),
  theirs      text NOT NULL,
  ours        text,
  CONSTRAINT resell_codes_theirs PRIMARY KEY (supplier_id, kind, theirs)
);

-- What the supplier offers under codes that nobody here knows.
CREATE TABLE resell_unmapped (
  supplier_id integer NOT NULL REFERENCES suppliers (id),
  kind        text NOT NULL CONSTRAINT resell_unmapped_kind CHECK (kind IN ('service', 'country')),
  theirs      text NOT NULL,
  offers      integer NOT NULL,
  seen_at     timestamptz NOT NULL,
  CONSTRAINT resell_unmapped_theirs PRIMARY KEY (supplier_id, kind, theirs)
);
