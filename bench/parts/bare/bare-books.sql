-- The tables of a purchase and a message as of 22 November 2026. They are frozen: figures of different days are divided
-- by the same work, and a slower statement of ours cannot hide behind itself.
CREATE SCHEMA bare;

CREATE TABLE bare.accounts (
  user_id          integer PRIMARY KEY REFERENCES users (id),
  currency         text NOT NULL CHECK (currency IN ('rub', 'usd')),
  available_micros bigint NOT NULL CHECK (available_micros >= 0),
  held_micros      bigint NOT NULL CHECK (held_micros >= 0)
) WITH (fillfactor = 70);

CREATE TABLE bare.activations (
  id                 bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id            integer NOT NULL REFERENCES users (id),
  service_code       text NOT NULL REFERENCES services (code),
  country_id         integer NOT NULL REFERENCES countries (id),
  operator_wanted    text,
  operator           text,
  state              text NOT NULL,
  money              text NOT NULL,
  price_micros       bigint NOT NULL CHECK (price_micros > 0),
  currency           text NOT NULL,
  supplier_id        integer NOT NULL REFERENCES suppliers (id),
  attempt            integer NOT NULL DEFAULT 1,
  supplier_reference text,
  cost_micros        bigint,
  phone              text,
  code               text,
  sms_count          integer NOT NULL DEFAULT 0,
  again_asked_at     timestamptz,
  channel            text NOT NULL,
  idempotency_key    text,
  input_hash         text,
  created_at         timestamptz NOT NULL,
  expires_at         timestamptz NOT NULL,
  first_code_at      timestamptz,
  outcome_at         timestamptz,
  ended_at           timestamptz,
  CHECK (state || ' ' || money = ANY (
    '{reserving held, waiting held, received captured, waiting_again captured, finished captured, cancelled released,
      expired released, used released, failed released}'::text[])),
  CHECK (state IN ('reserving', 'failed') OR phone IS NOT NULL)
);
CREATE INDEX ON bare.activations (user_id, id DESC);
CREATE INDEX ON bare.activations (user_id, id DESC) WHERE state IN ('reserving', 'waiting', 'received', 'waiting_again');
CREATE UNIQUE INDEX ON bare.activations (phone, service_code) WHERE state IN ('waiting', 'received', 'waiting_again');
CREATE INDEX ON bare.activations (expires_at) WHERE state IN ('waiting', 'received', 'waiting_again') AND expires_at IS NOT NULL;
CREATE INDEX ON bare.activations (created_at) WHERE state = 'reserving';
CREATE UNIQUE INDEX ON bare.activations (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX ON bare.activations (outcome_at) WHERE outcome_at IS NOT NULL;

CREATE TABLE bare.burnt_numbers (phone text, service_code text, PRIMARY KEY (phone, service_code));

CREATE TABLE bare.transfers (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind            text NOT NULL,
  user_id         integer NOT NULL REFERENCES bare.accounts (user_id),
  from_account    text NOT NULL,
  to_account      text NOT NULL,
  amount_micros   bigint NOT NULL CHECK (amount_micros > 0),
  currency        text NOT NULL CHECK (currency IN ('rub', 'usd')),
  activation_id   bigint REFERENCES bare.activations (id),
  idempotency_key text,
  at              timestamptz NOT NULL,
  CHECK (kind || ' ' || from_account || ' ' || to_account = ANY (
    '{hold available held, capture held revenue, release held available, refund revenue available,
      credit adjustments available, debit available adjustments}'::text[])
    AND (activation_id IS NULL) = (from_account = 'adjustments' OR to_account = 'adjustments'))
);
CREATE INDEX ON bare.transfers (user_id, id DESC);
CREATE UNIQUE INDEX ON bare.transfers (activation_id) WHERE kind = 'hold';
CREATE UNIQUE INDEX ON bare.transfers (activation_id) WHERE kind IN ('capture', 'release');
CREATE UNIQUE INDEX ON bare.transfers (activation_id) WHERE kind = 'refund';
CREATE UNIQUE INDEX ON bare.transfers (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TABLE bare.events (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at         timestamptz NOT NULL,
  kind       text NOT NULL,
  user_id    integer,
  subject_id bigint,
  data       jsonb
);
CREATE INDEX ON bare.events (subject_id, id);

CREATE TABLE bare.messages (
  id                  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  supplier_id         integer NOT NULL REFERENCES suppliers (id),
  supplier_message_id text,
  phone               text NOT NULL,
  sender              text NOT NULL,
  body                text,
  code                text,
  activation_id       bigint REFERENCES bare.activations (id),
  received_at         timestamptz NOT NULL,
  UNIQUE (supplier_id, supplier_message_id)
);
CREATE INDEX ON bare.messages (activation_id, id) WHERE activation_id IS NOT NULL;
CREATE INDEX ON bare.messages (phone, received_at DESC);
CREATE INDEX ON bare.messages (id) WHERE activation_id IS NULL;
CREATE INDEX ON bare.messages (received_at) WHERE body IS NOT NULL;
