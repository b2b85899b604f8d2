-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/catalog/offers/outcome-queries.ts: outcomes-of-rentals, outcomes-until
-- server/core/catalog/offers/queries.ts: catalog-version

-- outcomes-of-rentals
-- server/core/catalog/offers/outcome-queries.ts
-- $1 since timestamptz
-- returns: supplierId int4, userId int4, serviceCode text, countryId int4, coded bool
SELECT supplier_id AS "supplierId", user_id AS "userId", service_code AS "serviceCode", country_id AS "countryId",
  sms_count > 0 AS coded
FROM rentals WHERE created_at > $1 AND supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox) AND operator IS NOT NULL AND (sms_count > 0 OR state IN ('cancelled', 'revoked'))
ORDER BY created_at LIMIT 10000;

-- outcomes-until
-- server/core/catalog/offers/outcome-queries.ts
-- returns: until timestamptz
SELECT NULLIF((value #>> '{}')::timestamptz, '-infinity') AS until FROM settings WHERE key = 'outcomes_until';

-- catalog-version
-- server/core/catalog/offers/queries.ts
-- returns: version int4, stopped bool
SELECT (SELECT (value #>> '{}')::integer FROM settings WHERE key = 'catalog_version') AS version, (SELECT (value #>> '{}')::boolean FROM settings WHERE key = 'buying_stopped') AS stopped;
