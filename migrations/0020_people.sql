-- A person of a social sign-in may have no e-mail. One that is here was proved by a code, or by a provider that said so.
ALTER TABLE users ALTER COLUMN email DROP NOT NULL;
ALTER TABLE users ADD COLUMN email_verified_at timestamptz;
-- Who brought them, and by what campaign: remembered at registration, for good.
ALTER TABLE users ADD COLUMN referrer_id integer REFERENCES users (id);
ALTER TABLE users ADD COLUMN utm jsonb NOT NULL DEFAULT '{}';
CREATE INDEX users_referrer ON users (referrer_id) WHERE referrer_id IS NOT NULL;
