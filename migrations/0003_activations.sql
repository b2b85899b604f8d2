CREATE TABLE activations (
  id                 bigint GENERATED ALWAYS AS IDENTITY (START WITH 100000001) PRIMARY KEY,
  user_id            integer NOT NULL REFERENCES users (id),
  service_code       text NOT NULL REFERENCES services (code),
  country_id         integer NOT NULL REFERENCES countries (id),
  -- What the buyer asked for; null: any operator.
  operator_wanted    text,
  operator           text,
  state              text NOT NULL,
  -- Where the price is: held on the account, captured by the first code, released to the buyer.
  money              text NOT NULL,
  price_micros       bigint NOT NULL CONSTRAINT activations_price_positive CHECK (price_micros > 0),
  currency           text NOT NULL,
  supplier_id        integer NOT NULL REFERENCES suppliers (id),
  -- The reference told to the supplier is "<id>-<attempt>".
  attempt            integer NOT NULL DEFAULT 1,
  supplier_reference text,
  cost_micros        bigint,
  phone              text,
  -- The newest recognised code, and how many messages came: the first one captures the price.
  code               text,
  sms_count          integer NOT NULL DEFAULT 0,
  again_asked_at     timestamptz,
  channel            text NOT NULL,
  idempotency_key    text,
  input_hash         text,
  created_at         timestamptz NOT NULL,
  expires_at         timestamptz NOT NULL,
  first_code_at      timestamptz,
  -- When it became known whether a code came: feeds the measured success share.
  outcome_at         timestamptz,
  ended_at           timestamptz,
  -- Every state, with where its money is. As one list of texts, because PostgreSQL reads a check anew for each write.
  CONSTRAINT activations_money_fits_state CHECK (state || ' ' || money = ANY (
    '{reserving held, waiting held, received captured, waiting_again captured, finished captured, cancelled released,
      expired released, used released, failed released}'::text[])),
  CONSTRAINT activations_number_known CHECK (state IN ('reserving', 'failed') OR phone IS NOT NULL)
);
CREATE INDEX activations_user ON activations (user_id, id DESC);
CREATE INDEX activations_user_active ON activations (user_id, id DESC) WHERE state IN ('waiting', 'received', 'waiting_again');
-- A number is sold once at a time for one service, whoever the supplier is.
CREATE UNIQUE INDEX activations_number_once ON activations (phone, service_code)
  WHERE state IN ('waiting', 'received', 'waiting_again');
-- For the sweep alone: its last condition keeps a buyer's list, which says nothing of times, from being read through
-- everybody's numbers.
CREATE INDEX activations_expiry ON activations (expires_at)
  WHERE state IN ('waiting', 'received', 'waiting_again') AND expires_at IS NOT NULL;
CREATE INDEX activations_reserving ON activations (created_at) WHERE state = 'reserving';
CREATE UNIQUE INDEX activations_idempotency ON activations (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX activations_outcome ON activations (outcome_at) WHERE outcome_at IS NOT NULL;

-- After a code or "used", a number is not sold again for that service.
CREATE TABLE burnt_numbers (
  phone        text NOT NULL,
  service_code text NOT NULL,
  PRIMARY KEY (phone, service_code)
);

-- Every message a supplier handed us, matched or not. `body` is null once its days are over.
CREATE TABLE messages (
  id                  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  supplier_id         integer NOT NULL REFERENCES suppliers (id),
  supplier_message_id text,
  phone               text NOT NULL,
  sender              text NOT NULL,
  body                text,
  code                text,
  activation_id       bigint REFERENCES activations (id),
  received_at         timestamptz NOT NULL,
  CONSTRAINT messages_supplier_id_unique UNIQUE (supplier_id, supplier_message_id)
);
CREATE INDEX messages_activation ON messages (activation_id, id) WHERE activation_id IS NOT NULL;
CREATE INDEX messages_phone ON messages (phone, received_at DESC);
CREATE INDEX messages_unmatched ON messages (id) WHERE activation_id IS NULL;
CREATE INDEX messages_received ON messages (received_at) WHERE body IS NOT NULL;
