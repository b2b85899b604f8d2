-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/numbers/intake/queries/requests.ts: intake-request-refused, intake-request-settle, intake-request-store, intake-request-try, intake-requests-beside, intake-requests-stored

-- intake-request-refused
-- server/core/numbers/intake/queries/requests.ts
-- $1 supplierId int4, $2 receivedAt timestamptz, $3 address text, $4 method text, $5 query text, $6 headers jsonb, $7 body bytea, $8 reason text
-- returns: nothing
INSERT INTO intake_requests (supplier_id, received_at, address, method, query, headers, body, state, reason, settled_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, 'refused', $8, $2);

-- intake-request-settle
-- server/core/numbers/intake/queries/requests.ts
-- $1 state text, $2 reason text, $3 now timestamptz, $4 ids int8[]
-- returns: nothing
UPDATE intake_requests SET state = $1, reason = $2, settled_at = $3,
  body = CASE WHEN $1 = 'unread' THEN body END, query = CASE WHEN $1 = 'unread' THEN query ELSE '' END
WHERE id = ANY ($4) AND state = 'stored';

-- intake-request-store
-- server/core/numbers/intake/queries/requests.ts
-- $1 supplierId int4, $2 receivedAt timestamptz, $3 address text, $4 method text, $5 query text, $6 headers jsonb, $7 body bytea, $8 onceKey text
-- returns: id int8, repeats int4
INSERT INTO intake_requests AS known (supplier_id, received_at, address, method, query, headers, body, once_key, state)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'stored')
ON CONFLICT (supplier_id, once_key) WHERE once_key IS NOT NULL DO UPDATE SET repeats = known.repeats + 1
RETURNING id, repeats;

-- intake-request-try
-- server/core/numbers/intake/queries/requests.ts
-- $1 id int8, $2 tries int4
-- returns: nothing
UPDATE intake_requests SET tries = tries + 1 WHERE id = $1 AND tries = $2 AND state = 'stored';

-- intake-requests-beside
-- server/core/numbers/intake/queries/requests.ts
-- $1 supplierId int4, $2 from timestamptz, $3 to timestamptz, $4 id int8, $5 limit int8
-- returns: id int8, supplierId int4, receivedAt timestamptz, address text, method text, query text, headers jsonb, body bytea, tries int4
SELECT id, supplier_id AS "supplierId", received_at AS "receivedAt", address, method, query, headers, body, tries
FROM intake_requests WHERE state = 'stored' AND supplier_id = $1 AND received_at BETWEEN $2 AND $3
ORDER BY abs(id - $4) LIMIT $5;

-- intake-requests-stored
-- server/core/numbers/intake/queries/requests.ts
-- $1 before timestamptz, $2 supplierIds int4[], $3 limit int8
-- returns: id int8, supplierId int4, receivedAt timestamptz, address text, method text, query text, headers jsonb, body bytea, tries int4
SELECT id, supplier_id AS "supplierId", received_at AS "receivedAt", address, method, query, headers, body, tries
FROM intake_requests WHERE state = 'stored' AND received_at <= $1 AND supplier_id = ANY ($2)
ORDER BY tries, id LIMIT $3;
