-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/accounts/users/queries.ts: user-change-settings, user-consents, user-facts, user-find, user-find-by-email, user-insert, user-is-blocked

-- user-change-settings
-- server/core/accounts/users/queries.ts
-- $1 userId int4, $2 jsonb, $3 text
-- returns: nothing
UPDATE users SET settings = settings || $2::jsonb, locale = coalesce($3, locale) WHERE id = $1;

-- user-consents
-- server/core/accounts/users/queries.ts
-- $1 userId int4, $2 now timestamptz
-- returns: nothing
INSERT INTO consents (user_id, document, version, given_by, at)
SELECT $1, document, version, 'registration', $2 FROM document_versions WHERE is_current
ON CONFLICT (user_id, document, version) DO NOTHING;

-- user-facts
-- server/core/accounts/users/queries.ts
-- $1 id int4, $2 session text
-- returns: id int4, email text, name text, password_hash text, role text, zone text, locale text, settings jsonb, blocked_at timestamptz, created_at timestamptz, currency text, available_micros int8, held_micros int8, debt_micros int8, open_payments int8, unread int8, deletion_at timestamptz, is_guest bool, documents_changed bool, active int8, rented int8
SELECT id, email, name, password_hash, role, zone, locale, settings, blocked_at, users.created_at, a.currency, a.available_micros, a.held_micros, a.debt_micros,
(SELECT count(*) FROM payments p WHERE p.user_id = users.id AND p.state IN ('created', 'pending', 'confirming')) AS open_payments,
(SELECT count(*) FROM (SELECT FROM notifications
  WHERE user_id = users.id AND read_at IS NULL AND 'site' = ANY (channels) AND COALESCE(details ->> 'bySession', '') <> $2
  LIMIT 100) unread) AS unread,
  deletion_at, is_guest,
  EXISTS (SELECT FROM document_versions v WHERE v.is_current
      AND EXISTS (SELECT FROM consents c WHERE c.user_id = users.id AND c.document = v.document)
      AND NOT EXISTS (SELECT FROM consents c WHERE c.user_id = users.id AND (c.document, c.version) = (v.document, v.version))
  ) AS documents_changed,
(SELECT count(*) FROM activations WHERE user_id = users.id AND state IN ('reserving', 'waiting', 'received', 'waiting_again') AND state <> 'reserving') AS active,
(SELECT count(*) FROM rentals WHERE user_id = users.id AND state = 'active') AS rented
FROM users JOIN accounts a ON a.user_id = users.id
LEFT JOIN LATERAL (SELECT due_at AS deletion_at, is_guest
  FROM account_deletions d WHERE d.user_id = users.id AND d.state = 'waiting') deletion ON true
WHERE users.id = $1;

-- user-find
-- server/core/accounts/users/queries.ts
-- $1 id int4
-- returns: id int4, email text, name text, password_hash text, role text, zone text, locale text, settings jsonb, blocked_at timestamptz
SELECT id, email, name, password_hash, role, zone, locale, settings, blocked_at FROM users WHERE id = $1;

-- user-find-by-email
-- server/core/accounts/users/queries.ts
-- $1 email text
-- returns: id int4, email text, name text, password_hash text, role text, zone text, locale text, settings jsonb, blocked_at timestamptz
SELECT id, email, name, password_hash, role, zone, locale, settings, blocked_at FROM users WHERE lower(email) = lower($1);

-- user-insert
-- server/core/accounts/users/queries.ts
-- $1 email text, $2 name text, $3 passwordHash text, $4 role text, $5 zone text, $6 locale text, $7 emailVerifiedAt timestamptz, $8 referrerId int4, $9 utm jsonb, $10 now timestamptz
-- returns: id int4
INSERT INTO users (email, name, password_hash, role, zone, locale, email_verified_at, referrer_id, utm, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7,
  (SELECT id FROM users WHERE id = $8 AND erased_at IS NULL AND sandbox_of IS NULL), $9, $10)
ON CONFLICT (lower(email)) DO NOTHING RETURNING id;

-- user-is-blocked
-- server/core/accounts/users/queries.ts
-- $1 id int4
-- returns: blocked bool
SELECT blocked_at IS NOT NULL AS blocked FROM users WHERE id = $1;
