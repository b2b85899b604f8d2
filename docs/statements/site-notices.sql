-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/surfaces/site/notices/queries.ts: notices-list

-- notices-list
-- server/surfaces/site/notices/queries.ts
-- $1 now timestamptz, $2 MOST_NOTICES int8
-- returns: name text, version int4, kind text, texts jsonb, beginsAt timestamptz, endsAt timestamptz
SELECT name, version, kind, texts, begins_at AS "beginsAt", ends_at AS "endsAt" FROM notices
WHERE ends_at IS NULL OR ends_at > $1 ORDER BY begins_at, name LIMIT $2;
