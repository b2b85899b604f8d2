-- Addresses that wait for their code. One row each, in lower case: registering again replaces password, code and origin.
-- An address that has an account gets a row too, whose code is mailed to nobody: so the answers to a code, and the work
-- behind them, are the same for both, and tell nobody which addresses have accounts.
CREATE TABLE registrations (
  email           text PRIMARY KEY,
  password_hash   text NOT NULL,
  referrer_id     integer,
  -- HMAC with SECRET_KEY over purpose, address and code.
  code_hash       bytea NOT NULL,
  code_tries      integer NOT NULL DEFAULT 0,
  code_sent_at    timestamptz NOT NULL,
  code_expires_at timestamptz NOT NULL,
  -- Until then a new code may be asked for.
  expires_at      timestamptz NOT NULL
);
CREATE INDEX registrations_expiry ON registrations (expires_at);

-- Links to set a password anew, one an address: asking again replaces it. The token is stored as SHA-256. `user_id` null:
-- nobody has this address, and the token was mailed to nobody.
CREATE TABLE password_resets (
  email      text PRIMARY KEY,
  user_id    integer REFERENCES users (id),
  token_hash bytea NOT NULL,
  sent_at    timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX password_resets_expiry ON password_resets (expires_at);
CREATE INDEX password_resets_user ON password_resets (user_id) WHERE user_id IS NOT NULL;

-- A new address of an account that waits for its code: one a person. Of an address that is somebody else's the code was
-- mailed to nobody.
CREATE TABLE email_codes (
  user_id         integer PRIMARY KEY REFERENCES users (id),
  email           text NOT NULL,
  code_hash       bytea NOT NULL,
  code_tries      integer NOT NULL DEFAULT 0,
  code_sent_at    timestamptz NOT NULL,
  code_expires_at timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL
);
CREATE INDEX email_codes_expiry ON email_codes (expires_at);
