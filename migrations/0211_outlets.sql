-- Platforms of others whose supplier we are (docs/api/agent.md).
CREATE TABLE outlets (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code       text NOT NULL CONSTRAINT outlets_code_unique UNIQUE,
  kind       text NOT NULL CONSTRAINT outlets_kind CHECK (kind IN ('agent')),
  -- Whose money buys, and how much of it. Null: it went with its account.
  api_key_id integer CONSTRAINT outlets_api_key REFERENCES api_keys (id) ON DELETE SET NULL,
  -- Sealed.
  settings   jsonb NOT NULL,
  paused_at  timestamptz,
  created_at timestamptz NOT NULL
);

-- Which activation a platform was given.
CREATE TABLE outlet_orders (
  activation_id bigint PRIMARY KEY CONSTRAINT outlet_orders_activation REFERENCES activations (id) ON DELETE CASCADE,
  outlet_id     integer NOT NULL CONSTRAINT outlet_orders_outlet REFERENCES outlets (id),
  sold_at       timestamptz NOT NULL,
  -- Until then its messages are pushed.
  watched_until timestamptz NOT NULL,
  -- The platform's word of the end (1, 3, 4, 5); the first one counts. A later 5 only says that its user had money back.
  told          smallint CONSTRAINT outlet_orders_told CHECK (told IN (1, 3, 4, 5)),
  told_at       timestamptz,
  -- What the word asks for is done here.
  carried_out   boolean NOT NULL DEFAULT false,
  refunded_at   timestamptz,
  CONSTRAINT outlet_orders_told_at CHECK ((told IS NULL) = (told_at IS NULL))
);
CREATE INDEX outlet_orders_watched ON outlet_orders (watched_until);
CREATE INDEX outlet_orders_to_do ON outlet_orders (told_at) WHERE told IS NOT NULL AND NOT carried_out;
CREATE INDEX outlet_orders_outlet ON outlet_orders (outlet_id, sold_at);

-- PUSH_SMS: repeated until the platform has accepted it, or for a day. `message_id` is the smsId.
CREATE TABLE outlet_pushes (
  message_id    bigint PRIMARY KEY CONSTRAINT outlet_pushes_message REFERENCES messages (id) ON DELETE CASCADE,
  activation_id bigint NOT NULL CONSTRAINT outlet_pushes_order REFERENCES outlet_orders (activation_id) ON DELETE CASCADE,
  outlet_id     integer NOT NULL CONSTRAINT outlet_pushes_outlet REFERENCES outlets (id),
  state         text NOT NULL CONSTRAINT outlet_pushes_state CHECK (state IN ('due', 'accepted', 'given_up')),
  tries         integer NOT NULL DEFAULT 0,
  made_at       timestamptz NOT NULL,
  due_at        timestamptz NOT NULL,
  -- What the last answer was, if it was no SUCCESS.
  reason        text,
  settled_at    timestamptz,
  CONSTRAINT outlet_pushes_settled CHECK ((state = 'due') = (settled_at IS NULL))
);
CREATE INDEX outlet_pushes_due ON outlet_pushes (outlet_id, due_at) WHERE state = 'due';
CREATE INDEX outlet_pushes_made ON outlet_pushes (made_at) WHERE state <> 'due';
CREATE INDEX outlet_pushes_order ON outlet_pushes (activation_id);
