-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/accounts/emails/queries.ts: email-code-delete, email-code-find, email-code-renew, email-code-replace, email-code-take-try, email-set

-- email-code-delete
-- server/core/accounts/emails/queries.ts
-- $1 userId int4
-- returns: nothing
DELETE FROM email_codes WHERE user_id = $1;

-- email-code-find
-- server/core/accounts/emails/queries.ts
-- $1 userId int4, $2 now timestamptz
-- returns: email text
SELECT email FROM email_codes WHERE user_id = $1 AND expires_at > $2;

-- email-code-renew
-- server/core/accounts/emails/queries.ts
-- $1 codeHash bytea, $2 now timestamptz, $3 expiresAt timestamptz, $4 waitsUntil timestamptz, $5 userId int4, $6 email text, $7 cooldownSince timestamptz
-- returns: nothing
UPDATE email_codes SET code_hash = $1, code_tries = 0, code_sent_at = $2, code_expires_at = $3,
  expires_at = $4
WHERE user_id = $5 AND email = $6 AND expires_at > $2 AND code_sent_at <= $7;

-- email-code-replace
-- server/core/accounts/emails/queries.ts
-- $1 userId int4, $2 email text, $3 codeHash bytea, $4 now timestamptz, $5 expiresAt timestamptz, $6 waitsUntil timestamptz, $7 cooldownSince timestamptz
-- returns: nothing
INSERT INTO email_codes
(user_id, email, code_hash, code_tries, code_sent_at, code_expires_at, expires_at)
VALUES ($1, $2, $3, 0, $4, $5, $6)
ON CONFLICT (user_id) DO UPDATE SET email = $2, code_hash = $3, code_tries = 0, code_sent_at = $4,
  code_expires_at = $5, expires_at = $6
WHERE email_codes.email <> $2 OR email_codes.code_sent_at <= $7;

-- email-code-take-try
-- server/core/accounts/emails/queries.ts
-- $1 userId int4, $2 email text, $3 maxTries int4, $4 now timestamptz
-- returns: code_hash bytea
UPDATE email_codes SET code_tries = code_tries + 1
WHERE user_id = $1 AND email = $2 AND code_tries < $3 AND code_expires_at > $4 RETURNING code_hash;

-- email-set
-- server/core/accounts/emails/queries.ts
-- $1 userId int4, $2 email text, $3 now timestamptz
-- returns: before text, locale text
UPDATE users SET email = $2, email_verified_at = $3
FROM (SELECT id, email FROM users WHERE id = $1 FOR UPDATE) AS old
WHERE users.id = old.id RETURNING old.email AS before, users.locale;
