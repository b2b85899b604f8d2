-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/accounts/sandbox/queries.ts: sandbox-find-shadow, sandbox-insert-shadow

-- sandbox-find-shadow
-- server/core/accounts/sandbox/queries.ts
-- $1 ownerId int4
-- returns: id int4
SELECT id FROM users WHERE sandbox_of = $1;

-- sandbox-insert-shadow
-- server/core/accounts/sandbox/queries.ts
-- $1 ownerId int4, $2 now timestamptz
-- returns: id int4
INSERT INTO users (name, role, zone, locale, created_at, sandbox_of, utm)
SELECT 'Sandbox', 'user', zone, locale, $2, id, '{}' FROM users WHERE id = $1
ON CONFLICT ON CONSTRAINT users_sandbox_once DO NOTHING RETURNING id;
