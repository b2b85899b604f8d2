-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/adapters/shared/own-numbers/queries/leases.ts: smpp-end-lease, smpp-insert-lease, smpp-insert-lease-operator, smpp-insert-lease-patient, smpp-insert-lease-patient-operator, smpp-refuse-reference, smpp-select-lease
-- server/adapters/shared/own-numbers/queries/national-number.ts: smpp-find-national
-- server/adapters/shared/own-numbers/queries/numbers.ts: smpp-disable-numbers, smpp-select-taken, smpp-upsert-numbers
-- server/adapters/shared/own-numbers/queries/rent-leases.ts: smpp-end-rent-lease, smpp-extend-rent-lease, smpp-lease-rented, smpp-lock-rentable, smpp-lock-rentable-operator, smpp-lock-rentable-waiting, smpp-lock-rentable-waiting-operator, smpp-select-extension, smpp-select-rented
-- server/adapters/shared/own-numbers/queries/repeated-leases.ts: smpp-insert-repeated-lease
-- server/adapters/shared/own-numbers/queries/stock.ts: smpp-count-rent-stock, smpp-count-stock
-- server/adapters/shared/own-numbers/sims/queries.ts: sim-find-phone, sim-retire, sims-turn, sims-upsert

-- smpp-end-lease
-- server/adapters/shared/own-numbers/queries/leases.ts
-- $1 ending text, $2 now timestamptz, $3 supplierId int4, $4 reference text, $5 silentSales int4
-- returns: nothing
WITH ended AS (
  UPDATE smpp_leases SET state = 'ended', ending = $1, ended_at = $2
  WHERE supplier_id = $3 AND reference = $4 AND state = 'leased' AND hours IS NULL
  RETURNING phone, service_code, ending, created_at, buyer_id
), weighed AS (
  SELECT ended.*, (ending <> 'unsold' AND (NOT EXISTS (SELECT FROM smpp_number_uses u JOIN smpp_leases l ON l.phone = u.phone AND l.service_code = u.service_code AND l.state = 'ended' AND l.ending IN ('cancelled', 'expired')
      AND (u.restored_at IS NULL OR l.ended_at > u.restored_at)
    WHERE u.phone = ended.phone AND u.service_code = ended.service_code AND l.buyer_id = ended.buyer_id)
      AND word_weighs(ended.buyer_id, $2::timestamptz, NULL)
      OR 50 <= (SELECT count(*) FILTER (WHERE money = 'captured') FROM (SELECT money FROM activations latest
        WHERE latest.user_id = ended.buyer_id ORDER BY created_at DESC, id DESC LIMIT 1000) latest)))::integer AS offers FROM ended
), sale AS (
  SELECT n.phone, CASE WHEN ended.ending = 'finished' THEN 0 ELSE n.silent_sales + 1 END AS silent
  FROM ended JOIN smpp_numbers n ON n.phone = ended.phone
  WHERE CASE WHEN ended.ending = 'finished' THEN n.silent_sales > 0
    WHEN ended.ending = 'expired' OR ended.ending = 'cancelled' AND ended.created_at <= $2::timestamptz - interval '5 minutes'
    THEN NOT EXISTS (SELECT FROM messages m WHERE m.phone = ended.phone AND m.received_at >= ended.created_at)
    AND (NOT EXISTS (SELECT FROM smpp_leases l
      WHERE l.phone = ended.phone AND l.buyer_id = ended.buyer_id AND l.state = 'ended' AND l.ending IN ('cancelled', 'expired'))
        AND word_weighs(ended.buyer_id, $2::timestamptz, NULL) OR 50 <= (SELECT count(*) FILTER (WHERE money = 'captured') FROM (SELECT money FROM activations latest
          WHERE latest.user_id = ended.buyer_id ORDER BY created_at DESC, id DESC LIMIT 1000) latest))
    ELSE false END
  FOR UPDATE OF n SKIP LOCKED
), counted AS (
  UPDATE smpp_numbers n SET silent_sales = sale.silent,
    silent_at = CASE WHEN n.enabled AND sale.silent >= $5 THEN $2 ELSE n.silent_at END,
    enabled = n.enabled AND sale.silent < $5
  FROM sale WHERE n.phone = sale.phone RETURNING n.phone, n.silent_at, n.silent_sales
), told AS (
  INSERT INTO supplier_events (supplier_id, at, kind, reason)
  SELECT $3, $2, 'number-aside', phone || ': no message through ' || silent_sales || ' sales'
  FROM counted WHERE silent_at = $2
)
UPDATE smpp_number_uses u SET changed_at = $2, times_offered = GREATEST(1, u.times_offered - 1 + ended.offers),
  silent_at = CASE WHEN ended.ending IN ('cancelled', 'expired') AND u.times_offered - 1 + ended.offers >= 4 THEN $2::timestamptz END,
  state = CASE
  WHEN EXISTS (SELECT FROM burnt_numbers b WHERE b.phone = u.phone AND b.service_code = u.service_code) THEN 'spent'
  WHEN ended.ending = 'unsold' OR ended.ending IN ('cancelled', 'expired') AND NOT (u.times_offered - 1 + ended.offers >= 4)
  THEN 'returned' ELSE 'spent' END
FROM weighed ended WHERE u.phone = ended.phone AND u.service_code = ended.service_code AND u.state = 'leased';

