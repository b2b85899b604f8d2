-- The second factor of a person. The secret is sealed with SECRET_KEY; without `confirmed_at` it is only being set up.
CREATE TABLE two_factor (
  user_id      integer PRIMARY KEY REFERENCES users (id),
  secret       jsonb NOT NULL,
  -- The newest time step whose code was taken: no code is taken twice, and none older than it.
  last_step    bigint NOT NULL DEFAULT 0,
  created_at   timestamptz NOT NULL,
  confirmed_at timestamptz
);

-- One row a recovery code that is still good; a used one is deleted.
CREATE TABLE recovery_codes (
  user_id integer NOT NULL REFERENCES two_factor (user_id) ON DELETE CASCADE,
  hash    bytea NOT NULL,
  PRIMARY KEY (user_id, hash)
);

-- A social sign-in that waits for its second factor. The token is stored as SHA-256.
CREATE TABLE pending_logins (
  hash       bytea PRIMARY KEY,
  user_id    integer NOT NULL REFERENCES users (id),
  expires_at timestamptz NOT NULL
);
CREATE INDEX pending_logins_expiry ON pending_logins (expires_at);

-- Riddles whose answer was taken, until they would expire: none is taken twice.
CREATE TABLE spent_captchas (
  signature  bytea CONSTRAINT spent_captchas_once PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX spent_captchas_expiry ON spent_captchas (expires_at);

-- The browser a session began in, by a cookie of its own that outlives sessions (SHA-256): a new one is told by mail.
ALTER TABLE sessions ADD COLUMN device_hash bytea;
-- The last sign-in, whatever became of its session. null: never.
ALTER TABLE users ADD COLUMN signed_in_at timestamptz;
-- All sessions of a person, ended ones too: which devices he has used.
CREATE INDEX sessions_of_user ON sessions (user_id);
DROP INDEX sessions_user;
