-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/accounts/passkeys/queries.ts: passkey-challenge-insert, passkey-challenge-take, passkey-delete, passkey-find, passkey-insert, passkey-note-use, passkey-rename

-- passkey-challenge-insert
-- server/core/accounts/passkeys/queries.ts
-- $1 hash bytea, $2 browserHash bytea, $3 purpose text, $4 userId int4, $5 handle bytea, $6 expiresAt timestamptz
-- returns: nothing
INSERT INTO passkey_challenges (hash, browser_hash, purpose, user_id, handle, expires_at)
VALUES ($1, $2, $3, $4, $5, $6);

-- passkey-challenge-take
-- server/core/accounts/passkeys/queries.ts
-- $1 hash bytea, $2 browserHash bytea, $3 purpose text, $4 userId int4, $5 now timestamptz
-- returns: handle bytea
DELETE FROM passkey_challenges WHERE hash = $1 AND browser_hash = $2 AND purpose = $3
  AND user_id IS NOT DISTINCT FROM $4 AND expires_at > $5 RETURNING handle;

-- passkey-delete
-- server/core/accounts/passkeys/queries.ts
-- $1 id int4, $2 userId int4
-- returns: nothing
DELETE FROM passkeys WHERE id = $1 AND user_id = $2;

-- passkey-find
-- server/core/accounts/passkeys/queries.ts
-- $1 credentialId bytea
-- returns: id int4, user_id int4, public_key bytea, counter int8, rp_id text
SELECT p.id, p.user_id, p.public_key, p.counter, p.rp_id
FROM passkeys p WHERE p.credential_id = $1;

-- passkey-insert
-- server/core/accounts/passkeys/queries.ts
-- $1 userId int4, $2 credentialId bytea, $3 publicKey bytea, $4 handle bytea, $5 counter int8, $6 transports text[], $7 rpId text, $8 name text, $9 now timestamptz
-- returns: nothing
INSERT INTO passkeys (user_id, credential_id, public_key, handle, counter, transports, rp_id, name, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- passkey-note-use
-- server/core/accounts/passkeys/queries.ts
-- $1 id int4, $2 counter int8, $3 now timestamptz
-- returns: nothing
UPDATE passkeys SET counter = $2, last_used_at = $3
WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0));

-- passkey-rename
-- server/core/accounts/passkeys/queries.ts
-- $1 id int4, $2 userId int4, $3 name text
-- returns: nothing
UPDATE passkeys SET name = $3 WHERE id = $1 AND user_id = $2;
