-- Ways in by a device: the public half of a key, and what its owner calls it.
CREATE TABLE passkeys (
  id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id       integer NOT NULL REFERENCES users (id),
  credential_id bytea NOT NULL CONSTRAINT passkeys_credential UNIQUE,
  public_key    bytea NOT NULL,
  -- Random, the same for all keys of a person at one host: authenticators keep one key for each.
  handle        bytea NOT NULL,
  -- Signatures made, as the device counts; 0: it does not count.
  counter       bigint NOT NULL CONSTRAINT passkeys_counter CHECK (counter >= 0),
  transports    text[] NOT NULL,
  -- The host that the key belongs to: browsers offer it nowhere else.
  rp_id         text NOT NULL,
  name          text NOT NULL,
  created_at    timestamptz NOT NULL,
  last_used_at  timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id);

-- What a device has to sign, for one try of one browser.
CREATE TABLE passkey_challenges (
  hash         bytea PRIMARY KEY,
  -- Of the cookie `passkey_state`: only the browser that asked may answer.
  browser_hash bytea NOT NULL,
  purpose      text NOT NULL CONSTRAINT passkey_challenges_purpose
    CHECK (purpose IN ('add', 'sign-in', 'second-factor', 'confirm')),
  -- Null before somebody is signed in.
  user_id      integer REFERENCES users (id),
  handle       bytea,
  expires_at   timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at);
