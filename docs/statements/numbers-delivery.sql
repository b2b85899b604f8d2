-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/numbers/delivery/queries/claims.ts: message-find-referenced, message-find-referenced-rental, message-list-claims
-- server/core/numbers/delivery/queries/held.ts: message-list-held-phones
-- server/core/numbers/delivery/queries/store.ts: message-find-same, message-find-stored, message-find-stored-words, message-is-flooded-activation, message-is-flooded-rental, message-is-reused, message-keep-late, message-store-aside
-- server/core/numbers/delivery/queries/unmatched.ts: message-list-left-unmatched, message-list-unmatched

-- message-find-referenced
-- server/core/numbers/delivery/queries/claims.ts
-- $1 id int8, $2 attempt int4, $3 phone text, $4 supplierId int4
-- returns: kind text, id int8, user_id int4, service_code text, is_waiting bool, is_paid bool, again_asked_at timestamptz, ended_at timestamptz
SELECT 'activation' AS kind, id, user_id, service_code, state IN ('waiting', 'waiting_again') AS is_waiting,
  money = 'captured' AS is_paid, again_asked_at, ended_at FROM activations
WHERE id = $1 AND attempt = $2 AND phone = $3 AND supplier_id = $4 AND state NOT IN ('reserving', 'failed');

-- message-find-referenced-rental
-- server/core/numbers/delivery/queries/claims.ts
-- $1 id int8, $2 attempt int4, $3 phone text, $4 supplierId int4
-- returns: kind text, id int8, user_id int4, service_code text, is_waiting bool, is_paid bool, again_asked_at timestamptz, ended_at timestamptz
SELECT 'rental' AS kind, id, user_id, service_code, state = 'active' AS is_waiting, true AS is_paid, NULL::timestamptz AS again_asked_at,
  ended_at FROM rentals
WHERE id = $1 AND attempt = $2 AND phone = $3 AND supplier_id = $4 AND state NOT IN ('reserving', 'failed');

-- message-list-claims
-- server/core/numbers/delivery/queries/claims.ts
-- $1 phone text, $2 supplierId int4, $3 at timestamptz, $4 endedSince timestamptz
-- returns: kind text, id int8, user_id int4, service_code text, is_waiting bool, is_paid bool, again_asked_at timestamptz, ended_at timestamptz
(SELECT 'activation' AS kind, id, user_id, service_code, state IN ('waiting', 'waiting_again') AS is_waiting,
    money = 'captured' AS is_paid, again_asked_at, ended_at FROM activations
  WHERE phone = $1 AND supplier_id = $2 AND created_at <= $3 AND state IN ('waiting', 'received', 'waiting_again') LIMIT 50)
UNION ALL (SELECT 'activation' AS kind, id, user_id, service_code, state IN ('waiting', 'waiting_again') AS is_waiting,
    money = 'captured' AS is_paid, again_asked_at, ended_at FROM activations
  WHERE phone = $1 AND supplier_id = $2 AND created_at <= $3 AND ended_at > $4 ORDER BY ended_at DESC LIMIT 50)
UNION ALL (SELECT 'rental' AS kind, id, user_id, service_code, state = 'active' AS is_waiting, true AS is_paid, NULL::timestamptz AS again_asked_at,
    ended_at FROM rentals WHERE phone = $1 AND supplier_id = $2 AND created_at <= $3 AND state = 'active' LIMIT 50)
UNION ALL (SELECT 'rental' AS kind, id, user_id, service_code, state = 'active' AS is_waiting, true AS is_paid, NULL::timestamptz AS again_asked_at,
    ended_at FROM rentals
  WHERE phone = $1 AND supplier_id = $2 AND created_at <= $3 AND ended_at > $4 ORDER BY ended_at DESC LIMIT 50);

-- message-list-held-phones
-- server/core/numbers/delivery/queries/held.ts
-- $1 limit int8
-- returns: phone text
(SELECT phone FROM activations WHERE state IN ('waiting', 'received', 'waiting_again') AND phone IS NOT NULL AND supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox) LIMIT $1)
UNION (SELECT phone FROM rentals WHERE state = 'active' AND phone IS NOT NULL AND supplier_id IS DISTINCT FROM (SELECT id FROM suppliers WHERE sandbox) LIMIT $1);

-- message-find-same
-- server/core/numbers/delivery/queries/store.ts
-- $1 phone text, $2 since timestamptz, $3 spanFrom timestamptz, $4 supplierId int4, $5 sender text, $6 text text, $7 spanTo timestamptz
-- returns: received_at timestamptz
SELECT received_at FROM messages
WHERE phone = $1 AND received_at > LEAST($2, $3::timestamptz) AND supplier_id = $4 AND sender = $5 AND body = $6 AND (received_at > $2 OR (received_at > $3 AND received_at <= $7))
ORDER BY received_at DESC LIMIT 1;

-- message-find-stored
-- server/core/numbers/delivery/queries/store.ts
-- $1 supplierId int4, $2 messageId text
-- returns: id int8
SELECT id FROM messages WHERE supplier_id = $1 AND supplier_message_id = $2;

-- message-find-stored-words
-- server/core/numbers/delivery/queries/store.ts
-- $1 phone text, $2 supplierId int4, $3 sender text, $4 text text
-- returns: id int8
SELECT id FROM messages WHERE phone = $1 AND received_at > '-infinity'::timestamptz AND supplier_id = $2 AND sender = $3 AND body = $4 ORDER BY received_at DESC LIMIT 1;

