-- People, their ways in, and the house's own settings and logs.

CREATE TABLE users (
  id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email         text NOT NULL,
  name          text NOT NULL DEFAULT '',
  password_hash text,
  role          text NOT NULL DEFAULT 'user' CONSTRAINT users_role CHECK (role IN ('user', 'operator')),
  zone          text NOT NULL,
  locale        text NOT NULL,
  settings      jsonb NOT NULL DEFAULT '{}',
  blocked_at    timestamptz,
  created_at    timestamptz NOT NULL
);
CREATE UNIQUE INDEX users_email_unique ON users (lower(email));

-- Tokens are stored as SHA-256. Spent refresh tokens are kept so that using one again is seen and ends the session.
CREATE TABLE sessions (
  id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id           integer NOT NULL REFERENCES users (id),
  access_hash       bytea NOT NULL CONSTRAINT sessions_access_hash_unique UNIQUE,
  access_expires_at timestamptz NOT NULL,
  user_agent        text NOT NULL,
  address           text NOT NULL,
  created_at        timestamptz NOT NULL,
  last_used_at      timestamptz NOT NULL,
  revoked_at        timestamptz
);
CREATE INDEX sessions_user ON sessions (user_id) WHERE revoked_at IS NULL;

CREATE TABLE refresh_tokens (
  hash       bytea PRIMARY KEY,
  session_id bigint NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  spent_at   timestamptz
);
CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id);
CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expires_at);

CREATE TABLE api_keys (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id    integer NOT NULL REFERENCES users (id),
  key_hash   bytea NOT NULL CONSTRAINT api_keys_hash_unique UNIQUE,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX api_keys_user ON api_keys (user_id);

-- One row a setting: `demo`, `buying_stopped`, `catalog_version` …
CREATE TABLE settings (
  key        text PRIMARY KEY,
  value      jsonb NOT NULL,
  updated_at timestamptz NOT NULL
);

-- Who changed what by hand, and why.
CREATE TABLE audit_log (
  id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at      timestamptz NOT NULL,
  actor   text NOT NULL,
  command text NOT NULL,
  subject text NOT NULL,
  reason  text NOT NULL,
  detail  jsonb NOT NULL DEFAULT '{}'
);

-- What happened to whom, appended in the statement that made it happen.
CREATE TABLE events (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at         timestamptz NOT NULL,
  kind       text NOT NULL,
  user_id    integer,
  subject_id bigint,
  data       jsonb
);
CREATE INDEX events_subject ON events (subject_id, id);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
