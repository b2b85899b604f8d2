-- Everything about a person, as a file that is made by a job.

CREATE TABLE data_exports (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id    integer NOT NULL REFERENCES users (id),
  state      text NOT NULL DEFAULT 'waiting' CONSTRAINT data_exports_state CHECK (state IN ('waiting', 'ready', 'too_large')),
  asked_at   timestamptz NOT NULL,
  -- Whoever loses a race for the day's export violates `data_exports_once_a_day`.
  day        date NOT NULL,
  ready_at   timestamptz,
  expires_at timestamptz,
  bytes      bigint,
  CONSTRAINT data_exports_once_a_day UNIQUE (user_id, day),
  CONSTRAINT data_exports_ready CHECK (state <> 'ready' OR num_nulls(ready_at, expires_at, bytes) = 0)
);
CREATE INDEX data_exports_expiry ON data_exports (expires_at) WHERE expires_at IS NOT NULL;

-- The file in pieces, so that none of it is ever whole in memory.
CREATE TABLE data_export_chunks (
  export_id bigint NOT NULL REFERENCES data_exports (id) ON DELETE CASCADE,
  place     integer NOT NULL,
  body      bytea NOT NULL,
  PRIMARY KEY (export_id, place)
);
ALTER TABLE data_export_chunks ALTER COLUMN body SET STORAGE EXTERNAL;
