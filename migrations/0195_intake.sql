-- What senders of messages post to us. The bytes are stored before anything is read, and go once they are read.

CREATE TABLE intake_requests (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  supplier_id integer NOT NULL CONSTRAINT intake_requests_supplier REFERENCES suppliers (id) ON DELETE RESTRICT,
  received_at timestamptz NOT NULL,
  address     text NOT NULL,
  method      text NOT NULL,
  -- Without the path, whose key is a secret.
  query       text NOT NULL,
  headers     jsonb NOT NULL,
  body        bytea,
  -- What of a signed request may come once; null: nothing in it would tell a replay.
  once_key    text,
  -- How often it came again.
  repeats     integer NOT NULL DEFAULT 0,
  -- `stored`: to be read yet. `unread`: genuine, and no message could be made of it. `ignored`: about something else.
  state       text NOT NULL CONSTRAINT intake_requests_state
    CHECK (state IN ('stored', 'processed', 'ignored', 'unread', 'refused')),
  -- Why it was refused, or could not be read.
  reason      text,
  tries       integer NOT NULL DEFAULT 0,
  settled_at  timestamptz,
  CONSTRAINT intake_requests_settled CHECK ((state = 'stored') = (settled_at IS NULL))
);
CREATE UNIQUE INDEX intake_requests_once ON intake_requests (supplier_id, once_key) WHERE once_key IS NOT NULL;
CREATE INDEX intake_requests_stored ON intake_requests (tries, id) WHERE state = 'stored';
CREATE INDEX intake_requests_latest ON intake_requests (supplier_id, received_at);
CREATE INDEX intake_requests_received ON intake_requests (received_at) WHERE state <> 'stored';