-- smpp-insert-lease
-- server/adapters/shared/own-numbers/queries/leases.ts
-- $1 supplierId int4, $2 countryId int4, $3 fromPosition int8, $4 serviceCode text, $5 reference text, $6 excludedPrefixes text[], $7 buyerId int4, $8 family text, $9 sendersKnown bool, $10 exclusive bool, $11 now timestamptz, $12 costMicros int8, $13 currency text, $14 expiresAt timestamptz
-- returns: reference text, state text, phone text, operator text, costMicros int8, found bool, takenAt int8, position int8
WITH first AS (SELECT n.position FROM smpp_numbers n
  WHERE true AND n.supplier_id = $1 AND n.country_id = $2 AND n.enabled AND n.rent_state = 'free'
    AND n.position >= $3
    AND (SELECT u.state FROM smpp_number_uses u WHERE u.phone = n.phone AND u.service_code = $4) IS NULL ORDER BY n.position LIMIT 1
), next AS MATERIALIZED (
  SELECT phone FROM (SELECT n.phone FROM smpp_numbers n
    WHERE true AND n.supplier_id = $1 AND n.country_id = $2 AND n.enabled AND n.rent_state = 'free'
      AND n.position >= $3
      AND (SELECT u.state FROM smpp_number_uses u WHERE u.phone = n.phone AND u.service_code = $4) IS NULL
    ORDER BY n.position LIMIT 32) few ORDER BY hashtext(phone || $5)
), fresh AS (
  SELECT n.phone, n.country_id, n.operator, n.position FROM next JOIN smpp_numbers n USING (phone)
  WHERE n.enabled AND n.rent_state = 'free' AND NOT (n.phone ^@ ANY ($6::text[])) AND NOT smpp_number_closed(n.phone, $7, $4, $8, $9, $10, $11) LIMIT 1 FOR UPDATE OF n SKIP LOCKED
), tried AS MATERIALIZED (
  SELECT l.phone FROM smpp_leases l JOIN smpp_number_uses u ON l.phone = u.phone AND l.service_code = u.service_code AND l.state = 'ended' AND l.ending IN ('cancelled', 'expired')
    AND (u.restored_at IS NULL OR l.ended_at > u.restored_at)
  WHERE l.buyer_id = $7 AND l.service_code = $4 AND l.hours IS NULL
), returned AS (
  SELECT u.phone, u.country_id, u.operator, NULL::bigint FROM smpp_number_uses u JOIN smpp_numbers n USING (phone)
  WHERE true AND u.supplier_id = $1 AND u.service_code = $4 AND u.country_id = $2
    AND u.state = 'returned'
    AND NOT EXISTS (SELECT FROM fresh) AND n.enabled AND n.rent_state = 'free' AND NOT (u.phone ^@ ANY ($6::text[]))
    AND (u.phone NOT IN (SELECT phone FROM tried) OR 50 <= (SELECT count(*) FILTER (WHERE money = 'captured') FROM (SELECT money FROM activations latest
      WHERE latest.user_id = $7 ORDER BY created_at DESC, id DESC LIMIT 1000) latest))
    AND NOT smpp_number_closed(u.phone, $7, $4, $8, $9, $10, $11)
  ORDER BY u.times_offered, u.changed_at LIMIT 1 FOR UPDATE OF n SKIP LOCKED FOR UPDATE OF u SKIP LOCKED
), found AS (SELECT * FROM fresh UNION ALL SELECT * FROM returned
),
used AS (
  INSERT INTO smpp_number_uses AS u
  (phone, service_code, supplier_id, country_id, operator, state, times_offered, changed_at)
  SELECT phone, $4, $1, country_id, operator, 'leased', 1, $11 FROM found WHERE NOT smpp_number_closed(phone, $7, $4, $8, $9, $10, $11)
  ON CONFLICT (phone, service_code) DO UPDATE
  SET state = 'leased', times_offered = u.times_offered + 1, changed_at = $11
  WHERE u.state = 'returned' AND u.times_offered < 4
  RETURNING u.phone, u.operator
), lease AS (
  INSERT INTO smpp_leases (supplier_id, reference, state, phone, service_code, operator, cost_micros, currency, created_at,
      expires_at, buyer_id, family, senders_known)
  SELECT $1, $5, 'leased', phone, $4, operator, $12, $13, $11, $14,
    $7, NULLIF($8, $4), $9 FROM used
  RETURNING reference, state, phone, operator, cost_micros AS "costMicros"
)
SELECT lease.*, found.phone IS NOT NULL AS found, found.position AS "takenAt", COALESCE((SELECT position FROM first), (SELECT last_value FROM smpp_numbers_positions)) AS position
FROM (SELECT 1) AS always LEFT JOIN found ON true LEFT JOIN lease ON true;

-- smpp-insert-lease-operator
-- server/adapters/shared/own-numbers/queries/leases.ts
-- $1 supplierId int4, $2 countryId int4, $3 fromPosition int8, $4 operator text, $5 serviceCode text, $6 reference text, $7 excludedPrefixes text[], $8 buyerId int4, $9 family text, $10 sendersKnown bool, $11 exclusive bool, $12 now timestamptz, $13 costMicros int8, $14 currency text, $15 expiresAt timestamptz
-- returns: reference text, state text, phone text, operator text, costMicros int8, found bool, takenAt int8, position int8
WITH first AS (SELECT n.position FROM smpp_numbers n
  WHERE true AND n.supplier_id = $1 AND n.country_id = $2 AND n.enabled AND n.rent_state = 'free'
    AND n.position >= $3
    AND n.operator = $4
    AND (SELECT u.state FROM smpp_number_uses u WHERE u.phone = n.phone AND u.service_code = $5) IS NULL ORDER BY n.position LIMIT 1
), next AS MATERIALIZED (
  SELECT phone FROM (SELECT n.phone FROM smpp_numbers n
    WHERE true AND n.supplier_id = $1 AND n.country_id = $2 AND n.enabled AND n.rent_state = 'free'
      AND n.position >= $3
      AND n.operator = $4
      AND (SELECT u.state FROM smpp_number_uses u WHERE u.phone = n.phone AND u.service_code = $5) IS NULL
    ORDER BY n.position LIMIT 32) few ORDER BY hashtext(phone || $6)
), fresh AS (
  SELECT n.phone, n.country_id, n.operator, n.position FROM next JOIN smpp_numbers n USING (phone)
  WHERE n.enabled AND n.rent_state = 'free' AND NOT (n.phone ^@ ANY ($7::text[])) AND NOT smpp_number_closed(n.phone, $8, $5, $9, $10, $11, $12) LIMIT 1 FOR UPDATE OF n SKIP LOCKED
), tried AS MATERIALIZED (
  SELECT l.phone FROM smpp_leases l JOIN smpp_number_uses u ON l.phone = u.phone AND l.service_code = u.service_code AND l.state = 'ended' AND l.ending IN ('cancelled', 'expired')
    AND (u.restored_at IS NULL OR l.ended_at > u.restored_at)
  WHERE l.buyer_id = $8 AND l.service_code = $5 AND l.hours IS NULL
), returned AS (
  SELECT u.phone, u.country_id, u.operator, NULL::bigint FROM smpp_number_uses u JOIN smpp_numbers n USING (phone)
  WHERE true AND u.supplier_id = $1 AND u.service_code = $5 AND u.country_id = $2
    AND u.state = 'returned' AND u.operator = $4
    AND NOT EXISTS (SELECT FROM fresh) AND n.enabled AND n.rent_state = 'free' AND NOT (u.phone ^@ ANY ($7::text[]))
    AND (u.phone NOT IN (SELECT phone FROM tried) OR 50 <= (SELECT count(*) FILTER (WHERE money = 'captured') FROM (SELECT money FROM activations latest
      WHERE latest.user_id = $8 ORDER BY created_at DESC, id DESC LIMIT 1000) latest))
    AND NOT smpp_number_closed(u.phone, $8, $5, $9, $10, $11, $12)
  ORDER BY u.times_offered, u.changed_at LIMIT 1 FOR UPDATE OF n SKIP LOCKED FOR UPDATE OF u SKIP LOCKED
), found AS (SELECT * FROM fresh UNION ALL SELECT * FROM returned
),
used AS (
  INSERT INTO smpp_number_uses AS u
  (phone, service_code, supplier_id, country_id, operator, state, times_offered, changed_at)
  SELECT phone, $5, $1, country_id, operator, 'leased', 1, $12 FROM found WHERE NOT smpp_number_closed(phone, $8, $5, $9, $10, $11, $12)
  ON CONFLICT (phone, service_code) DO UPDATE
  SET state = 'leased', times_offered = u.times_offered + 1, changed_at = $12
  WHERE u.state = 'returned' AND u.times_offered < 4
  RETURNING u.phone, u.operator
), lease AS (
  INSERT INTO smpp_leases (supplier_id, reference, state, phone, service_code, operator, cost_micros, currency, created_at,
      expires_at, buyer_id, family, senders_known)
  SELECT $1, $6, 'leased', phone, $5, operator, $13, $14, $12, $15,
    $8, NULLIF($9, $5), $10 FROM used
  RETURNING reference, state, phone, operator, cost_micros AS "costMicros"
)
SELECT lease.*, found.phone IS NOT NULL AS found, found.position AS "takenAt", COALESCE((SELECT position FROM first), (SELECT last_value FROM smpp_numbers_positions)) AS position
FROM (SELECT 1) AS always LEFT JOIN found ON true LEFT JOIN lease ON true;

