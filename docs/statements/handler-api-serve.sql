-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/adapters/handler-api/serve/buying/ceilings/queries.ts: key-ceiling-drop, key-ceiling-find, key-ceiling-set

-- key-ceiling-drop
-- server/adapters/handler-api/serve/buying/ceilings/queries.ts
-- $1 key int4, $2 country int4, $3 service text
-- returns: nothing
DELETE FROM key_ceilings WHERE key_id = $1 AND country_id = $2 AND service_code = $3;

-- key-ceiling-find
-- server/adapters/handler-api/serve/buying/ceilings/queries.ts
-- $1 key int4, $2 country int4, $3 service text
-- returns: max_price_micros int8
SELECT max_price_micros FROM key_ceilings
WHERE key_id = $1 AND country_id = $2 AND service_code IN ($3, '') ORDER BY service_code DESC LIMIT 1;

-- key-ceiling-set
-- server/adapters/handler-api/serve/buying/ceilings/queries.ts
-- $1 key int4, $2 country int4, $3 service text, $4 maxPriceMicros int8, $5 now timestamptz, $6 most int8
-- returns: key_id int4
INSERT INTO key_ceilings (key_id, country_id, service_code, max_price_micros, set_at)
SELECT $1, $2, $3, $4, $5
WHERE (SELECT count(*) FROM key_ceilings WHERE key_id = $1) < $6
  OR EXISTS (SELECT FROM key_ceilings WHERE key_id = $1 AND country_id = $2 AND service_code = $3)
ON CONFLICT ON CONSTRAINT key_ceilings_pkey DO UPDATE SET max_price_micros = $4, set_at = $5
RETURNING key_id;
