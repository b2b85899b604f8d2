-- Profiles at Google, VK and Telegram that open an account: one of each provider at most.
CREATE TABLE identities (
  provider  text NOT NULL CONSTRAINT identities_provider CHECK (provider IN ('google', 'vkontakte', 'telegram')),
  -- The provider's own id of the person. Never the e-mail: that may be given to somebody else.
  subject   text NOT NULL,
  user_id   integer NOT NULL REFERENCES users (id),
  name      text NOT NULL,
  linked_at timestamptz NOT NULL,
  CONSTRAINT identities_profile PRIMARY KEY (provider, subject),
  CONSTRAINT identities_one_of_each UNIQUE (user_id, provider)
);

-- People who are away at a provider. A row is used once, by being deleted, and lives ten minutes.
CREATE TABLE auth_requests (
  state_hash   bytea PRIMARY KEY,
  -- Of the cookie `auth_state`: only the browser that went may come back.
  browser_hash bytea NOT NULL,
  provider     text NOT NULL,
  -- Who links a profile; null: who signs in.
  user_id      integer REFERENCES users (id),
  -- Nonce, PKCE verifier and return address, encrypted with SECRET_KEY.
  sealed       jsonb NOT NULL,
  expires_at   timestamptz NOT NULL
);
CREATE INDEX auth_requests_expiry ON auth_requests (expires_at);
