-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/catalog/rules/rule-queries.ts: promotions-full

-- promotions-full
-- server/core/catalog/rules/rule-queries.ts
-- $1 ids int4[], $2 now timestamptz
-- returns: id int4
SELECT id FROM promotions
WHERE id = ANY ($1::integer[]) AND (spent_micros + sale_limit_micros > limit_micros OR ends_at <= $2) ORDER BY id;
