-- The operator's banner, above every page.
CREATE TABLE notices (
  name      text PRIMARY KEY,
  -- Grows with each change: who has put an earlier one away sees the new one.
  version   integer NOT NULL DEFAULT 1,
  kind      text NOT NULL CONSTRAINT notices_kind CHECK (kind IN ('info', 'error')),
  -- By language; who reads another one sees nothing.
  texts     jsonb NOT NULL CONSTRAINT notices_texts CHECK (texts <> '{}'),
  begins_at timestamptz NOT NULL,
  ends_at   timestamptz CONSTRAINT notices_forward CHECK (begins_at < ends_at)
);
