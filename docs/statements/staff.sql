-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/surfaces/staff/queries/answers.ts: staff-answers
-- server/surfaces/staff/queries/card.ts: staff-buyer, staff-card-numbers, staff-card-payments, staff-order-of-activation, staff-order-of-rental
-- server/surfaces/staff/queries/queue.ts: staff-waiting
-- server/surfaces/staff/queries/refunds.ts: staff-refunded-in
-- server/surfaces/staff/queries/tickets.ts: staff-ticket-find

-- staff-answers
-- server/surfaces/staff/queries/answers.ts
-- $1 limit int8
-- returns: id int4, title text, body_ru text, body_en text, changed_at timestamptz
SELECT id, title, body_ru, body_en, changed_at FROM support_answers ORDER BY lower(title) LIMIT $1;

-- staff-buyer
-- server/surfaces/staff/queries/card.ts
-- $1 userId int4
-- returns: id int4, name text, email text, locale text, blocked_at timestamptz, erased_at timestamptz, created_at timestamptz, currency text, available_micros int8, held_micros int8, debt_micros int8, tickets int8
SELECT u.id, u.name, u.email, u.locale, u.blocked_at, u.erased_at, u.created_at, a.currency, a.available_micros, a.held_micros,
  a.debt_micros, (SELECT count(*) FROM support_tickets t WHERE t.user_id = u.id) AS tickets
FROM users u JOIN accounts a ON a.user_id = u.id WHERE u.id = $1;

-- staff-card-numbers
-- server/surfaces/staff/queries/card.ts
-- $1 userId int4, $2 activationId int8, $3 limit int8, $4 rentalId int8
-- returns: kind text, id int8, service_code text, country_id int4, phone text, supplier text, state text, sms_count int4, created_at timestamptz, price_micros int8, due_micros int8, refunded bool
(SELECT 'activation' AS kind, o.id, o.service_code, o.country_id, o.phone, (SELECT s.code FROM suppliers s WHERE s.id = o.supplier_id) AS supplier, o.state, o.sms_count, o.created_at,
    o.price_micros, CASE WHEN o.money = 'captured' AND r.refunded_micros IS NULL THEN o.price_micros ELSE 0 END AS due_micros,
    r.refunded_micros IS NOT NULL AS refunded
  FROM activations o LEFT JOIN LATERAL (SELECT sum(amount_micros) AS refunded_micros FROM transfers t
    WHERE t.activation_id = o.id AND t.kind = 'refund') r ON true WHERE o.user_id = $1 AND o.id = $2) UNION (SELECT 'activation' AS kind, o.id, o.service_code, o.country_id, o.phone, (SELECT s.code FROM suppliers s WHERE s.id = o.supplier_id) AS supplier, o.state, o.sms_count, o.created_at,
        o.price_micros, CASE WHEN o.money = 'captured' AND r.refunded_micros IS NULL THEN o.price_micros ELSE 0 END AS due_micros,
        r.refunded_micros IS NOT NULL AS refunded
      FROM activations o LEFT JOIN LATERAL (SELECT sum(amount_micros) AS refunded_micros FROM transfers t
        WHERE t.activation_id = o.id AND t.kind = 'refund') r ON true WHERE o.user_id = $1 ORDER BY o.created_at DESC, o.id DESC LIMIT $3)
UNION (SELECT 'rental', o.id, o.service_code, o.country_id, o.phone, (SELECT s.code FROM suppliers s WHERE s.id = o.supplier_id) AS supplier, o.state, o.sms_count, o.created_at,
    c.price_micros, c.captured_micros - c.refunded_micros, c.refunded_micros > 0
  FROM rentals o JOIN LATERAL (SELECT COALESCE(sum(h.price_micros), 0)::bigint AS price_micros,
      COALESCE(sum(h.price_micros) FILTER (WHERE h.money = 'captured'), 0)::bigint AS captured_micros,
      COALESCE(sum(t.amount_micros), 0)::bigint AS refunded_micros
    FROM charges h LEFT JOIN transfers t ON t.charge_id = h.id AND t.kind = 'refund' WHERE h.rental_id = o.id) c ON true
  WHERE o.user_id = $1 AND o.id = $4) UNION (SELECT 'rental', o.id, o.service_code, o.country_id, o.phone, (SELECT s.code FROM suppliers s WHERE s.id = o.supplier_id) AS supplier, o.state, o.sms_count, o.created_at,
      c.price_micros, c.captured_micros - c.refunded_micros, c.refunded_micros > 0
    FROM rentals o JOIN LATERAL (SELECT COALESCE(sum(h.price_micros), 0)::bigint AS price_micros,
        COALESCE(sum(h.price_micros) FILTER (WHERE h.money = 'captured'), 0)::bigint AS captured_micros,
        COALESCE(sum(t.amount_micros), 0)::bigint AS refunded_micros
      FROM charges h LEFT JOIN transfers t ON t.charge_id = h.id AND t.kind = 'refund' WHERE h.rental_id = o.id) c ON true
    WHERE o.user_id = $1 ORDER BY o.created_at DESC, o.id DESC LIMIT $3) ORDER BY created_at DESC, id DESC;

-- staff-card-payments
-- server/surfaces/staff/queries/card.ts
-- $1 userId int4, $2 paymentId int8, $3 limit int8
-- returns: id int8, transaction_id text, gateway_id int4, system text, state text, amount_micros int8, created_at timestamptz
(SELECT p.id, p.transaction_id, p.gateway_id, p.system, p.state, p.amount_micros, p.created_at
  FROM payments p WHERE p.user_id = $1 AND p.id = $2) UNION (SELECT p.id, p.transaction_id, p.gateway_id, p.system, p.state, p.amount_micros, p.created_at
    FROM payments p WHERE p.user_id = $1 ORDER BY p.created_at DESC, p.id DESC LIMIT $3)
ORDER BY created_at DESC, id DESC;

-- staff-order-of-activation
-- server/surfaces/staff/queries/card.ts
-- $1 id int8, $2 userId int4
-- returns: rows without columns
SELECT FROM activations WHERE id = $1 AND user_id = $2;

-- staff-order-of-rental
-- server/surfaces/staff/queries/card.ts
-- $1 id int8, $2 userId int4
-- returns: rows without columns
SELECT FROM rentals WHERE id = $1 AND user_id = $2;

-- staff-waiting
-- server/surfaces/staff/queries/queue.ts
-- returns: waiting int8
SELECT count(*) AS waiting FROM (SELECT FROM support_tickets WHERE state = 'open' LIMIT 1000) counted;

-- staff-refunded-in
-- server/surfaces/staff/queries/refunds.ts
-- $1 ticketId int8
-- returns: micros int8
SELECT COALESCE(sum(amount_micros), 0)::bigint AS micros FROM support_refunds WHERE ticket_id = $1;

-- staff-ticket-find
-- server/surfaces/staff/queries/tickets.ts
-- $1 id int8
-- returns: id int8, user_id int4, name text, email text, category text, subject text, activation_id int8, rental_id int8, payment_id int8, state text, waits_since timestamptz, unread_staff int4, messages_count int4, taken_by int4, taker text, created_at timestamptz, changed_at timestamptz
SELECT t.id, t.user_id, u.name, u.email, t.category, t.subject, t.activation_id, t.rental_id, t.payment_id, t.state,
  t.waits_since, t.unread_staff, t.messages_count, t.taken_by, COALESCE(NULLIF(s.name, ''), s.email) AS taker,
  t.created_at, t.changed_at FROM support_tickets t JOIN users u ON u.id = t.user_id LEFT JOIN users s ON s.id = t.taken_by WHERE t.id = $1;
