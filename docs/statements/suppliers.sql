-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/suppliers/queries.ts: supplier-list-links

-- supplier-list-links
-- server/core/suppliers/queries.ts
-- returns: id int4, up bool, since timestamptz, why text
SELECT id, link_up AS up, link_changed_at AS since, link_why AS why FROM suppliers
WHERE link_up IS NOT NULL AND link_changed_at IS NOT NULL;
