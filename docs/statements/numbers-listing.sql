-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/numbers/listing/queries/folded.ts: activation-count-folded, rental-count-folded
-- server/core/numbers/listing/queries/messages.ts: activation-list-messages, rental-list-messages
-- server/core/numbers/listing/queries/pushed-message.ts: message-to-push
-- server/core/numbers/listing/queries/refunded.ts: activation-list-refunded, rental-list-refunded

-- activation-count-folded
-- server/core/numbers/listing/queries/folded.ts
-- $1 ids int8[]
-- returns: id int8, count int4
SELECT activation_id AS id, count(*)::integer AS count FROM messages
WHERE activation_id = ANY ($1::bigint[]) AND given = 'folded' GROUP BY 1;

-- rental-count-folded
-- server/core/numbers/listing/queries/folded.ts
-- $1 ids int8[]
-- returns: id int8, count int4
SELECT rental_id AS id, count(*)::integer AS count FROM messages
WHERE rental_id = ANY ($1::bigint[]) AND given = 'folded' GROUP BY 1;

-- activation-list-messages
-- server/core/numbers/listing/queries/messages.ts
-- $1 ids int8[], $2 perNumber int8, $3 bool
-- returns: id int8, owner_id int8, sender text, body text, code text, received_at timestamptz, late bool, withheld bool, notice bool
SELECT m.* FROM unnest($1::bigint[]) AS wanted (id) CROSS JOIN LATERAL (
  SELECT id, owner_id, CASE WHEN hidden THEN '' ELSE sender END AS sender, CASE WHEN NOT hidden THEN body END AS body,
    CASE WHEN NOT hidden THEN code END AS code, received_at, late, hidden AS withheld,
    opened OR hidden AND NOT late AS notice
  FROM (SELECT *, activation_id AS owner_id, given IS NOT DISTINCT FROM 'opened' AS opened, given IS NOT DISTINCT FROM 'late' AS late, (CASE WHEN m.given = 'late' THEN m.withheld
      WHEN m.given = ANY ('{notice,folded}'::text[]) THEN m.activation_id IS NOT NULL
      AND NOT EXISTS (SELECT FROM activations paid WHERE paid.id = m.activation_id AND paid.money = 'captured')
      ELSE false END) AS hidden FROM messages m
    WHERE activation_id = wanted.id AND given IS DISTINCT FROM 'folded'
      AND ($3 OR given IS DISTINCT FROM 'notice' OR NOT (CASE WHEN m.given = 'late' THEN m.withheld
          WHEN m.given = ANY ('{notice,folded}'::text[]) THEN m.activation_id IS NOT NULL
          AND NOT EXISTS (SELECT FROM activations paid WHERE paid.id = m.activation_id AND paid.money = 'captured')
          ELSE false END)) ORDER BY id DESC LIMIT $2) newest
) m ORDER BY m.id DESC;

-- rental-list-messages
-- server/core/numbers/listing/queries/messages.ts
-- $1 ids int8[], $2 perNumber int8, $3 bool
-- returns: id int8, owner_id int8, sender text, body text, code text, received_at timestamptz, late bool, withheld bool, notice bool
SELECT m.* FROM unnest($1::bigint[]) AS wanted (id) CROSS JOIN LATERAL (
  SELECT id, owner_id, CASE WHEN hidden THEN '' ELSE sender END AS sender, CASE WHEN NOT hidden THEN body END AS body,
    CASE WHEN NOT hidden THEN code END AS code, received_at, late, hidden AS withheld,
    opened OR hidden AND NOT late AS notice
  FROM (SELECT *, rental_id AS owner_id, given IS NOT DISTINCT FROM 'opened' AS opened, given IS NOT DISTINCT FROM 'late' AS late, (CASE WHEN m.given = 'late' THEN m.withheld
      WHEN m.given = ANY ('{notice,folded}'::text[]) THEN m.activation_id IS NOT NULL
      AND NOT EXISTS (SELECT FROM activations paid WHERE paid.id = m.activation_id AND paid.money = 'captured')
      ELSE false END) AS hidden FROM messages m
    WHERE rental_id = wanted.id AND given IS DISTINCT FROM 'folded'
      AND ($3 OR given IS DISTINCT FROM 'notice' OR NOT (CASE WHEN m.given = 'late' THEN m.withheld
          WHEN m.given = ANY ('{notice,folded}'::text[]) THEN m.activation_id IS NOT NULL
          AND NOT EXISTS (SELECT FROM activations paid WHERE paid.id = m.activation_id AND paid.money = 'captured')
          ELSE false END)) ORDER BY id DESC LIMIT $2) newest
) m ORDER BY m.id DESC;

-- message-to-push
-- server/core/numbers/listing/queries/pushed-message.ts
-- $1 messageId int8, $2 userId int4
-- returns: sender text, body text, code text, phone text, is_rental bool, service_code text, country_id int4
SELECT m.sender, m.body, m.code, m.phone, r.id IS NOT NULL AS is_rental,
  COALESCE(a.service_code, r.service_code) AS service_code, COALESCE(a.country_id, r.country_id) AS country_id
FROM messages m
LEFT JOIN activations a ON a.id = m.activation_id AND a.user_id = $2
LEFT JOIN rentals r ON r.id = m.rental_id AND r.user_id = $2
WHERE m.id = $1 AND num_nonnulls(a.id, r.id) = 1;

-- activation-list-refunded
-- server/core/numbers/listing/queries/refunded.ts
-- $1 ids int8[]
-- returns: id int8, micros int8
SELECT activation_id AS id, sum(amount_micros)::bigint AS micros FROM transfers
WHERE activation_id = ANY ($1) AND kind = 'refund' GROUP BY activation_id;

-- rental-list-refunded
-- server/core/numbers/listing/queries/refunded.ts
-- $1 ids int8[]
-- returns: id int8, micros int8
SELECT c.rental_id AS id, sum(t.amount_micros)::bigint AS micros
FROM charges c JOIN transfers t ON t.charge_id = c.id AND t.kind = 'refund'
WHERE c.rental_id = ANY ($1) GROUP BY c.rental_id;