-- smpp-insert-lease-patient
-- server/adapters/shared/own-numbers/queries/leases.ts
-- $1 exclusive bool, $2 family text, $3 sendersKnown bool, $4 supplierId int4, $5 now timestamptz, $6 buyerId int4, $7 countryId int4, $8 fromPosition int8, $9 serviceCode text, $10 excludedPrefixes text[], $11 reference text, $12 costMicros int8, $13 currency text, $14 expiresAt timestamptz
-- returns: reference text, state text, phone text, operator text, costMicros int8, found bool, takenAt int8, position int8
WITH closed AS MATERIALIZED (SELECT l.phone FROM smpp_leases l WHERE l.state = 'leased' AND ($1 OR COALESCE(l.family, l.service_code) = $2 OR NOT ($3 AND l.senders_known))
  UNION ALL SELECT l.phone FROM smpp_leases l WHERE l.supplier_id = $4 AND l.state = 'ended'
    AND l.ending <> 'unsold' AND l.ended_at > $5::timestamptz - interval '1200000 milliseconds'
    AND l.buyer_id IS DISTINCT FROM $6 AND ($1 OR COALESCE(l.family, l.service_code) = $2 OR NOT ($3 AND l.senders_known))), first AS (SELECT n.position FROM smpp_numbers n
      WHERE true AND n.supplier_id = $4 AND n.country_id = $7 AND n.enabled AND n.rent_state = 'free'
        AND n.position >= $8
        AND (SELECT u.state FROM smpp_number_uses u WHERE u.phone = n.phone AND u.service_code = $9) IS NULL ORDER BY n.position LIMIT 1
    ), next AS MATERIALIZED (
      SELECT phone FROM (SELECT n.phone FROM smpp_numbers n
        WHERE true AND n.supplier_id = $4 AND n.country_id = $7 AND n.enabled AND n.rent_state = 'free'
          AND n.position >= $8
          AND (SELECT u.state FROM smpp_number_uses u WHERE u.phone = n.phone AND u.service_code = $9) IS NULL AND NOT (n.phone ^@ ANY ($10::text[])) AND n.phone NOT IN (SELECT phone FROM closed)
        ORDER BY n.position LIMIT 32) few ORDER BY hashtext(phone || $11)
    ), fresh AS (
      SELECT n.phone, n.country_id, n.operator, n.position FROM next JOIN smpp_numbers n USING (phone)
      WHERE n.enabled AND n.rent_state = 'free' AND NOT (n.phone ^@ ANY ($10::text[])) AND NOT smpp_number_closed(n.phone, $6, $9, $2, $3, $1, $5) LIMIT 1 FOR UPDATE OF n
    ), tried AS MATERIALIZED (
      SELECT l.phone FROM smpp_leases l JOIN smpp_number_uses u ON l.phone = u.phone AND l.service_code = u.service_code AND l.state = 'ended' AND l.ending IN ('cancelled', 'expired')
        AND (u.restored_at IS NULL OR l.ended_at > u.restored_at)
      WHERE l.buyer_id = $6 AND l.service_code = $9 AND l.hours IS NULL
    ), returned AS (
      SELECT u.phone, u.country_id, u.operator, NULL::bigint FROM smpp_number_uses u JOIN smpp_numbers n USING (phone)
      WHERE true AND u.supplier_id = $4 AND u.service_code = $9 AND u.country_id = $7
        AND u.state = 'returned'
        AND NOT EXISTS (SELECT FROM fresh) AND n.enabled AND n.rent_state = 'free' AND NOT (u.phone ^@ ANY ($10::text[]))
        AND (u.phone NOT IN (SELECT phone FROM tried) OR 50 <= (SELECT count(*) FILTER (WHERE money = 'captured') FROM (SELECT money FROM activations latest
          WHERE latest.user_id = $6 ORDER BY created_at DESC, id DESC LIMIT 1000) latest))
        AND u.phone NOT IN (SELECT phone FROM closed) AND NOT smpp_number_closed(u.phone, $6, $9, $2, $3, $1, $5)
      ORDER BY u.times_offered, u.changed_at LIMIT 1 FOR UPDATE OF n  FOR UPDATE OF u
    ), found AS (SELECT * FROM fresh UNION ALL SELECT * FROM returned
    ),
used AS (
  INSERT INTO smpp_number_uses AS u
  (phone, service_code, supplier_id, country_id, operator, state, times_offered, changed_at)
  SELECT phone, $9, $4, country_id, operator, 'leased', 1, $5 FROM found WHERE NOT smpp_number_closed(phone, $6, $9, $2, $3, $1, $5)
  ON CONFLICT (phone, service_code) DO UPDATE
  SET state = 'leased', times_offered = u.times_offered + 1, changed_at = $5
  WHERE u.state = 'returned' AND u.times_offered < 4
  RETURNING u.phone, u.operator
), lease AS (
  INSERT INTO smpp_leases (supplier_id, reference, state, phone, service_code, operator, cost_micros, currency, created_at,
      expires_at, buyer_id, family, senders_known)
  SELECT $4, $11, 'leased', phone, $9, operator, $12, $13, $5, $14,
    $6, NULLIF($2, $9), $3 FROM used
  RETURNING reference, state, phone, operator, cost_micros AS "costMicros"
)
SELECT lease.*, found.phone IS NOT NULL AS found, found.position AS "takenAt", COALESCE((SELECT position FROM first), (SELECT last_value FROM smpp_numbers_positions)) AS position
FROM (SELECT 1) AS always LEFT JOIN found ON true LEFT JOIN lease ON true;

