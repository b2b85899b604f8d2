-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/adapters/handler-api/rent/queries.ts: resold-find-extension, resold-find-rent, resold-insert-extension, resold-list-lost-rents, resold-list-open-rents, resold-mark-extended, resold-mark-rent-ended, resold-mark-unextended, resold-rename-rent

-- resold-find-extension
-- server/adapters/handler-api/rent/queries.ts
-- $1 supplierId int4, $2 extensionReference text
-- returns: state text, costMicros int8, askedAt timestamptz, historyBefore int4
SELECT state, cost_micros AS "costMicros", asked_at AS "askedAt", history_before AS "historyBefore"
FROM resold_extensions
WHERE supplier_id = $1 AND extension_reference = $2;

-- resold-find-rent
-- server/adapters/handler-api/rent/queries.ts
-- $1 supplierId int4, $2 reference text
-- returns: reference text, state text, costMicros int8, askedAt timestamptz, rentId text, phone text, expiresAt timestamptz, strangers text[]
SELECT reference, state, cost_micros AS "costMicros", asked_at AS "askedAt", rent_id AS "rentId", phone,
  expires_at AS "expiresAt", strangers FROM resold_rents WHERE supplier_id = $1 AND reference = $2;

-- resold-insert-extension
-- server/adapters/handler-api/rent/queries.ts
-- $1 supplierId int4, $2 extensionReference text, $3 reference text, $4 state text, $5 hours int4, $6 costMicros int8, $7 historyBefore int4, $8 now timestamptz
-- returns: nothing
INSERT INTO resold_extensions (supplier_id, extension_reference, reference, state, hours, cost_micros,
    history_before, asked_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT ON CONSTRAINT resold_extensions_reference DO NOTHING;

-- resold-list-lost-rents
-- server/adapters/handler-api/rent/queries.ts
-- $1 supplierId int4, $2 since timestamptz
-- returns: reference text
SELECT reference FROM resold_rents WHERE supplier_id = $1 AND state = 'asking' AND asked_at > $2
ORDER BY asked_at LIMIT 10;

-- resold-list-open-rents
-- server/adapters/handler-api/rent/queries.ts
-- $1 supplierId int4
-- returns: reference text, state text, costMicros int8, askedAt timestamptz, rentId text, phone text, expiresAt timestamptz, strangers text[]
SELECT reference, state, cost_micros AS "costMicros", asked_at AS "askedAt", rent_id AS "rentId", phone,
  expires_at AS "expiresAt", strangers FROM resold_rents WHERE supplier_id = $1 AND state = 'open' ORDER BY asked_at LIMIT 10000;

-- resold-mark-extended
-- server/adapters/handler-api/rent/queries.ts
-- $1 costMicros int8, $2 supplierId int4, $3 extensionReference text
-- returns: expiresAt timestamptz
WITH extended AS (
  UPDATE resold_extensions SET state = 'extended', cost_micros = $1
  WHERE supplier_id = $2 AND extension_reference = $3 AND state = 'asking'
  RETURNING supplier_id, reference, hours
) UPDATE resold_rents r SET expires_at = r.expires_at + make_interval(hours => e.hours) FROM extended e
WHERE r.supplier_id = e.supplier_id AND r.reference = e.reference RETURNING r.expires_at AS "expiresAt";

-- resold-mark-rent-ended
-- server/adapters/handler-api/rent/queries.ts
-- $1 now timestamptz, $2 supplierId int4, $3 reference text
-- returns: nothing
UPDATE resold_rents SET state = 'ended', ended_at = $1
WHERE supplier_id = $2 AND reference = $3 AND state = 'open';

-- resold-mark-unextended
-- server/adapters/handler-api/rent/queries.ts
-- $1 supplierId int4, $2 extensionReference text
-- returns: nothing
UPDATE resold_extensions SET state = 'refused'
WHERE supplier_id = $1 AND extension_reference = $2 AND state = 'asking';

-- resold-rename-rent
-- server/adapters/handler-api/rent/queries.ts
-- $1 rentId text, $2 supplierId int4, $3 reference text
-- returns: nothing
UPDATE resold_rents SET rent_id = $1
WHERE supplier_id = $2 AND reference = $3 AND rent_id <> $1;
