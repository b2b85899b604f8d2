-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/accounts/social/queries.ts: auth-request-insert, auth-request-take, identity-delete, identity-owner, identity-put

-- auth-request-insert
-- server/core/accounts/social/queries.ts
-- $1 stateHash bytea, $2 browserHash bytea, $3 provider text, $4 userId int4, $5 sealed jsonb, $6 expiresAt timestamptz
-- returns: nothing
INSERT INTO auth_requests (state_hash, browser_hash, provider, user_id, sealed, expires_at)
VALUES ($1, $2, $3, $4, $5, $6);

-- auth-request-take
-- server/core/accounts/social/queries.ts
-- $1 stateHash bytea, $2 browserHash bytea, $3 provider text, $4 userId int4, $5 now timestamptz
-- returns: sealed jsonb
DELETE FROM auth_requests WHERE state_hash = $1 AND browser_hash = $2 AND provider = $3
  AND user_id IS NOT DISTINCT FROM $4 AND expires_at > $5 RETURNING sealed;

-- identity-delete
-- server/core/accounts/social/queries.ts
-- $1 userId int4, $2 provider text
-- returns: nothing
DELETE FROM identities WHERE user_id = $1 AND provider = $2;

-- identity-owner
-- server/core/accounts/social/queries.ts
-- $1 provider text, $2 subject text
-- returns: user_id int4
SELECT user_id FROM identities WHERE provider = $1 AND subject = $2;

-- identity-put
-- server/core/accounts/social/queries.ts
-- $1 userId int4, $2 provider text, $3 subject text, $4 name text, $5 now timestamptz
-- returns: subject text
WITH earlier AS (SELECT subject FROM identities WHERE user_id = $1 AND provider = $2)
INSERT INTO identities (user_id, provider, subject, name, linked_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT ON CONSTRAINT identities_one_of_each DO UPDATE SET name = excluded.name, subject = excluded.subject,
  linked_at = CASE WHEN identities.subject = excluded.subject THEN identities.linked_at ELSE excluded.linked_at END
RETURNING (SELECT subject FROM earlier) AS subject;