-- smpp-insert-lease-patient-operator
-- server/adapters/shared/own-numbers/queries/leases.ts
-- $1 exclusive bool, $2 family text, $3 sendersKnown bool, $4 supplierId int4, $5 now timestamptz, $6 buyerId int4, $7 countryId int4, $8 fromPosition int8, $9 operator text, $10 serviceCode text, $11 excludedPrefixes text[], $12 reference text, $13 costMicros int8, $14 currency text, $15 expiresAt timestamptz
-- returns: reference text, state text, phone text, operator text, costMicros int8, found bool, takenAt int8, position int8
WITH closed AS MATERIALIZED (SELECT l.phone FROM smpp_leases l WHERE l.state = 'leased' AND ($1 OR COALESCE(l.family, l.service_code) = $2 OR NOT ($3 AND l.senders_known))
  UNION ALL SELECT l.phone FROM smpp_leases l WHERE l.supplier_id = $4 AND l.state = 'ended'
    AND l.ending <> 'unsold' AND l.ended_at > $5::timestamptz - interval '1200000 milliseconds'
    AND l.buyer_id IS DISTINCT FROM $6 AND ($1 OR COALESCE(l.family, l.service_code) = $2 OR NOT ($3 AND l.senders_known))), first AS (SELECT n.position FROM smpp_numbers n
      WHERE true AND n.supplier_id = $4 AND n.country_id = $7 AND n.enabled AND n.rent_state = 'free'
        AND n.position >= $8
        AND n.operator = $9
        AND (SELECT u.state FROM smpp_number_uses u WHERE u.phone = n.phone AND u.service_code = $10) IS NULL ORDER BY n.position LIMIT 1
    ), next AS MATERIALIZED (
      SELECT phone FROM (SELECT n.phone FROM smpp_numbers n
        WHERE true AND n.supplier_id = $4 AND n.country_id = $7 AND n.enabled AND n.rent_state = 'free'
          AND n.position >= $8
          AND n.operator = $9
          AND (SELECT u.state FROM smpp_number_uses u WHERE u.phone = n.phone AND u.service_code = $10) IS NULL AND NOT (n.phone ^@ ANY ($11::text[])) AND n.phone NOT IN (SELECT phone FROM closed)
        ORDER BY n.position LIMIT 32) few ORDER BY hashtext(phone || $12)
    ), fresh AS (
      SELECT n.phone, n.country_id, n.operator, n.position FROM next JOIN smpp_numbers n USING (phone)
      WHERE n.enabled AND n.rent_state = 'free' AND NOT (n.phone ^@ ANY ($11::text[])) AND NOT smpp_number_closed(n.phone, $6, $10, $2, $3, $1, $5) LIMIT 1 FOR UPDATE OF n
    ), tried AS MATERIALIZED (
      SELECT l.phone FROM smpp_leases l JOIN smpp_number_uses u ON l.phone = u.phone AND l.service_code = u.service_code AND l.state = 'ended' AND l.ending IN ('cancelled', 'expired')
        AND (u.restored_at IS NULL OR l.ended_at > u.restored_at)
      WHERE l.buyer_id = $6 AND l.service_code = $10 AND l.hours IS NULL
    ), returned AS (
      SELECT u.phone, u.country_id, u.operator, NULL::bigint FROM smpp_number_uses u JOIN smpp_numbers n USING (phone)
      WHERE true AND u.supplier_id = $4 AND u.service_code = $10 AND u.country_id = $7
        AND u.state = 'returned' AND u.operator = $9
        AND NOT EXISTS (SELECT FROM fresh) AND n.enabled AND n.rent_state = 'free' AND NOT (u.phone ^@ ANY ($11::text[]))
        AND (u.phone NOT IN (SELECT phone FROM tried) OR 50 <= (SELECT count(*) FILTER (WHERE money = 'captured') FROM (SELECT money FROM activations latest
          WHERE latest.user_id = $6 ORDER BY created_at DESC, id DESC LIMIT 1000) latest))
        AND u.phone NOT IN (SELECT phone FROM closed) AND NOT smpp_number_closed(u.phone, $6, $10, $2, $3, $1, $5)
      ORDER BY u.times_offered, u.changed_at LIMIT 1 FOR UPDATE OF n  FOR UPDATE OF u
    ), found AS (SELECT * FROM fresh UNION ALL SELECT * FROM returned
    ),
used AS (
  INSERT INTO smpp_number_uses AS u
  (phone, service_code, supplier_id, country_id, operator, state, times_offered, changed_at)
  SELECT phone, $10, $4, country_id, operator, 'leased', 1, $5 FROM found WHERE NOT smpp_number_closed(phone, $6, $10, $2, $3, $1, $5)
  ON CONFLICT (phone, service_code) DO UPDATE
  SET state = 'leased', times_offered = u.times_offered + 1, changed_at = $5
  WHERE u.state = 'returned' AND u.times_offered < 4
  RETURNING u.phone, u.operator
), lease AS (
  INSERT INTO smpp_leases (supplier_id, reference, state, phone, service_code, operator, cost_micros, currency, created_at,
      expires_at, buyer_id, family, senders_known)
  SELECT $4, $12, 'leased', phone, $10, operator, $13, $14, $5, $15,
    $6, NULLIF($2, $10), $3 FROM used
  RETURNING reference, state, phone, operator, cost_micros AS "costMicros"
)
SELECT lease.*, found.phone IS NOT NULL AS found, found.position AS "takenAt", COALESCE((SELECT position FROM first), (SELECT last_value FROM smpp_numbers_positions)) AS position
FROM (SELECT 1) AS always LEFT JOIN found ON true LEFT JOIN lease ON true;

-- smpp-refuse-reference
-- server/adapters/shared/own-numbers/queries/leases.ts
-- $1 supplierId int4, $2 reference text, $3 now timestamptz
-- returns: nothing
INSERT INTO smpp_leases (supplier_id, reference, state, created_at) VALUES ($1, $2, 'refused', $3)
ON CONFLICT ON CONSTRAINT smpp_leases_reference DO NOTHING;

-- smpp-select-lease
-- server/adapters/shared/own-numbers/queries/leases.ts
-- $1 supplierId int4, $2 reference text
-- returns: reference text, state text, phone text, operator text, costMicros int8
SELECT reference, state, phone, operator, cost_micros AS "costMicros" FROM smpp_leases WHERE supplier_id = $1 AND reference = $2;

-- smpp-find-national
-- server/adapters/shared/own-numbers/queries/national-number.ts
-- $1 supplierId int4, $2 digits text
-- returns: phone text
SELECT phone FROM smpp_numbers WHERE supplier_id = $1 AND phone = ANY (ARRAY(
  SELECT $2::text UNION SELECT dial || $2 FROM countries UNION
  SELECT dial || substr($2, 2) FROM countries WHERE $2 LIKE '0%'));

-- smpp-disable-numbers
-- server/adapters/shared/own-numbers/queries/numbers.ts
-- $1 supplierId int4, $2 phones text[]
-- returns: nothing
UPDATE smpp_numbers SET enabled = false, silent_at = NULL
WHERE supplier_id = $1 AND phone = ANY($2) AND (enabled OR silent_at IS NOT NULL);

-- smpp-select-taken
-- server/adapters/shared/own-numbers/queries/numbers.ts
-- $1 supplierId int4, $2 text[]
-- returns: phone text
SELECT phone FROM smpp_numbers WHERE phone = ANY($2) AND supplier_id <> $1 ORDER BY phone;

-- smpp-upsert-numbers
-- server/adapters/shared/own-numbers/queries/numbers.ts
-- $1 supplierId int4, $2 phones text[], $3 countryIds int4[], $4 operators text[]
-- returns: nothing
INSERT INTO smpp_numbers AS known (supplier_id, phone, country_id, operator)
SELECT $1, * FROM unnest($2::text[], $3::integer[], $4::text[])
ON CONFLICT (phone) DO UPDATE
SET country_id = EXCLUDED.country_id, operator = EXCLUDED.operator, enabled = true,
  silent_at = NULL, silent_sales = 0, position = EXCLUDED.position
WHERE known.supplier_id = $1
  AND (NOT known.enabled OR (known.country_id, known.operator) <> (EXCLUDED.country_id, EXCLUDED.operator))
  AND NOT EXISTS (SELECT FROM sims WHERE sims.phone = known.phone AND sims.state <> 'in_use');

