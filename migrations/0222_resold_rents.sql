-- What suppliers of the kind handler-api rented to us (docs/suppliers/handler-api.md), as resold_orders has what they sold.
CREATE TABLE resold_rents (
  supplier_id integer NOT NULL REFERENCES suppliers (id),
  -- Our rental's reference.
  reference   text NOT NULL,
  -- asking: no answer is known yet. none: looked for, and never rented.
  state       text NOT NULL CONSTRAINT resold_rents_state
    CHECK (state IN ('asking', 'open', 'refused', 'none', 'ended')),
  -- In the supplier's codes.
  service     text NOT NULL,
  country     text NOT NULL,
  -- Without extensions.
  cost_micros bigint NOT NULL,
  asked_at    timestamptz NOT NULL,
  rent_id     text,
  phone       text,
  -- With extensions.
  expires_at  timestamptz NOT NULL,
  ended_at    timestamptz,
  CONSTRAINT resold_rents_reference PRIMARY KEY (supplier_id, reference),
  CONSTRAINT resold_rents_rent_once UNIQUE (supplier_id, rent_id),
  CONSTRAINT resold_rents_rented CHECK (state NOT IN ('open', 'ended') OR (rent_id IS NOT NULL AND phone IS NOT NULL))
);
CREATE INDEX resold_rents_open ON resold_rents (supplier_id, asked_at) WHERE state = 'open';
CREATE INDEX resold_rents_asked ON resold_rents (asked_at);

CREATE TABLE resold_extensions (
  supplier_id         integer NOT NULL,
  extension_reference text NOT NULL,
  -- The rental's.
  reference           text NOT NULL,
  -- refused: by the supplier, or looked for and not found.
  state               text NOT NULL CONSTRAINT resold_extensions_state CHECK (state IN ('asking', 'extended', 'refused')),
  hours               integer NOT NULL,
  -- While asking: the most that may be paid.
  cost_micros         bigint NOT NULL,
  asked_at            timestamptz NOT NULL,
  CONSTRAINT resold_extensions_reference PRIMARY KEY (supplier_id, extension_reference),
  CONSTRAINT resold_extensions_rent FOREIGN KEY (supplier_id, reference) REFERENCES resold_rents (supplier_id, reference) ON DELETE CASCADE
);
CREATE INDEX resold_extensions_rents ON resold_extensions (supplier_id, reference);
