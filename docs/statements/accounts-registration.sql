-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/accounts/registration/queries.ts: registration-amend, registration-insert, registration-move, registration-renew-code, registration-take-try, registrations-delete

-- registration-amend
-- server/core/accounts/registration/queries.ts
-- $1 passwordHash text, $2 referrerId int4, $3 utm jsonb, $4 browserHash bytea, $5 email text, $6 formerBrowserHash bytea, $7 cooldownSince timestamptz, $8 now timestamptz, $9 maxTries int4
-- returns: nothing
UPDATE registrations SET password_hash = $1, referrer_id = $2, utm = $3,
  browser_hash = $4
WHERE email = $5 AND browser_hash = $6 AND code_sent_at > $7
  AND code_expires_at > $8 AND code_tries < $9;

-- registration-insert
-- server/core/accounts/registration/queries.ts
-- $1 email text, $2 formerBrowserHash bytea, $3 network text, $4 now timestamptz, $5 browserHash bytea, $6 passwordHash text, $7 referrerId int4, $8 utm jsonb, $9 codeHash bytea, $10 codeSentAt timestamptz, $11 expiresAt timestamptz, $12 waitsUntil timestamptz
-- returns: nothing
WITH removed AS (
  DELETE FROM registrations WHERE id IN (
    SELECT id FROM registrations WHERE email = $1 AND browser_hash = $2
    UNION ALL
    (SELECT id FROM registrations WHERE email = $1 AND network = $3 ORDER BY id DESC OFFSET 2)
    UNION ALL
    (SELECT id FROM registrations WHERE network = $3 ORDER BY id DESC OFFSET 99)
    UNION ALL
    (SELECT id FROM (
      SELECT id, code_sent_at IS NOT NULL AND code_expires_at > $4 AS is_good,
        row_number() OVER (PARTITION BY network ORDER BY id DESC) AS nth
      FROM registrations WHERE email = $1
    ) AS of_address
      ORDER BY is_good DESC, nth, id DESC OFFSET 49)
  )
)
INSERT INTO registrations
(email, browser_hash, network, password_hash, referrer_id, utm, code_hash, code_sent_at, code_expires_at, expires_at)
VALUES ($1, $5, $3, $6, $7, $8, $9, $10, $11,
    $12);

-- registration-move
-- server/core/accounts/registration/queries.ts
-- $1 browserHash bytea, $2 email text, $3 passwordHash text, $4 now timestamptz, $5 maxTries int4
-- returns: code_is_good bool
UPDATE registrations SET browser_hash = $1
WHERE id = (
  SELECT id FROM registrations WHERE email = $2 AND password_hash = $3 AND expires_at > $4
  ORDER BY id DESC LIMIT 1
)
RETURNING code_sent_at IS NOT NULL AND code_tries < $5 AND code_expires_at > $4 AS code_is_good;

-- registration-renew-code
-- server/core/accounts/registration/queries.ts
-- $1 codeHash bytea, $2 now timestamptz, $3 expiresAt timestamptz, $4 waitsUntil timestamptz, $5 email text, $6 browserHash bytea, $7 network text, $8 cooldownSince timestamptz
-- returns: nothing
UPDATE registrations SET code_hash = $1, code_tries = 0, code_sent_at = $2,
  code_expires_at = $3, expires_at = $4
WHERE id = (
  SELECT id FROM registrations WHERE email = $5 AND (browser_hash = $6 OR network = $7)
    AND expires_at > $2
  ORDER BY browser_hash = $6 DESC NULLS LAST, id DESC LIMIT 1
) AND (code_sent_at IS NULL OR code_sent_at <= $8);

-- registration-take-try
-- server/core/accounts/registration/queries.ts
-- $1 maxTries int4, $2 email text, $3 browserHash bytea, $4 passwordHash text, $5 now timestamptz
-- returns: id int8, password_hash text, referrer_id int4, utm jsonb, code_hash bytea, is_good bool
UPDATE registrations SET code_tries = least(code_tries, $1) + 1
WHERE id = (
  SELECT id FROM registrations
  WHERE email = $2 AND (browser_hash = $3 OR password_hash = $4) AND expires_at > $5
  ORDER BY password_hash = $4 DESC NULLS LAST, id DESC LIMIT 1
)
RETURNING id, password_hash, referrer_id, utm, code_hash, code_tries <= $1
  AND code_expires_at > $5 AS is_good;

-- registrations-delete
-- server/core/accounts/registration/queries.ts
-- $1 email text
-- returns: nothing
DELETE FROM registrations WHERE email = $1;