-- smpp-end-rent-lease
-- server/adapters/shared/own-numbers/queries/rent-leases.ts
-- $1 supplierId int4, $2 reference text, $3 now timestamptz, $4 unsold bool
-- returns: nothing
WITH heard AS (
  SELECT EXISTS (SELECT FROM messages m JOIN smpp_leases l USING (phone)
    WHERE l.supplier_id = $1 AND l.reference = $2 AND m.rental_id IS NOT NULL
      AND m.received_at >= l.created_at
  ) AS something
), ended AS (
  UPDATE smpp_leases SET state = 'ended', ended_at = $3,
    ending = CASE WHEN $4::boolean THEN 'unsold' WHEN (SELECT something FROM heard) THEN 'finished'
    ELSE 'cancelled' END
  WHERE supplier_id = $1 AND reference = $2 AND state = 'leased' AND hours IS NOT NULL
  RETURNING phone, service_code, ending, buyer_id
), freed AS (
  UPDATE smpp_numbers n SET position = DEFAULT, rent_state =
    CASE WHEN ended.ending = 'finished' AND ended.service_code = 'full' THEN 'retired' ELSE 'free' END
  FROM ended WHERE n.phone = ended.phone
  RETURNING n.phone, ended.service_code, ended.ending, (ending <> 'unsold' AND (NOT EXISTS (SELECT FROM smpp_number_uses u JOIN smpp_leases l ON l.phone = u.phone AND l.service_code = u.service_code AND l.state = 'ended' AND l.ending IN ('cancelled', 'expired')
      AND (u.restored_at IS NULL OR l.ended_at > u.restored_at)
    WHERE u.phone = ended.phone AND u.service_code = ended.service_code AND l.buyer_id = ended.buyer_id)
      AND word_weighs(ended.buyer_id, $3::timestamptz, NULL)
      OR 50 <= (SELECT count(*) FILTER (WHERE money = 'captured') FROM (SELECT money FROM activations latest
        WHERE latest.user_id = ended.buyer_id ORDER BY created_at DESC, id DESC LIMIT 1000) latest)))::integer AS offers
)
UPDATE smpp_number_uses u SET changed_at = $3, times_offered = GREATEST(1, u.times_offered - 1 + freed.offers), state =
  CASE WHEN freed.ending = 'unsold' OR freed.ending = 'cancelled' AND u.times_offered - 1 + freed.offers < 4
  THEN 'returned' ELSE 'spent' END
FROM freed WHERE u.phone = freed.phone AND u.service_code = freed.service_code AND u.state = 'leased';

-- smpp-extend-rent-lease
-- server/adapters/shared/own-numbers/queries/rent-leases.ts
-- $1 supplierId int4, $2 reference text, $3 extensionReference text, $4 hours int4, $5 costMicros int8, $6 now timestamptz, $7 expiresAt timestamptz
-- returns: nothing
WITH lease AS (
  SELECT reference FROM smpp_leases
  WHERE supplier_id = $1 AND reference = $2 AND state = 'leased' AND hours IS NOT NULL FOR UPDATE
), answered AS (
  INSERT INTO smpp_rent_extensions (supplier_id, reference, lease, hours, cost_micros, created_at)
  SELECT $1, $3, $2, $4,
    CASE WHEN EXISTS (SELECT FROM lease) THEN $5::bigint END, $6
  ON CONFLICT ON CONSTRAINT smpp_rent_extensions_reference DO NOTHING
  RETURNING lease, hours, cost_micros
)
UPDATE smpp_leases l SET hours = l.hours + answered.hours, expires_at = $7
FROM answered WHERE l.supplier_id = $1 AND l.reference = answered.lease
  AND answered.cost_micros IS NOT NULL;

-- smpp-lease-rented
-- server/adapters/shared/own-numbers/queries/rent-leases.ts
-- $1 serviceCode text, $2 supplierId int4, $3 now timestamptz, $4 phone text, $5 buyerId int4, $6 family text, $7 sendersKnown bool, $8 exclusive bool, $9 reference text, $10 hours int4, $11 costMicros int8, $12 currency text, $13 expiresAt timestamptz
-- returns: reference text, state text, phone text, operator text, costMicros int8
WITH used AS (
  INSERT INTO smpp_number_uses AS u
  (phone, service_code, supplier_id, country_id, operator, state, times_offered, changed_at)
  SELECT n.phone, $1, $2, n.country_id, n.operator, 'leased', 1, $3 FROM smpp_numbers n
  WHERE n.phone = $4 AND NOT EXISTS (SELECT FROM smpp_number_uses u WHERE u.phone = n.phone AND (u.state = 'leased'
      OR (u.state = 'spent' AND ($1 = 'full' OR u.service_code = $1))))
    AND NOT smpp_number_closed(n.phone, $5, $1, $6, $7, $8, $3)
  ON CONFLICT (phone, service_code) DO UPDATE
  SET state = 'leased', times_offered = u.times_offered + 1, changed_at = $3
  WHERE u.state = 'returned' AND u.times_offered < 4
  RETURNING u.phone, u.operator
), taken AS (
  UPDATE smpp_numbers n SET rent_state = 'rented' FROM used WHERE n.phone = used.phone
)
INSERT INTO smpp_leases (supplier_id, reference, state, phone, service_code, operator, hours, cost_micros, currency,
    created_at, expires_at, buyer_id, family, senders_known)
SELECT $2, $9, 'leased', phone, $1, operator, $10, $11, $12, $3,
  $13, $5, NULLIF($6, $1), $7 FROM used
RETURNING reference, state, phone, operator, cost_micros AS "costMicros";

-- smpp-lock-rentable
-- server/adapters/shared/own-numbers/queries/rent-leases.ts
-- $1 exclusive bool, $2 family text, $3 sendersKnown bool, $4 supplierId int4, $5 now timestamptz, $6 buyerId int4, $7 countryId int4, $8 fromPosition int8, $9 serviceCode text
-- returns: phone text, position int8
WITH closed AS MATERIALIZED (SELECT l.phone FROM smpp_leases l WHERE l.state = 'leased' AND ($1 OR COALESCE(l.family, l.service_code) = $2 OR NOT ($3 AND l.senders_known))
  UNION ALL SELECT l.phone FROM smpp_leases l WHERE l.supplier_id = $4 AND l.state = 'ended'
    AND l.ending <> 'unsold' AND l.ended_at > $5::timestamptz - interval '1200000 milliseconds'
    AND l.buyer_id IS DISTINCT FROM $6 AND ($1 OR COALESCE(l.family, l.service_code) = $2 OR NOT ($3 AND l.senders_known)))
SELECT n.phone, n.position FROM smpp_numbers n
WHERE n.supplier_id = $4 AND n.country_id = $7 AND n.enabled AND n.rent_state = 'free'
  AND n.position >= $8  AND NOT EXISTS (SELECT FROM smpp_number_uses u WHERE u.phone = n.phone AND (u.state = 'leased'
      OR (u.state = 'spent' AND ($9 = 'full' OR u.service_code = $9))))
  AND n.phone NOT IN (SELECT phone FROM closed)
  AND NOT smpp_number_closed(n.phone, $6, $9, $2, $3, $1, $5)
ORDER BY n.position LIMIT 1 FOR UPDATE OF n SKIP LOCKED;

