-- When the person last showed in this session who he is, before a change of how he signs in. null: at its beginning.
ALTER TABLE sessions ADD COLUMN confirmed_at timestamptz;
-- The person who runs the service ended all sessions: a running server closes their live sockets.
ALTER TABLE users ADD COLUMN signed_out_at timestamptz;