-- message-is-flooded-activation
-- server/core/numbers/delivery/queries/store.ts
-- $1 most int8, $2 since timestamptz, $3 id int8
-- returns: flooded bool
SELECT count(*) = $1 AND min(received_at) > $2 AS flooded FROM (SELECT received_at FROM messages
  WHERE activation_id = $3 AND code IS NULL ORDER BY id DESC LIMIT $1) newest;

-- message-is-flooded-rental
-- server/core/numbers/delivery/queries/store.ts
-- $1 most int8, $2 since timestamptz, $3 id int8
-- returns: flooded bool
SELECT count(*) = $1 AND min(received_at) > $2 AS flooded FROM (SELECT received_at FROM messages
  WHERE rental_id = $3 AND code IS NULL ORDER BY id DESC LIMIT $1) newest;

-- message-is-reused
-- server/core/numbers/delivery/queries/store.ts
-- $1 phone text, $2 sender text, $3 text text, $4 supplierId int4, $5 messageId text
-- returns: reused bool
SELECT body IS NOT NULL AND (phone, sender, body) IS DISTINCT FROM ($1::text, $2::text, $3::text) AS reused
FROM messages WHERE supplier_id = $4 AND supplier_message_id = $5;

-- message-keep-late
-- server/core/numbers/delivery/queries/store.ts
-- $1 id int8, $2 from text[], $3 code text, $4 activationId int8, $5 rentalId int8
-- returns: nothing
WITH taken AS (SELECT id FROM messages WHERE id = $1 AND given = ANY ($2::text[]) FOR UPDATE)
UPDATE messages SET given = 'late', code = $3, activation_id = $4, rental_id = $5,
  withheld = (EXISTS (SELECT FROM activations a WHERE a.id = $4::bigint AND (a.money = 'released'
      OR EXISTS (SELECT FROM transfers t WHERE t.activation_id = a.id AND t.kind = 'refund')))
      OR $5::bigint IS NOT NULL AND NOT EXISTS (SELECT FROM charges c WHERE c.rental_id = $5::bigint
          AND c.money = 'captured' AND NOT EXISTS (SELECT FROM transfers t WHERE t.charge_id = c.id AND t.kind = 'refund')))
FROM taken WHERE messages.id = taken.id;

-- message-store-aside
-- server/core/numbers/delivery/queries/store.ts
-- $1 supplierId int4, $2 phone text, $3 sender text, $4 text text, $5 messageId text, $6 receivedAt timestamptz, $7 namedBy text, $8 namedServices text[], $9 namedFamily text, $10 namingVersion int2, $11 reference text, $12 code text, $13 given text, $14 activationId int8, $15 rentalId int8
-- returns: id int8
INSERT INTO messages (supplier_id, phone, sender, body, supplier_message_id, received_at, named_by, named_services,
    named_family, naming_version, reference, code, given, activation_id, rental_id, withheld)
SELECT $1::integer, $2::text, $3::text, $4::text, $5::text, $6::timestamptz, $7::text, $8::text[], $9::text, $10::smallint,
  $11::text, $12, $13::text, $14::bigint, $15::bigint, $13::text = 'late' AND (EXISTS (SELECT FROM activations a WHERE a.id = $14::bigint AND (a.money = 'released'
      OR EXISTS (SELECT FROM transfers t WHERE t.activation_id = a.id AND t.kind = 'refund')))
      OR $15::bigint IS NOT NULL AND NOT EXISTS (SELECT FROM charges c WHERE c.rental_id = $15::bigint
          AND c.money = 'captured' AND NOT EXISTS (SELECT FROM transfers t WHERE t.charge_id = c.id AND t.kind = 'refund')))
FROM (VALUES (0)) one (row) RETURNING id;

-- message-list-left-unmatched
-- server/core/numbers/delivery/queries/unmatched.ts
-- $1 since timestamptz, $2 now timestamptz, $3 scanned int8, $4 limit int8
-- returns: supplier_id int4, id int8, phone text, sender text, body text, received_at timestamptz, named_by text, named_services text[], named_family text, reference text, code text, given text
SELECT supplier_id, id, phone, sender, body, received_at, named_by, named_services, named_family, reference, code, given FROM (
  SELECT * FROM messages WHERE given = 'unmatched' AND received_at BETWEEN $1 AND $2 ORDER BY received_at DESC LIMIT $3
) m WHERE EXISTS (SELECT FROM activations o
  WHERE o.phone = m.phone AND o.state IN ('waiting', 'received', 'waiting_again') AND o.supplier_id = m.supplier_id AND o.created_at <= m.received_at)
  OR EXISTS (SELECT FROM rentals o
    WHERE o.phone = m.phone AND o.state IN ('active') AND o.supplier_id = m.supplier_id AND o.created_at <= m.received_at)
ORDER BY received_at, id LIMIT $4;

-- message-list-unmatched
-- server/core/numbers/delivery/queries/unmatched.ts
-- $1 phone text, $2 since timestamptz, $3 now timestamptz, $4 supplierId int4, $5 limit int8
-- returns: supplier_id int4, id int8, phone text, sender text, body text, received_at timestamptz, named_by text, named_services text[], named_family text, reference text, code text, given text
SELECT supplier_id, id, phone, sender, body, received_at, named_by, named_services, named_family, reference, code, given FROM messages
WHERE phone = $1 AND received_at BETWEEN $2 AND $3 AND supplier_id = $4 AND given = 'unmatched' ORDER BY received_at, id LIMIT $5;