-- smpp-lock-rentable-operator
-- server/adapters/shared/own-numbers/queries/rent-leases.ts
-- $1 exclusive bool, $2 family text, $3 sendersKnown bool, $4 supplierId int4, $5 now timestamptz, $6 buyerId int4, $7 countryId int4, $8 fromPosition int8, $9 operator text, $10 serviceCode text
-- returns: phone text, position int8
WITH closed AS MATERIALIZED (SELECT l.phone FROM smpp_leases l WHERE l.state = 'leased' AND ($1 OR COALESCE(l.family, l.service_code) = $2 OR NOT ($3 AND l.senders_known))
  UNION ALL SELECT l.phone FROM smpp_leases l WHERE l.supplier_id = $4 AND l.state = 'ended'
    AND l.ending <> 'unsold' AND l.ended_at > $5::timestamptz - interval '1200000 milliseconds'
    AND l.buyer_id IS DISTINCT FROM $6 AND ($1 OR COALESCE(l.family, l.service_code) = $2 OR NOT ($3 AND l.senders_known)))
SELECT n.phone, n.position FROM smpp_numbers n
WHERE n.supplier_id = $4 AND n.country_id = $7 AND n.enabled AND n.rent_state = 'free'
  AND n.position >= $8 AND n.operator = $9 AND NOT EXISTS (SELECT FROM smpp_number_uses u WHERE u.phone = n.phone AND (u.state = 'leased'
      OR (u.state = 'spent' AND ($10 = 'full' OR u.service_code = $10))))
  AND n.phone NOT IN (SELECT phone FROM closed)
  AND NOT smpp_number_closed(n.phone, $6, $10, $2, $3, $1, $5)
ORDER BY n.position LIMIT 1 FOR UPDATE OF n SKIP LOCKED;

-- smpp-lock-rentable-waiting
-- server/adapters/shared/own-numbers/queries/rent-leases.ts
-- $1 exclusive bool, $2 family text, $3 sendersKnown bool, $4 supplierId int4, $5 now timestamptz, $6 buyerId int4, $7 countryId int4, $8 fromPosition int8, $9 serviceCode text
-- returns: phone text, position int8
WITH closed AS MATERIALIZED (SELECT l.phone FROM smpp_leases l WHERE l.state = 'leased' AND ($1 OR COALESCE(l.family, l.service_code) = $2 OR NOT ($3 AND l.senders_known))
  UNION ALL SELECT l.phone FROM smpp_leases l WHERE l.supplier_id = $4 AND l.state = 'ended'
    AND l.ending <> 'unsold' AND l.ended_at > $5::timestamptz - interval '1200000 milliseconds'
    AND l.buyer_id IS DISTINCT FROM $6 AND ($1 OR COALESCE(l.family, l.service_code) = $2 OR NOT ($3 AND l.senders_known)))
SELECT n.phone, n.position FROM smpp_numbers n
WHERE n.supplier_id = $4 AND n.country_id = $7 AND n.enabled AND n.rent_state = 'free'
  AND n.position >= $8  AND NOT EXISTS (SELECT FROM smpp_number_uses u WHERE u.phone = n.phone AND (u.state = 'leased'
      OR (u.state = 'spent' AND ($9 = 'full' OR u.service_code = $9))))
  AND n.phone NOT IN (SELECT phone FROM closed)
  AND NOT smpp_number_closed(n.phone, $6, $9, $2, $3, $1, $5)
ORDER BY n.position LIMIT 1 FOR UPDATE OF n;

-- smpp-lock-rentable-waiting-operator
-- server/adapters/shared/own-numbers/queries/rent-leases.ts
-- $1 exclusive bool, $2 family text, $3 sendersKnown bool, $4 supplierId int4, $5 now timestamptz, $6 buyerId int4, $7 countryId int4, $8 fromPosition int8, $9 operator text, $10 serviceCode text
-- returns: phone text, position int8
WITH closed AS MATERIALIZED (SELECT l.phone FROM smpp_leases l WHERE l.state = 'leased' AND ($1 OR COALESCE(l.family, l.service_code) = $2 OR NOT ($3 AND l.senders_known))
  UNION ALL SELECT l.phone FROM smpp_leases l WHERE l.supplier_id = $4 AND l.state = 'ended'
    AND l.ending <> 'unsold' AND l.ended_at > $5::timestamptz - interval '1200000 milliseconds'
    AND l.buyer_id IS DISTINCT FROM $6 AND ($1 OR COALESCE(l.family, l.service_code) = $2 OR NOT ($3 AND l.senders_known)))
SELECT n.phone, n.position FROM smpp_numbers n
WHERE n.supplier_id = $4 AND n.country_id = $7 AND n.enabled AND n.rent_state = 'free'
  AND n.position >= $8 AND n.operator = $9 AND NOT EXISTS (SELECT FROM smpp_number_uses u WHERE u.phone = n.phone AND (u.state = 'leased'
      OR (u.state = 'spent' AND ($10 = 'full' OR u.service_code = $10))))
  AND n.phone NOT IN (SELECT phone FROM closed)
  AND NOT smpp_number_closed(n.phone, $6, $10, $2, $3, $1, $5)
ORDER BY n.position LIMIT 1 FOR UPDATE OF n;

-- smpp-select-extension
-- server/adapters/shared/own-numbers/queries/rent-leases.ts
-- $1 supplierId int4, $2 extensionReference text
-- returns: costMicros int8
SELECT cost_micros AS "costMicros" FROM smpp_rent_extensions WHERE supplier_id = $1 AND reference = $2;

-- smpp-select-rented
-- server/adapters/shared/own-numbers/queries/rent-leases.ts
-- $1 supplierId int4, $2 reference text
-- returns: serviceCode text, countryId int4, enabled bool
SELECT l.service_code AS "serviceCode", n.country_id AS "countryId", n.enabled
FROM smpp_leases l JOIN smpp_numbers n USING (phone)
WHERE l.supplier_id = $1 AND l.reference = $2 AND l.state = 'leased' AND l.hours IS NOT NULL;

-- smpp-insert-repeated-lease
-- server/adapters/shared/own-numbers/queries/repeated-leases.ts
-- $1 repeatOf text, $2 supplierId int4, $3 countryId int4, $4 operator text, $5 buyerId int4, $6 serviceCode text, $7 family text, $8 sendersKnown bool, $9 exclusive bool, $10 now timestamptz, $11 reference text, $12 costMicros int8, $13 currency text, $14 expiresAt timestamptz
-- returns: reference text, state text, phone text, operator text, costMicros int8, position int8
WITH found AS (
  SELECT n.phone, n.position FROM smpp_numbers n
  WHERE n.phone = $1 AND n.supplier_id = $2 AND n.country_id = $3 AND n.enabled
    AND n.rent_state = 'free' AND ($4::text IS NULL OR n.operator = $4) AND NOT smpp_number_closed(n.phone, $5, $6, $7, $8, $9, $10)
    AND EXISTS (SELECT FROM smpp_leases l WHERE l.phone = n.phone AND l.state = 'ended' AND l.ending <> 'unsold'
        AND l.ending = 'finished' AND l.service_code = $6 AND l.buyer_id = $5)
  FOR UPDATE OF n
), used AS (
  UPDATE smpp_number_uses u SET state = 'leased', changed_at = $10 FROM found
  WHERE u.phone = found.phone AND u.service_code = $6 AND u.state = 'spent' AND NOT smpp_number_closed(u.phone, $5, $6, $7, $8, $9, $10)
  RETURNING u.phone, u.operator, found.position
), lease AS (
  INSERT INTO smpp_leases (supplier_id, reference, state, phone, service_code, operator, cost_micros, currency, created_at,
      expires_at, buyer_id, family, senders_known)
  SELECT $2, $11, 'leased', phone, $6, operator, $12, $13, $10, $14,
    $5, NULLIF($7, $6), $8 FROM used
  RETURNING reference, state, phone, operator, cost_micros AS "costMicros"
)
SELECT lease.*, used.position FROM lease, used;

