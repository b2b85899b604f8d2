-- Where programs of buyers are told of what happens to their orders.
CREATE TABLE webhook_endpoints (
  id              integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id         integer NOT NULL REFERENCES users (id),
  -- Of the program that made it: it ends with the key. null: made by a session.
  api_key_id      integer REFERENCES api_keys (id) ON DELETE CASCADE,
  label           text NOT NULL,
  url             text NOT NULL,
  -- Of the address: how much is sent to one host at once is limited.
  host            text NOT NULL,
  form            text NOT NULL,
  events          text[] NOT NULL,
  -- Sealed with the secret key of the service.
  secret          jsonb NOT NULL,
  -- It signs beside the new one until the overlap ends.
  previous_secret jsonb,
  previous_until  timestamptz,
  state           text NOT NULL DEFAULT 'on',
  -- Why it is off; null: its owner turned it off, or it is on.
  off_reason      text,
  failures        integer NOT NULL DEFAULT 0,
  -- Since the last delivery that was taken; null: none has failed.
  failing_since   timestamptz,
  -- After several failures in a row nothing is sent until then.
  rest_until      timestamptz,
  created_at      timestamptz NOT NULL,
  idempotency_key text,
  input_hash      text,
  CONSTRAINT webhook_endpoints_once UNIQUE (user_id, idempotency_key),
  CONSTRAINT webhook_endpoints_form CHECK (form IN ('standard', 'field')),
  CONSTRAINT webhook_endpoints_state CHECK (state IN ('on', 'off')),
  CONSTRAINT webhook_endpoints_off CHECK (off_reason IS NULL OR state = 'off'),
  CONSTRAINT webhook_endpoints_overlap CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
);
CREATE INDEX webhook_endpoints_user ON webhook_endpoints (user_id);

-- One event for one endpoint, written with the change that it tells of. The words of a message stay with the message.
CREATE TABLE webhook_deliveries (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  endpoint_id integer NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  event       text NOT NULL,
  -- What it is about: 'activation:12'. The next of the same subject waits for it.
  subject     text NOT NULL,
  message_id  bigint,
  details     jsonb NOT NULL,
  at          timestamptz NOT NULL,
  state       text NOT NULL DEFAULT 'waiting',
  tries       integer NOT NULL DEFAULT 0,
  -- Raised by each replay, so that an answer to an earlier try ends nothing.
  round       integer NOT NULL DEFAULT 0,
  next_at     timestamptz NOT NULL,
  tried_at    timestamptz,
  took_ms     integer,
  status      integer,
  failure     text,
  reply       text,
  CONSTRAINT webhook_deliveries_state CHECK (state IN ('waiting', 'delivered', 'failed'))
);
CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (endpoint_id, id);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint_id, id) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_subject ON webhook_deliveries (endpoint_id, subject, id) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_at) WHERE state = 'waiting';
