-- A registration belongs to the browser that made it: several wait for one address, and its code sets the password of
-- its own row alone.
ALTER TABLE registrations DROP CONSTRAINT registrations_pkey;
ALTER TABLE registrations ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY;
-- SHA-256 of the cookie `registration`. null: of before this column; the password shows whose it is.
ALTER TABLE registrations ADD COLUMN browser_hash bytea CONSTRAINT registrations_browser UNIQUE;
-- Where it came from, an IPv6 one as /64: a network that registers much pushes out its own rows first.
ALTER TABLE registrations ADD COLUMN network text NOT NULL DEFAULT '';
ALTER TABLE registrations ADD COLUMN utm jsonb NOT NULL DEFAULT '{}';
-- null: the code was mailed to nobody, because this address has had enough mails.
ALTER TABLE registrations ALTER COLUMN code_sent_at DROP NOT NULL;
CREATE INDEX registrations_email ON registrations (email, network, id);
CREATE INDEX registrations_network ON registrations (network, id);
-- Passwords of rows made before were hashed with a salt of their own: nothing could find them by a password.
DELETE FROM registrations;

-- Several links to set a password anew may be good at once: one that a stranger asks for does not kill the owner's.
ALTER TABLE password_resets DROP CONSTRAINT password_resets_pkey;
ALTER TABLE password_resets ADD CONSTRAINT password_resets_token PRIMARY KEY (token_hash);
CREATE INDEX password_resets_email ON password_resets (email);