-- smpp-count-rent-stock
-- server/adapters/shared/own-numbers/queries/stock.ts
-- $1 supplierId int4, $2 serviceCodes text[], $3 families text[], $4 sendersKnown bool[], $5 exclusive bool, $6 now timestamptz
-- returns: serviceCode text, countryId int4, operator text, stock int4
WITH busy AS MATERIALIZED (
  SELECT phone FROM smpp_numbers n WHERE supplier_id = $1 AND NOT (n.enabled AND n.rent_state = 'free')
  UNION SELECT phone FROM smpp_leases WHERE supplier_id = $1 AND state = 'leased'
), totals AS (
  SELECT country_id, operator, count(*) AS amount FROM smpp_numbers
  WHERE supplier_id = $1 AND enabled GROUP BY country_id, operator
), away AS (
  SELECT country_id, operator, count(*) AS amount FROM smpp_numbers JOIN busy USING (phone)
  WHERE enabled GROUP BY country_id, operator
), touched AS (
  SELECT n.country_id, n.operator, count(*) AS amount FROM smpp_numbers n
  WHERE n.supplier_id = $1 AND n.enabled AND 'full' = ANY ($2)
    AND NOT EXISTS (SELECT FROM busy WHERE busy.phone = n.phone)
    AND EXISTS (SELECT FROM smpp_number_uses u WHERE u.phone = n.phone AND u.state = 'spent')
  GROUP BY n.country_id, n.operator
), spent AS (
  SELECT service_code, country_id, operator, count(*) AS amount FROM smpp_number_uses
  WHERE supplier_id = $1 AND state <> 'returned' AND service_code = ANY ($2)
  GROUP BY service_code, country_id, operator
), spent_away AS (
  SELECT u.service_code, u.country_id, u.operator, count(*) AS amount FROM busy JOIN smpp_number_uses u USING (phone)
  WHERE u.state <> 'returned' GROUP BY u.service_code, u.country_id, u.operator
), wanted AS (
  SELECT * FROM unnest($2::text[], $3::text[], $4::boolean[])
    AS w (service_code, family, known)
), held AS MATERIALIZED (
  SELECT n.phone, n.country_id, n.operator, $5::boolean OR NOT bool_and(l.senders_known) AS alone,
    array_agg(DISTINCT COALESCE(l.family, l.service_code)) AS families
  FROM (SELECT phone, family, service_code, senders_known FROM smpp_leases WHERE supplier_id = $1 AND state = 'ended' AND ending <> 'unsold' AND ended_at > $6::timestamptz - interval '1200000 milliseconds') l JOIN smpp_numbers n USING (phone) WHERE n.enabled AND n.rent_state = 'free' AND NOT EXISTS (SELECT FROM busy WHERE busy.phone = n.phone) GROUP BY n.phone
), closed AS (
  SELECT country_id, operator, count(*) AS to_unknown, count(*) FILTER (WHERE alone) AS to_all
  FROM held GROUP BY country_id, operator
), closed_family AS (
  SELECT family, country_id, operator, count(*) AS amount FROM held, unnest(families) AS family
  WHERE NOT alone GROUP BY family, country_id, operator
), both_ways AS (
  SELECT wanted.service_code, held.country_id, held.operator, count(*) AS amount FROM held CROSS JOIN wanted
  WHERE (NOT wanted.known OR held.alone OR wanted.family = ANY (held.families)) AND EXISTS (SELECT FROM smpp_number_uses u WHERE u.phone = held.phone
      AND u.state = 'spent' AND (wanted.service_code = 'full' OR u.service_code = wanted.service_code))
  GROUP BY wanted.service_code, held.country_id, held.operator
)
SELECT service_code AS "serviceCode", country_id AS "countryId", operator,
(totals.amount - COALESCE(away.amount, 0) - COALESCE(
    CASE WHEN service_code = 'full' THEN touched.amount
    ELSE spent.amount - COALESCE(spent_away.amount, 0) END, 0)
    - CASE WHEN known THEN COALESCE(closed.to_all, 0) + COALESCE(closed_family.amount, 0)
    ELSE COALESCE(closed.to_unknown, 0) END + COALESCE(both_ways.amount, 0))::integer AS stock
FROM totals CROSS JOIN wanted
LEFT JOIN away USING (country_id, operator) LEFT JOIN touched USING (country_id, operator)
LEFT JOIN spent USING (service_code, country_id, operator)
LEFT JOIN spent_away USING (service_code, country_id, operator)
LEFT JOIN both_ways USING (service_code, country_id, operator)
LEFT JOIN closed USING (country_id, operator)
LEFT JOIN closed_family USING (family, country_id, operator);

-- smpp-count-stock
-- server/adapters/shared/own-numbers/queries/stock.ts
-- $1 supplierId int4, $2 serviceCodes text[], $3 families text[], $4 sendersKnown bool[], $5 exclusive bool, $6 now timestamptz
-- returns: serviceCode text, countryId int4, operator text, stock int4
WITH numbers AS (
  SELECT country_id, operator, count(*) AS amount FROM smpp_numbers n
  WHERE supplier_id = $1 AND n.enabled AND n.rent_state = 'free' GROUP BY country_id, operator
), unavailable AS (
  SELECT service_code, country_id, operator, count(*) AS amount FROM smpp_number_uses
  WHERE supplier_id = $1 AND state <> 'returned' GROUP BY service_code, country_id, operator
), elsewhere AS (
  SELECT u.service_code, u.country_id, u.operator, count(*) AS amount
  FROM smpp_numbers n JOIN smpp_number_uses u USING (phone)
  WHERE n.supplier_id = $1 AND NOT (n.enabled AND n.rent_state = 'free') AND u.state <> 'returned'
  GROUP BY u.service_code, u.country_id, u.operator
), wanted AS (
  SELECT * FROM unnest($2::text[], $3::text[], $4::boolean[])
    AS w (service_code, family, known)
), held AS MATERIALIZED (
  SELECT n.phone, n.country_id, n.operator, $5::boolean OR NOT bool_and(l.senders_known) AS alone,
    array_agg(DISTINCT COALESCE(l.family, l.service_code)) AS families
  FROM (SELECT phone, family, service_code, senders_known FROM smpp_leases WHERE supplier_id = $1 AND state = 'leased' UNION ALL SELECT phone, family, service_code, senders_known FROM smpp_leases WHERE supplier_id = $1 AND state = 'ended' AND ending <> 'unsold' AND ended_at > $6::timestamptz - interval '1200000 milliseconds') l JOIN smpp_numbers n USING (phone) WHERE n.enabled AND n.rent_state = 'free' GROUP BY n.phone
), closed AS (
  SELECT country_id, operator, count(*) AS to_unknown, count(*) FILTER (WHERE alone) AS to_all
  FROM held GROUP BY country_id, operator
), closed_family AS (
  SELECT family, country_id, operator, count(*) AS amount FROM held, unnest(families) AS family
  WHERE NOT alone GROUP BY family, country_id, operator
), both_ways AS (
  SELECT u.service_code, u.country_id, u.operator, count(*) AS amount
  FROM held JOIN smpp_number_uses u USING (phone) JOIN wanted USING (service_code)
  WHERE u.state <> 'returned' AND (NOT wanted.known OR held.alone OR wanted.family = ANY (held.families)) GROUP BY u.service_code, u.country_id, u.operator
)
SELECT service_code AS "serviceCode", country_id AS "countryId", operator,
(numbers.amount - COALESCE(unavailable.amount, 0) + COALESCE(elsewhere.amount, 0)
    - CASE WHEN known THEN COALESCE(closed.to_all, 0) + COALESCE(closed_family.amount, 0)
    ELSE COALESCE(closed.to_unknown, 0) END + COALESCE(both_ways.amount, 0))::integer AS stock
