-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/numbers/history/entries/entry-queries.ts: entries-list
-- server/core/numbers/history/movement-queries.ts: movements-list, movements-scan-end, movements-stand, movements-up-to
-- server/core/numbers/history/queries.ts: history-find-made-at, history-list-activation, history-list-rent, history-span-end-activation, history-span-end-rent, history-totals-activation, history-totals-rent
-- server/core/numbers/history/statement/statement-queries.ts: statement-sums

-- entries-list
-- server/core/numbers/history/entries/entry-queries.ts
-- $1 balanceMicros int8, $2 userId int4, $3 afterId int8, $4 scanned int8, $5 topId int8, $6 beginsAt timestamptz, $7 endsAt timestamptz, $8 direction text, $9 limit int8
-- returns: entry_id int8, entry_balance_micros int8, currency text, rental_id int8, preorder_id int8, payment_id int8, activation_id int8, id int8, kind text, amount_micros int8, delta_micros int8, at timestamptz, purpose text, place int8, steps_count int8, net_micros int8, kind_micros int8, service_code text, country_id int4, transaction_id text, gateway_id int4, system text, state text, dispute text
WITH heads AS (
  SELECT k.id AS entry_id, k.balance_micros AS entry_balance_micros, k.currency, bound.* FROM (
    SELECT *, $1::bigint - COALESCE(sum(delta_micros)
        OVER (ORDER BY id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint AS balance_micros
    FROM (SELECT scanned.*, num_nonnulls(payment_id, c.rental_id, c.preorder_id) = 0 AS is_alone,
        row_number() OVER (PARTITION BY payment_id, c.rental_id, c.preorder_id ORDER BY scanned.id DESC) AS place
      FROM (SELECT *, CASE WHEN to_account = 'available' THEN amount_micros ELSE -amount_micros END AS delta_micros FROM transfers WHERE user_id = $2 AND id < $3 AND (from_account = 'available' OR to_account = 'available') ORDER BY id DESC LIMIT $4) scanned LEFT JOIN LATERAL
      (SELECT rental_id, preorder_id FROM charges WHERE id = charge_id OFFSET 0) c ON true OFFSET 0) placed
  ) k CROSS JOIN LATERAL (SELECT (SELECT rental_id FROM charges WHERE id = k.charge_id) AS rental_id,
      COALESCE((SELECT preorder_id FROM charges WHERE id = k.charge_id),
        (SELECT id FROM preorders WHERE activation_id = k.activation_id)) AS preorder_id OFFSET 0) came
  CROSS JOIN LATERAL (SELECT came.rental_id, came.preorder_id, k.payment_id,
      COALESCE(k.activation_id, (SELECT activation_id FROM preorders WHERE id = came.preorder_id)) AS activation_id OFFSET 0) bound
  CROSS JOIN LATERAL (SELECT max(id) FILTER (WHERE kind <> 'capture') AS newest_id, sum(CASE WHEN to_account = 'available' THEN amount_micros WHEN from_account = 'available' THEN -amount_micros ELSE 0 END) AS net_micros
    FROM (SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM transfers t WHERE t.activation_id = bound.activation_id AND t.kind = 'hold' UNION ALL SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM transfers t WHERE t.activation_id = bound.activation_id AND t.kind IN ('capture', 'release') UNION ALL SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM transfers t WHERE t.activation_id = bound.activation_id AND t.kind = 'refund' UNION ALL SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM (SELECT id FROM charges WHERE rental_id = bound.rental_id OFFSET 0) c
      CROSS JOIN LATERAL (SELECT * FROM transfers WHERE charge_id = c.id AND kind = 'hold' OFFSET 0) t UNION ALL SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM (SELECT id FROM charges WHERE rental_id = bound.rental_id OFFSET 0) c
      CROSS JOIN LATERAL (SELECT * FROM transfers WHERE charge_id = c.id AND kind IN ('capture', 'release') OFFSET 0) t UNION ALL SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM (SELECT id FROM charges WHERE rental_id = bound.rental_id OFFSET 0) c
      CROSS JOIN LATERAL (SELECT * FROM transfers WHERE charge_id = c.id AND kind = 'refund' OFFSET 0) t UNION ALL SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM (SELECT id FROM charges WHERE preorder_id = bound.preorder_id OFFSET 0) c
      CROSS JOIN LATERAL (SELECT * FROM transfers WHERE charge_id = c.id AND kind = 'hold' OFFSET 0) t UNION ALL SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM (SELECT id FROM charges WHERE preorder_id = bound.preorder_id OFFSET 0) c
      CROSS JOIN LATERAL (SELECT * FROM transfers WHERE charge_id = c.id AND kind IN ('capture', 'release') OFFSET 0) t UNION ALL SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM (SELECT id FROM charges WHERE preorder_id = bound.preorder_id OFFSET 0) c
      CROSS JOIN LATERAL (SELECT * FROM transfers WHERE charge_id = c.id AND kind = 'refund' OFFSET 0) t UNION ALL SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM transfers t WHERE t.payment_id = bound.payment_id) m WHERE id <= $5) whole
  WHERE ($6::timestamptz IS NULL OR k.at >= $6) AND ($7::timestamptz IS NULL OR k.at < $7)
    AND (k.is_alone OR k.place = 1) AND k.id = COALESCE(whole.newest_id, k.id)
    AND CASE $8::text WHEN 'in' THEN COALESCE(whole.net_micros, k.delta_micros) > 0
    WHEN 'out' THEN COALESCE(whole.net_micros, k.delta_micros) < 0 ELSE true END
  ORDER BY k.id DESC LIMIT $9
), steps AS (
  SELECT heads.*, m.id, m.kind, m.amount_micros, CASE WHEN to_account = 'available' THEN amount_micros WHEN from_account = 'available' THEN -amount_micros ELSE 0 END AS delta_micros, m.at,
    CASE WHEN m.activation_id IS NOT NULL THEN 'activation' ELSE (SELECT purpose FROM charges WHERE id = m.charge_id) END AS purpose
  FROM heads CROSS JOIN LATERAL (
    SELECT * FROM (SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM transfers t WHERE t.activation_id = heads.activation_id AND t.kind = 'hold' UNION ALL SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM transfers t WHERE t.activation_id = heads.activation_id AND t.kind IN ('capture', 'release') UNION ALL SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM transfers t WHERE t.activation_id = heads.activation_id AND t.kind = 'refund' UNION ALL SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM (SELECT id FROM charges WHERE rental_id = heads.rental_id OFFSET 0) c
      CROSS JOIN LATERAL (SELECT * FROM transfers WHERE charge_id = c.id AND kind = 'hold' OFFSET 0) t UNION ALL SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM (SELECT id FROM charges WHERE rental_id = heads.rental_id OFFSET 0) c
      CROSS JOIN LATERAL (SELECT * FROM transfers WHERE charge_id = c.id AND kind IN ('capture', 'release') OFFSET 0) t UNION ALL SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM (SELECT id FROM charges WHERE rental_id = heads.rental_id OFFSET 0) c
      CROSS JOIN LATERAL (SELECT * FROM transfers WHERE charge_id = c.id AND kind = 'refund' OFFSET 0) t UNION ALL SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM (SELECT id FROM charges WHERE preorder_id = heads.preorder_id OFFSET 0) c
      CROSS JOIN LATERAL (SELECT * FROM transfers WHERE charge_id = c.id AND kind = 'hold' OFFSET 0) t UNION ALL SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM (SELECT id FROM charges WHERE preorder_id = heads.preorder_id OFFSET 0) c
      CROSS JOIN LATERAL (SELECT * FROM transfers WHERE charge_id = c.id AND kind IN ('capture', 'release') OFFSET 0) t UNION ALL SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM (SELECT id FROM charges WHERE preorder_id = heads.preorder_id OFFSET 0) c
      CROSS JOIN LATERAL (SELECT * FROM transfers WHERE charge_id = c.id AND kind = 'refund' OFFSET 0) t UNION ALL SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM transfers t WHERE t.payment_id = heads.payment_id) joined WHERE id <= $5
    UNION ALL SELECT t.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at FROM transfers t WHERE t.id = heads.entry_id
      AND num_nonnulls(heads.activation_id, heads.rental_id, heads.preorder_id, heads.payment_id) = 0
  ) m
), counted AS (
  SELECT *, row_number() OVER (PARTITION BY entry_id ORDER BY id DESC) AS place,
    count(*) OVER (PARTITION BY entry_id) AS steps_count,
  (sum(delta_micros) OVER (PARTITION BY entry_id))::bigint AS net_micros,
    CASE WHEN id = min(id) OVER same THEN (sum(amount_micros) OVER same)::bigint END AS kind_micros
  FROM steps WINDOW same AS (PARTITION BY entry_id, kind, purpose = 'preorder')
)
SELECT counted.*, COALESCE(a.service_code, r.service_code, p.service_code) AS service_code,
  COALESCE(a.country_id, r.country_id, p.country_id) AS country_id, t.transaction_id, t.gateway_id, t.system, t.state, (SELECT r.state FROM reversals r WHERE r.payment_id = t.id AND r.kind = 'dispute'
    ORDER BY r.state = 'open' DESC, r.state = 'lost' DESC LIMIT 1) AS dispute
FROM counted LEFT JOIN activations a ON a.id = counted.activation_id LEFT JOIN rentals r ON r.id = counted.rental_id
LEFT JOIN preorders p ON p.id = counted.preorder_id LEFT JOIN payments t ON t.id = counted.payment_id
WHERE place <= 50 OR kind_micros IS NOT NULL
ORDER BY entry_id DESC, counted.id;

-- movements-list
-- server/core/numbers/history/movement-queries.ts
-- $1 balanceMicros int8, $2 userId int4, $3 afterId int8, $4 scanned int8, $5 beginsAt timestamptz, $6 endsAt timestamptz, $7 direction text, $8 limit int8
-- returns: id int8, kind text, delta_micros int8, balance_micros int8, currency text, at timestamptz, purpose text, subject_id int8, money text, service_code text, country_id int4, transaction_id text, gateway_id int4, system text
WITH page AS (
  SELECT * FROM (
    SELECT id, kind, delta_micros, currency, activation_id, charge_id, payment_id, at,
      $1::bigint - COALESCE(sum(delta_micros)
          OVER (ORDER BY id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint AS balance_micros
    FROM (SELECT *, CASE WHEN to_account = 'available' THEN amount_micros ELSE -amount_micros END AS delta_micros FROM transfers WHERE user_id = $2 AND id < $3 AND (from_account = 'available' OR to_account = 'available') ORDER BY id DESC LIMIT $4) scanned
  ) known
  WHERE ($5::timestamptz IS NULL OR at >= $5) AND ($6::timestamptz IS NULL OR at < $6)
    AND ($7::text IS NULL OR ($7 = 'in') = (delta_micros > 0))
  ORDER BY id DESC LIMIT $8
)
SELECT page.id, page.kind, page.delta_micros, page.balance_micros, page.currency, page.at,
  CASE WHEN page.activation_id IS NOT NULL THEN 'activation' ELSE c.purpose END AS purpose,
  COALESCE(page.activation_id, c.rental_id, c.preorder_id) AS subject_id, COALESCE(a.money, c.money) AS money,
  COALESCE(a.service_code, r.service_code, p.service_code) AS service_code,
  COALESCE(a.country_id, r.country_id, p.country_id) AS country_id,
  t.transaction_id, t.gateway_id, t.system
FROM page LEFT JOIN activations a ON a.id = page.activation_id LEFT JOIN charges c ON c.id = page.charge_id
LEFT JOIN rentals r ON r.id = c.rental_id LEFT JOIN preorders p ON p.id = c.preorder_id
LEFT JOIN payments t ON t.id = page.payment_id
ORDER BY page.id DESC;

-- movements-scan-end
-- server/core/numbers/history/movement-queries.ts
-- $1 balanceMicros int8, $2 userId int4, $3 afterId int8, $4 scanned int8
-- returns: count int8, id int8, balance_micros int8, at timestamptz
SELECT count(*) AS count, min(id) AS id, ($1::bigint - sum(CASE WHEN to_account = 'available' THEN amount_micros ELSE -amount_micros END))::bigint AS balance_micros,
  min(at) AS at
FROM (SELECT * FROM transfers WHERE user_id = $2 AND id < $3 AND (from_account = 'available' OR to_account = 'available') ORDER BY id DESC LIMIT $4) scanned;

-- movements-stand
-- server/core/numbers/history/movement-queries.ts
-- $1 userId int4, $2 newestId int8
-- returns: id int8, balance_micros int8
SELECT $2::bigint + 1 AS id, (available_micros - COALESCE((SELECT sum(CASE WHEN to_account = 'available' THEN amount_micros ELSE -amount_micros END) FROM transfers
  WHERE user_id = $1 AND id > $2 AND (from_account = 'available' OR to_account = 'available')), 0))::bigint AS balance_micros
FROM accounts WHERE user_id = $1;

-- movements-up-to
-- server/core/numbers/history/movement-queries.ts
-- $1 userId int4, $2 id int8
-- returns: id int8, at timestamptz
SELECT id, at FROM transfers WHERE user_id = $1 AND id <= $2 ORDER BY id DESC LIMIT 1;

-- history-find-made-at
-- server/core/numbers/history/queries.ts
-- $1 userId int4, $2 id int8
-- returns: created_at timestamptz
SELECT created_at FROM activations WHERE id = $2 AND user_id = $1
UNION ALL SELECT created_at FROM rentals WHERE id = $2 AND user_id = $1;

-- history-list-activation
-- server/core/numbers/history/queries.ts
-- $1 userId int4, $2 afterMicros int8, $3 afterId int8, $4 beginsAt timestamptz, $5 scanned int8, $6 serviceCodes text[], $7 countryIds int4[], $8 outcome text, $9 searches bool, $10 phonePart text, $11 foundServiceCodes text[], $12 foundCountryIds int4[], $13 foundId int8, $14 limit int8
-- returns: mode text, at_micros int8, id int8, state text, outcome text, money text, service_code text, country_id int4, operator text, supplier_id int4, phone text, price_micros int8, paid_micros int8, refunded_micros int8, currency text, hours int4, code text, sms_count int4, created_at timestamptz, ended_at timestamptz
SELECT 'activation' AS mode, (extract(epoch FROM created_at) * 1000000)::bigint AS at_micros, id, state, outcome, money, service_code, country_id, operator,
  supplier_id, phone, price_micros, CASE outcome WHEN 'returned' THEN 0 ELSE price_micros END AS paid_micros,
  CASE WHEN outcome = 'returned' AND money = 'captured' THEN price_micros ELSE 0 END AS refunded_micros, currency,
  NULL::integer AS hours, code, sms_count, created_at, ended_at
FROM (
  SELECT scanned.*, CASE WHEN money = 'released'
    OR id IN (SELECT activation_id FROM transfers WHERE user_id = $1 AND kind = 'refund'
        AND activation_id IS NOT NULL)
    THEN 'returned' WHEN state = 'finished' THEN 'received' ELSE 'active' END AS outcome
  FROM (SELECT * FROM activations WHERE user_id = $1
      AND (created_at, id) < ('epoch'::timestamptz + $2::bigint * interval '1 microsecond', $3)
      AND created_at >= COALESCE($4, '-infinity'::timestamptz)
    ORDER BY created_at DESC, id DESC LIMIT $5) scanned
) known WHERE state <> 'failed' AND ($6::text[] IS NULL OR service_code = ANY ($6))
  AND ($7::integer[] IS NULL OR country_id = ANY ($7))
  AND ($8::text IS NULL OR outcome = $8)
  AND (NOT $9 OR phone LIKE '%' || $10 || '%' OR service_code = ANY ($11)
      OR country_id = ANY ($12) OR id = $13)
ORDER BY created_at DESC, id DESC LIMIT $14;

-- history-list-rent
-- server/core/numbers/history/queries.ts
-- $1 userId int4, $2 afterMicros int8, $3 afterId int8, $4 beginsAt timestamptz, $5 scanned int8, $6 serviceCodes text[], $7 countryIds int4[], $8 outcome text, $9 searches bool, $10 phonePart text, $11 foundServiceCodes text[], $12 foundCountryIds int4[], $13 foundId int8, $14 limit int8
-- returns: mode text, at_micros int8, id int8, state text, outcome text, money text, service_code text, country_id int4, operator text, supplier_id int4, phone text, price_micros int8, paid_micros int8, refunded_micros int8, currency text, hours int4, code text, sms_count int4, created_at timestamptz, ended_at timestamptz
SELECT 'rent' AS mode, at_micros, page.id, state, outcome, paid.money, service_code, country_id, operator,
  supplier_id, phone, paid.price_micros, paid.paid_micros, paid.refunded_micros, paid.currency, hours, code, sms_count, created_at, ended_at
FROM (
  SELECT known.*, (extract(epoch FROM created_at) * 1000000)::bigint AS at_micros FROM (
    SELECT scanned.*, CASE WHEN state IN ('cancelled', 'revoked', 'failed') OR id IN (
      SELECT c.rental_id FROM transfers t JOIN charges c ON c.id = t.charge_id
      WHERE t.user_id = $1 AND t.kind = 'refund' AND c.purpose = 'rental')
      THEN 'returned' WHEN state IN ('finished', 'expired') THEN 'received' ELSE 'active' END AS outcome
    FROM (SELECT * FROM rentals WHERE user_id = $1
        AND (created_at, id) < ('epoch'::timestamptz + $2::bigint * interval '1 microsecond', $3)
        AND created_at >= COALESCE($4, '-infinity'::timestamptz)
      ORDER BY created_at DESC, id DESC LIMIT $5) scanned
  ) known WHERE state <> 'failed' AND ($6::text[] IS NULL OR service_code = ANY ($6))
    AND ($7::integer[] IS NULL OR country_id = ANY ($7))
    AND ($8::text IS NULL OR outcome = $8)
    AND (NOT $9 OR phone LIKE '%' || $10 || '%' OR service_code = ANY ($11)
        OR country_id = ANY ($12) OR id = $13)
  ORDER BY created_at DESC, id DESC LIMIT $14
) page CROSS JOIN LATERAL (
  SELECT sum(c.price_micros)::bigint AS price_micros, min(c.currency) AS currency,
    min(c.money) FILTER (WHERE c.purpose = 'rental') AS money,
    COALESCE(sum(c.price_micros) FILTER (WHERE c.money <> 'released' AND t.id IS NULL), 0)::bigint AS paid_micros,
    COALESCE(sum(t.amount_micros), 0)::bigint AS refunded_micros
  FROM charges c LEFT JOIN transfers t ON t.charge_id = c.id AND t.kind = 'refund'
  WHERE c.rental_id = page.id AND (c.purpose = 'rental' OR c.money <> 'released')
) paid ORDER BY created_at DESC, page.id DESC;

-- history-span-end-activation
-- server/core/numbers/history/queries.ts
-- $1 userId int4, $2 afterMicros int8, $3 afterId int8, $4 beginsAt timestamptz, $5 offset int8
-- returns: id int8, at_micros int8
SELECT id, (extract(epoch FROM created_at) * 1000000)::bigint AS at_micros FROM activations WHERE user_id = $1
  AND (created_at, id) < ('epoch'::timestamptz + $2::bigint * interval '1 microsecond', $3)
  AND created_at >= COALESCE($4, '-infinity'::timestamptz)
ORDER BY created_at DESC, id DESC OFFSET $5 LIMIT 1;

-- history-span-end-rent
-- server/core/numbers/history/queries.ts
-- $1 userId int4, $2 afterMicros int8, $3 afterId int8, $4 beginsAt timestamptz, $5 offset int8
-- returns: id int8, at_micros int8
SELECT id, (extract(epoch FROM created_at) * 1000000)::bigint AS at_micros FROM rentals WHERE user_id = $1
  AND (created_at, id) < ('epoch'::timestamptz + $2::bigint * interval '1 microsecond', $3)
  AND created_at >= COALESCE($4, '-infinity'::timestamptz)
ORDER BY created_at DESC, id DESC OFFSET $5 LIMIT 1;

-- history-totals-activation
-- server/core/numbers/history/queries.ts
-- $1 userId int4, $2 afterMicros int8, $3 afterId int8, $4 beginsAt timestamptz, $5 scanned int8, $6 serviceCodes text[], $7 countryIds int4[], $8 outcome text, $9 searches bool, $10 phonePart text, $11 foundServiceCodes text[], $12 foundCountryIds int4[], $13 foundId int8, $14 limit int8
-- returns: purchases int8, spent_micros int8, set_aside_micros int8, returned_micros int8, codes int8, ended int8
SELECT count(*) AS purchases,
  COALESCE(sum(paid_micros) FILTER (WHERE money <> 'held'), 0)::bigint AS spent_micros,
  COALESCE(sum(paid_micros) FILTER (WHERE money = 'held'), 0)::bigint AS set_aside_micros,
  COALESCE(sum(price_micros - paid_micros), 0)::bigint AS returned_micros,
  count(*) FILTER (WHERE mode = 'activation' AND money = 'captured') AS codes,
  count(*) FILTER (WHERE mode = 'activation' AND money <> 'held') AS ended
FROM (SELECT 'activation' AS mode, (extract(epoch FROM created_at) * 1000000)::bigint AS at_micros, id, state, outcome, money, service_code, country_id, operator,
    supplier_id, phone, price_micros, CASE outcome WHEN 'returned' THEN 0 ELSE price_micros END AS paid_micros,
    CASE WHEN outcome = 'returned' AND money = 'captured' THEN price_micros ELSE 0 END AS refunded_micros, currency,
    NULL::integer AS hours, code, sms_count, created_at, ended_at
  FROM (
    SELECT scanned.*, CASE WHEN money = 'released'
      OR id IN (SELECT activation_id FROM transfers WHERE user_id = $1 AND kind = 'refund'
          AND activation_id IS NOT NULL)
      THEN 'returned' WHEN state = 'finished' THEN 'received' ELSE 'active' END AS outcome
    FROM (SELECT * FROM activations WHERE user_id = $1
        AND (created_at, id) < ('epoch'::timestamptz + $2::bigint * interval '1 microsecond', $3)
        AND created_at >= COALESCE($4, '-infinity'::timestamptz)
      ORDER BY created_at DESC, id DESC LIMIT $5) scanned
  ) known WHERE state <> 'failed' AND ($6::text[] IS NULL OR service_code = ANY ($6))
    AND ($7::integer[] IS NULL OR country_id = ANY ($7))
    AND ($8::text IS NULL OR outcome = $8)
    AND (NOT $9 OR phone LIKE '%' || $10 || '%' OR service_code = ANY ($11)
        OR country_id = ANY ($12) OR id = $13)
  ORDER BY created_at DESC, id DESC LIMIT $14) past;

-- history-totals-rent
-- server/core/numbers/history/queries.ts
-- $1 userId int4, $2 afterMicros int8, $3 afterId int8, $4 beginsAt timestamptz, $5 scanned int8, $6 serviceCodes text[], $7 countryIds int4[], $8 outcome text, $9 searches bool, $10 phonePart text, $11 foundServiceCodes text[], $12 foundCountryIds int4[], $13 foundId int8, $14 limit int8
-- returns: purchases int8, spent_micros int8, set_aside_micros int8, returned_micros int8, codes int8, ended int8
SELECT count(*) AS purchases,
  COALESCE(sum(paid_micros) FILTER (WHERE money <> 'held'), 0)::bigint AS spent_micros,
  COALESCE(sum(paid_micros) FILTER (WHERE money = 'held'), 0)::bigint AS set_aside_micros,
  COALESCE(sum(price_micros - paid_micros), 0)::bigint AS returned_micros,
  count(*) FILTER (WHERE mode = 'activation' AND money = 'captured') AS codes,
  count(*) FILTER (WHERE mode = 'activation' AND money <> 'held') AS ended
FROM (SELECT 'rent' AS mode, at_micros, page.id, state, outcome, paid.money, service_code, country_id, operator,
    supplier_id, phone, paid.price_micros, paid.paid_micros, paid.refunded_micros, paid.currency, hours, code, sms_count, created_at, ended_at
  FROM (
    SELECT known.*, (extract(epoch FROM created_at) * 1000000)::bigint AS at_micros FROM (
      SELECT scanned.*, CASE WHEN state IN ('cancelled', 'revoked', 'failed') OR id IN (
        SELECT c.rental_id FROM transfers t JOIN charges c ON c.id = t.charge_id
        WHERE t.user_id = $1 AND t.kind = 'refund' AND c.purpose = 'rental')
        THEN 'returned' WHEN state IN ('finished', 'expired') THEN 'received' ELSE 'active' END AS outcome
      FROM (SELECT * FROM rentals WHERE user_id = $1
          AND (created_at, id) < ('epoch'::timestamptz + $2::bigint * interval '1 microsecond', $3)
          AND created_at >= COALESCE($4, '-infinity'::timestamptz)
        ORDER BY created_at DESC, id DESC LIMIT $5) scanned
    ) known WHERE state <> 'failed' AND ($6::text[] IS NULL OR service_code = ANY ($6))
      AND ($7::integer[] IS NULL OR country_id = ANY ($7))
      AND ($8::text IS NULL OR outcome = $8)
      AND (NOT $9 OR phone LIKE '%' || $10 || '%' OR service_code = ANY ($11)
          OR country_id = ANY ($12) OR id = $13)
    ORDER BY created_at DESC, id DESC LIMIT $14
  ) page CROSS JOIN LATERAL (
    SELECT sum(c.price_micros)::bigint AS price_micros, min(c.currency) AS currency,
      min(c.money) FILTER (WHERE c.purpose = 'rental') AS money,
      COALESCE(sum(c.price_micros) FILTER (WHERE c.money <> 'released' AND t.id IS NULL), 0)::bigint AS paid_micros,
      COALESCE(sum(t.amount_micros), 0)::bigint AS refunded_micros
    FROM charges c LEFT JOIN transfers t ON t.charge_id = c.id AND t.kind = 'refund'
    WHERE c.rental_id = page.id AND (c.purpose = 'rental' OR c.money <> 'released')
  ) paid ORDER BY created_at DESC, page.id DESC) past;

-- statement-sums
-- server/core/numbers/history/statement/statement-queries.ts
-- $1 endsAt timestamptz, $2 afterId int8, $3 beginsAt timestamptz, $4 userId int4
-- returns: currency text, available_now int8, held_now int8, debt_now int8, kind text, is_after bool, count int8, amount_micros int8, available_delta int8, held_delta int8, debt_delta int8
SELECT a.currency, a.available_micros AS available_now, a.held_micros AS held_now, a.debt_micros AS debt_now,
  moved.*
FROM accounts a LEFT JOIN LATERAL (
  SELECT kind, COALESCE(at >= $1::timestamptz, false) AS is_after, count(*) AS count, sum(amount_micros)::bigint AS amount_micros,
    sum(CASE kind WHEN 'release' THEN amount_micros WHEN 'refund' THEN amount_micros WHEN 'credit' THEN amount_micros WHEN 'topup' THEN amount_micros WHEN 'fee_back' THEN amount_micros WHEN 'bonus' THEN amount_micros WHEN 'voucher' THEN amount_micros WHEN 'rounding' THEN amount_micros WHEN 'payment_refund_failed' THEN amount_micros WHEN 'dispute_won' THEN amount_micros WHEN 'debt' THEN amount_micros WHEN 'referral_withdrawal' THEN amount_micros WHEN 'loyalty' THEN amount_micros WHEN 'channel_reward' THEN amount_micros WHEN 'sandbox_credit' THEN amount_micros WHEN 'hold' THEN -amount_micros WHEN 'debit' THEN -amount_micros WHEN 'fee' THEN -amount_micros WHEN 'payment_refund' THEN -amount_micros WHEN 'dispute' THEN -amount_micros WHEN 'bonus_back' THEN -amount_micros WHEN 'repayment' THEN -amount_micros WHEN 'referral_recall' THEN -amount_micros WHEN 'forfeit' THEN -amount_micros WHEN 'loyalty_back' THEN -amount_micros ELSE 0 END)::bigint AS available_delta, sum(CASE kind WHEN 'hold' THEN amount_micros WHEN 'capture' THEN -amount_micros WHEN 'release' THEN -amount_micros ELSE 0 END)::bigint AS held_delta,
    sum(CASE kind WHEN 'repayment' THEN amount_micros WHEN 'debt' THEN -amount_micros ELSE 0 END)::bigint AS debt_delta
  FROM transfers WHERE user_id = a.user_id AND id > $2 AND ($3::timestamptz IS NULL OR at >= $3) GROUP BY kind, is_after
) moved ON true
WHERE a.user_id = $4 ORDER BY moved.kind;
