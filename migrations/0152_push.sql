-- Browser push: the key that all browsers of this service subscribe to, made once. Another one would lose every subscription.
CREATE TABLE push_keys (
  id         smallint PRIMARY KEY CONSTRAINT push_keys_one CHECK (id = 1),
  -- base64url of the point; what browsers are given.
  public_key text NOT NULL,
  private_key jsonb NOT NULL,
  created_at timestamptz NOT NULL
);

-- Of one session in one browser, and gone with it. Who knows an endpoint can push there: it is sealed, and found by its hash.
CREATE TABLE push_subscriptions (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id       integer NOT NULL REFERENCES users (id),
  session_id    bigint NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  endpoint_hash bytea NOT NULL CONSTRAINT push_subscriptions_endpoint UNIQUE,
  sealed        jsonb NOT NULL,
  created_at    timestamptz NOT NULL,
  -- In a row. Many end the subscription.
  failures      integer NOT NULL DEFAULT 0
);
CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id, id);
CREATE INDEX push_subscriptions_session ON push_subscriptions (session_id);