FROM numbers CROSS JOIN wanted
LEFT JOIN unavailable USING (service_code, country_id, operator)
LEFT JOIN elsewhere USING (service_code, country_id, operator)
LEFT JOIN both_ways USING (service_code, country_id, operator)
LEFT JOIN closed USING (country_id, operator)
LEFT JOIN closed_family USING (family, country_id, operator);

-- sim-find-phone
-- server/adapters/shared/own-numbers/sims/queries.ts
-- $1 supplierId int4, $2 device text, $3 slot text
-- returns: phone text
SELECT phone FROM sims WHERE supplier_id = $1 AND device = $2 AND state <> 'retired'
  AND ($3::text IS NULL OR slot = $3) LIMIT 2;

-- sim-retire
-- server/adapters/shared/own-numbers/sims/queries.ts
-- $1 reason text, $2 now timestamptz, $3 phone text
-- returns: nothing
WITH retired AS (
  UPDATE sims SET state = 'retired', reason = $1, state_since = $2, rest_until = NULL
  WHERE phone = $3 AND state <> 'retired' RETURNING phone
)
UPDATE smpp_numbers n SET enabled = false FROM retired WHERE n.phone = retired.phone;

-- sims-turn
-- server/adapters/shared/own-numbers/sims/queries.ts
-- $1 services text[], $2 maxOfServices int4[], $3 supplierId int4, $4 soldSince timestamptz, $5 maxSales int4, $6 now timestamptz, $7 maxAgeDays int4, $8 restAfterSales int4, $9 limit int8, $10 restHours int4
-- returns: phone text, state text, reason text
WITH limits AS (
  SELECT * FROM unnest($1::text[], $2::integer[]) AS l (service_code, most)
), touched AS MATERIALIZED (
  SELECT phone FROM smpp_leases WHERE supplier_id = $3 AND state = 'ended' AND ending <> 'unsold'
    AND ended_at > $4::timestamptz
), asked AS MATERIALIZED (
  SELECT phone, supplier_id, added_at, state_since FROM sims WHERE supplier_id = $3 AND state <> 'retired'
    AND ($4::timestamptz IS NULL OR phone IN (SELECT phone FROM touched))
), sold AS (
  SELECT a.phone, l.* FROM asked a CROSS JOIN LATERAL (
    SELECT service_code, count(*) AS sales, count(*) FILTER (WHERE ended_at > a.state_since) AS since FROM smpp_leases
    WHERE phone = a.phone AND supplier_id = a.supplier_id AND state = 'ended' AND ending <> 'unsold'
      AND ending = 'finished' AND ended_at > a.added_at GROUP BY service_code) l
), sums AS (
  SELECT phone, sum(sales) AS sales, sum(since) AS since,
  (array_agg(service_code ORDER BY service_code) FILTER (WHERE sales >= most))[1] AS full_for
  FROM sold LEFT JOIN limits USING (service_code) GROUP BY phone
), judged AS (
  SELECT s.phone, s.state, s.state_since, s.rest_until, CASE
    WHEN sums.sales >= $5::integer THEN 'sold ' || sums.sales || ' times'
    WHEN sums.full_for IS NOT NULL THEN 'sold often enough for ' || sums.full_for
    WHEN s.added_at <= $6::timestamptz - make_interval(days => $7::integer) THEN 'older than ' || $7 || ' days'
    END AS retire,
    CASE WHEN s.state = 'in_use' AND sums.since >= $8::integer THEN 'sold ' || sums.since || ' times since its last rest'
    END AS rest
  FROM sims s LEFT JOIN sums USING (phone) WHERE s.supplier_id = $3 AND s.state <> 'retired'
), due AS (
  SELECT phone, state AS was, state_since AS was_since, COALESCE(retire, rest) AS reason,
    CASE WHEN retire IS NOT NULL THEN 'retired' WHEN rest IS NOT NULL THEN 'resting' ELSE 'in_use' END AS state
  FROM judged WHERE retire IS NOT NULL OR rest IS NOT NULL OR (state = 'resting' AND rest_until <= $6)
  LIMIT $9
), locked AS MATERIALIZED (
  SELECT phone FROM sims WHERE phone IN (SELECT phone FROM due) FOR UPDATE SKIP LOCKED
), turned AS (
  UPDATE sims s SET state = due.state, reason = due.reason, state_since = $6,
    rest_until = CASE due.state WHEN 'resting' THEN $6::timestamptz + make_interval(hours => $10::integer) END
  FROM due JOIN locked USING (phone) WHERE s.phone = due.phone AND (s.state, s.state_since) = (due.was, due.was_since)
  RETURNING s.phone, s.state, s.reason
), out AS (
  UPDATE smpp_numbers n SET enabled = false FROM turned t WHERE n.phone = t.phone AND t.state <> 'in_use'
), back AS (
  UPDATE smpp_numbers n SET enabled = true, position = DEFAULT FROM turned t WHERE n.phone = t.phone AND t.state = 'in_use'
)
SELECT phone, state, reason FROM turned;

-- sims-upsert
-- server/adapters/shared/own-numbers/sims/queries.ts
-- $1 supplierId int4, $2 now timestamptz, $3 phones text[], $4 devices text[], $5 slots text[]
-- returns: phone text
WITH written AS (
  INSERT INTO sims AS known (supplier_id, phone, device, slot, state_since, added_at)
  SELECT $1, g.phone, g.device, g.slot, $2, $2
  FROM unnest($3::text[], $4::text[], $5::text[]) AS g (phone, device, slot)
  JOIN smpp_numbers n ON n.phone = g.phone AND n.supplier_id = $1
  ON CONFLICT (phone) DO UPDATE SET supplier_id = $1, device = excluded.device, slot = excluded.slot,
    state = CASE known.state WHEN 'retired' THEN 'in_use' ELSE known.state END,
    reason = CASE known.state WHEN 'retired' THEN NULL ELSE known.reason END,
    state_since = CASE known.state WHEN 'retired' THEN $2 ELSE known.state_since END,
    added_at = CASE known.state WHEN 'retired' THEN $2 ELSE known.added_at END
  WHERE known.state = 'retired' OR (known.supplier_id, known.device, known.slot) <> ($1, excluded.device, excluded.slot)
  RETURNING phone, state
), enabled AS (
  UPDATE smpp_numbers n SET enabled = true, position = DEFAULT FROM written w
  WHERE n.phone = w.phone AND w.state = 'in_use' AND NOT n.enabled
)
SELECT phone FROM written;
