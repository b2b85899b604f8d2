-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/support/queries/about.ts: support-about-activation-bigint, support-about-payment-string, support-about-rental-bigint, support-subjects
-- server/core/support/queries/files.ts: support-file-insert, support-file-of-member, support-files-of
-- server/core/support/queries/first-answers.ts: support-first-answers
-- server/core/support/queries/mails.ts: support-asker, support-lock-unread, support-queue-look, support-set-mailed
-- server/core/support/queries/messages.ts: support-files-attach, support-message-by-key, support-message-insert, support-messages-list, support-ticket-answered, support-ticket-asked
-- server/core/support/queries/refunds.ts: support-ticket-refunds
-- server/core/support/queries/staff-members.ts: staff-actors, staff-is, staff-is-erased, staff-list, staff-writer
-- server/core/support/queries/staff-messages.ts: staff-answerer, staff-file-find, staff-message-find, staff-messages-list
-- server/core/support/queries/tickets.ts: support-lock-member, support-ticket-by-key, support-ticket-close, support-ticket-count-open, support-ticket-find, support-ticket-insert, support-ticket-lock, support-ticket-read, support-tickets-list

-- support-about-activation-bigint
-- server/core/support/queries/about.ts
-- $1 userId int4, $2 id int8
-- returns: kind text, row_id int8, service_code text, country_id int4, phone text, state text, created_at timestamptz, amount_micros int8, currency text, transaction_id text, system text, refunded_micros int8
SELECT 'activation' AS kind, x.id AS row_id, x.service_code, x.country_id, x.phone, x.state, x.created_at, x.price_micros AS amount_micros, x.currency,
  NULL AS transaction_id, NULL AS system, (SELECT sum(amount_micros)::bigint FROM transfers t
    WHERE t.activation_id = x.id AND t.kind = 'refund') AS refunded_micros FROM activations x WHERE x.user_id = $1 AND x.id = $2;

-- support-about-payment-string
-- server/core/support/queries/about.ts
-- $1 userId int4, $2 id text
-- returns: kind text, row_id int8, service_code text, country_id int4, phone text, state text, created_at timestamptz, amount_micros int8, currency text, transaction_id text, system text, refunded_micros int8
SELECT 'payment' AS kind, x.id AS row_id, NULL AS service_code, NULL::integer AS country_id, NULL AS phone, x.state,
  x.created_at, x.amount_micros, x.currency, x.transaction_id, x.system, NULL::bigint AS refunded_micros FROM payments x WHERE x.user_id = $1 AND x.transaction_id = $2;

-- support-about-rental-bigint
-- server/core/support/queries/about.ts
-- $1 userId int4, $2 id int8
-- returns: kind text, row_id int8, service_code text, country_id int4, phone text, state text, created_at timestamptz, amount_micros int8, currency text, transaction_id text, system text, refunded_micros int8
SELECT 'rental' AS kind, x.id AS row_id, x.service_code, x.country_id, x.phone, x.state, x.created_at, (SELECT sum(price_micros)::bigint FROM charges c
  WHERE c.rental_id = x.id AND (c.purpose = 'rental' OR c.money = 'captured')) AS amount_micros,
(SELECT currency FROM accounts a WHERE a.user_id = x.user_id) AS currency,
  NULL AS transaction_id, NULL AS system, (SELECT sum(t.amount_micros)::bigint FROM charges c
    JOIN transfers t ON t.charge_id = c.id AND t.kind = 'refund' WHERE c.rental_id = x.id) AS refunded_micros FROM rentals x WHERE x.user_id = $1 AND x.id = $2;

-- support-subjects
-- server/core/support/queries/about.ts
-- $1 userId int4, $2 ofKind int8
-- returns: kind text, row_id int8, service_code text, country_id int4, phone text, state text, created_at timestamptz, amount_micros int8, currency text, transaction_id text, system text, refunded_micros int8
(SELECT 'activation' AS kind, x.id AS row_id, x.service_code, x.country_id, x.phone, x.state, x.created_at, x.price_micros AS amount_micros, x.currency,
    NULL AS transaction_id, NULL AS system, (SELECT sum(amount_micros)::bigint FROM transfers t
      WHERE t.activation_id = x.id AND t.kind = 'refund') AS refunded_micros FROM activations x WHERE x.user_id = $1 AND x.phone IS NOT NULL ORDER BY x.created_at DESC, x.id DESC LIMIT $2) UNION ALL (SELECT 'rental' AS kind, x.id AS row_id, x.service_code, x.country_id, x.phone, x.state, x.created_at, (SELECT sum(price_micros)::bigint FROM charges c
        WHERE c.rental_id = x.id AND (c.purpose = 'rental' OR c.money = 'captured')) AS amount_micros,
        (SELECT currency FROM accounts a WHERE a.user_id = x.user_id) AS currency,
          NULL AS transaction_id, NULL AS system, (SELECT sum(t.amount_micros)::bigint FROM charges c
            JOIN transfers t ON t.charge_id = c.id AND t.kind = 'refund' WHERE c.rental_id = x.id) AS refunded_micros FROM rentals x WHERE x.user_id = $1 AND x.phone IS NOT NULL ORDER BY x.created_at DESC, x.id DESC LIMIT $2) UNION ALL (SELECT 'payment' AS kind, x.id AS row_id, NULL AS service_code, NULL::integer AS country_id, NULL AS phone, x.state,
                x.created_at, x.amount_micros, x.currency, x.transaction_id, x.system, NULL::bigint AS refunded_micros FROM payments x WHERE x.user_id = $1  ORDER BY x.created_at DESC, x.id DESC LIMIT $2) ORDER BY created_at DESC;

-- support-file-insert
-- server/core/support/queries/files.ts
-- $1 userId int4, $2 name text, $3 type text, $4 width int4, $5 height int4, $6 content bytea, $7 bytes int4, $8 receivedBytes int4, $9 now timestamptz, $10 since timestamptz, $11 dayBytes int8
-- returns: id int8, message_id int8, name text, type text, bytes int4, width int4, height int4
INSERT INTO support_files (user_id, name, type, width, height, content, bytes, received_bytes, created_at)
SELECT $1, $2, $3, $4, $5, $6, $7, $8::integer, $9
WHERE (SELECT COALESCE(sum(received_bytes), 0) FROM support_files WHERE user_id = $1 AND created_at > $10) + $8::integer
  <= $11
RETURNING id, message_id, name, type, bytes, width, height;

-- support-file-of-member
-- server/core/support/queries/files.ts
-- $1 id int8, $2 userId int4
-- returns: name text, type text, content bytea
SELECT f.name, f.type, f.content FROM support_files f
WHERE f.id = $1 AND (f.user_id = $2 OR EXISTS (SELECT FROM support_messages m JOIN support_tickets t ON t.id = m.ticket_id
  WHERE m.id = f.message_id AND m.kind <> 'note' AND t.user_id = $2));

-- support-files-of
-- server/core/support/queries/files.ts
-- $1 messageIds int8[]
-- returns: id int8, message_id int8, name text, type text, bytes int4, width int4, height int4
SELECT id, message_id, name, type, bytes, width, height FROM support_files WHERE message_id = ANY ($1::bigint[]) ORDER BY id;

-- support-first-answers
-- server/core/support/queries/first-answers.ts
-- $1 now timestamptz, $2 limit int8, $3 since timestamptz
-- returns: tickets int4, median_seconds float8
SELECT count(*)::integer AS tickets,
  percentile_disc(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM COALESCE(answered_at, $1::timestamptz) - created_at)::float8)
  AS median_seconds
FROM (SELECT id, created_at, closed_at FROM support_tickets ORDER BY id DESC LIMIT $2) newest
LEFT JOIN LATERAL (SELECT m.created_at AS answered_at FROM support_messages m
  WHERE m.ticket_id = newest.id AND m.kind = 'staff' ORDER BY m.id LIMIT 1) answer ON true
WHERE created_at > $3 AND (answered_at IS NOT NULL OR closed_at IS NULL);

-- support-asker
-- server/core/support/queries/mails.ts
-- $1 ticketId int8
-- returns: user_id int4
SELECT user_id FROM support_tickets WHERE id = $1;

-- support-lock-unread
-- server/core/support/queries/mails.ts
-- $1 ticketId int8, $2 despiteChat bool
-- returns: user_id int4, subject text, changed_at timestamptz, mailed_at timestamptz, email text, locale text
SELECT t.user_id, t.subject, t.changed_at, t.mailed_at, u.email, u.locale
FROM support_tickets t JOIN users u ON u.id = t.user_id LEFT JOIN notification_settings chosen ON chosen.user_id = t.user_id
WHERE t.id = $1 AND t.unread_member > 0 AND u.erased_at IS NULL
  AND (u.blocked_at IS NOT NULL OR (COALESCE(chosen.choices -> 'support' ? 'mail', true)
      AND ($2 OR NOT EXISTS (SELECT FROM telegram_chats c WHERE c.user_id = t.user_id AND c.closed_at IS NULL
          AND COALESCE(chosen.choices -> 'support' ? 'telegram', true)))))
FOR NO KEY UPDATE OF t;

-- support-queue-look
-- server/core/support/queries/mails.ts
-- $1 ticketId text, $2 despiteChat bool, $3 seconds float8, $4 attempts int4
-- returns: add_job _private_jobs
SELECT graphile_worker.add_job('mail-answer',
    json_build_object('ticketId', $1::text, 'despiteChat', $2::boolean),
    run_at := now() + make_interval(secs => $3), job_key := 'mail-answer ' || $1::text,
    job_key_mode := 'preserve_run_at', max_attempts := $4);

-- support-set-mailed
-- server/core/support/queries/mails.ts
-- $1 ticketId int8, $2 now timestamptz
-- returns: nothing
UPDATE support_tickets SET mailed_at = $2 WHERE id = $1;

-- support-files-attach
-- server/core/support/queries/messages.ts
-- $1 messageId int8, $2 files int8[], $3 userId int4, $4 ticketId int8, $5 maxFiles int8, $6 maxBytes int8
-- returns: taken int8, attached bool
WITH taken AS (
  UPDATE support_files SET message_id = $1
  WHERE id = ANY ($2::bigint[]) AND user_id = $3 AND message_id IS NULL RETURNING bytes
), counted AS (
  SELECT count(*) AS files, COALESCE(sum(bytes), 0) AS bytes FROM taken
), ticket AS (
  UPDATE support_tickets SET files_count = files_count + counted.files, files_bytes = files_bytes + counted.bytes
  FROM counted WHERE id = $4 AND files_count + counted.files <= $5 AND files_bytes + counted.bytes <= $6
  RETURNING id
)
SELECT files AS taken, EXISTS (SELECT FROM ticket) AS attached FROM counted;

-- support-message-by-key
-- server/core/support/queries/messages.ts
-- $1 authorId int4, $2 key text
-- returns: id int8, ticket_id int8, author_id int4, kind text, body text, input_hash text, created_at timestamptz
SELECT id, ticket_id, author_id, kind, body, input_hash, created_at FROM support_messages WHERE author_id = $1 AND idempotency_key = $2;

-- support-message-insert
-- server/core/support/queries/messages.ts
-- $1 ticketId int8, $2 authorId int4, $3 kind text, $4 body text, $5 idempotencyKey text, $6 inputHash text, $7 now timestamptz, $8 minuteAgo timestamptz, $9 minuteLimit int8, $10 dayAgo timestamptz, $11 dayLimit int8
-- returns: id int8, ticket_id int8, author_id int4, kind text, body text, input_hash text, created_at timestamptz
INSERT INTO support_messages (ticket_id, author_id, kind, body, idempotency_key, input_hash, created_at)
SELECT $1, $2, $3, $4, $5, $6, $7
WHERE (SELECT count(*) FROM support_messages WHERE author_id = $2 AND created_at > $8) < $9
  AND (SELECT count(*) FROM support_messages WHERE author_id = $2 AND created_at > $10) < $11
RETURNING id, ticket_id, author_id, kind, body, input_hash, created_at;

-- support-messages-list
-- server/core/support/queries/messages.ts
-- $1 ticketId int8, $2 before int8, $3 limit int8
-- returns: id int8, ticket_id int8, author_id int4, kind text, body text, input_hash text, created_at timestamptz
SELECT id, ticket_id, author_id, kind, body, input_hash, created_at FROM support_messages
WHERE ticket_id = $1 AND kind <> 'note' AND ($2::bigint IS NULL OR id < $2) ORDER BY id DESC LIMIT $3;

-- support-ticket-answered
-- server/core/support/queries/messages.ts
-- $1 id int8, $2 staffId int4, $3 now timestamptz
-- returns: id int8, user_id int4, category text, subject text, activation_id int8, rental_id int8, payment_id int8, state text, waits_since timestamptz, answered_by int4, unread_member int4, unread_staff int4, messages_count int4, created_at timestamptz, changed_at timestamptz
UPDATE support_tickets t SET state = 'answered', waits_since = NULL, closed_at = NULL, answered_by = $2,
  unread_staff = 0, unread_member = unread_member + 1, messages_count = messages_count + 1, changed_at = $3
WHERE id = $1 RETURNING t.id, t.user_id, t.category, t.subject, t.activation_id, t.rental_id, t.payment_id, t.state, t.waits_since, t.answered_by, t.unread_member, t.unread_staff, t.messages_count, t.created_at, t.changed_at;

-- support-ticket-asked
-- server/core/support/queries/messages.ts
-- $1 id int8, $2 now timestamptz
-- returns: nothing
UPDATE support_tickets SET state = 'open', waits_since = COALESCE(waits_since, $2), closed_at = NULL,
  unread_staff = unread_staff + 1, messages_count = messages_count + 1, changed_at = $2 WHERE id = $1;

-- support-ticket-refunds
-- server/core/support/queries/refunds.ts
-- $1 ticketId int8, $2 activationId int8, $3 rentalId int8, $4 since timestamptz, $5 limit int8
-- returns: at timestamptz, amount_micros int8, currency text, service_code text, country_id int4, phone text
WITH here AS (SELECT activation_id, rental_id FROM support_refunds WHERE ticket_id = $1),
moved AS (
  SELECT t.at, t.amount_micros, t.currency, o.service_code, o.country_id, o.phone, o.id
  FROM activations o JOIN transfers t ON t.activation_id = o.id AND t.kind = 'refund'
  WHERE o.id IN (SELECT $2::bigint UNION SELECT activation_id FROM here)
  UNION ALL
  SELECT t.at, t.amount_micros, t.currency, o.service_code, o.country_id, o.phone, o.id
  FROM rentals o JOIN charges c ON c.rental_id = o.id JOIN transfers t ON t.charge_id = c.id AND t.kind = 'refund'
  WHERE o.id IN (SELECT $3::bigint UNION SELECT rental_id FROM here)
), latest AS (
  SELECT at, sum(amount_micros)::bigint AS amount_micros, currency, service_code, country_id, phone FROM moved
  WHERE at >= $4 GROUP BY at, currency, service_code, country_id, phone, id ORDER BY at DESC LIMIT $5
)
SELECT * FROM latest ORDER BY at;

-- staff-actors
-- server/core/support/queries/staff-members.ts
-- $1 ids int4[]
-- returns: id int4, name text
SELECT u.id, COALESCE(NULLIF(u.name, ''), u.email, '#' || u.id) AS name FROM users u WHERE u.id = ANY ($1::integer[]);

-- staff-is
-- server/core/support/queries/staff-members.ts
-- $1 userId int4
-- returns: rows without columns
SELECT FROM users u WHERE u.id = $1 AND u.role IN ('support', 'operator') AND u.blocked_at IS NULL
  AND EXISTS (SELECT FROM two_factor f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL);

-- staff-is-erased
-- server/core/support/queries/staff-members.ts
-- $1 userId int4
-- returns: rows without columns
SELECT FROM users WHERE id = $1 AND erased_at IS NOT NULL;

-- staff-list
-- server/core/support/queries/staff-members.ts
-- $1 limit int8
-- returns: id int4
SELECT u.id FROM users u WHERE u.role IN ('support', 'operator') AND u.blocked_at IS NULL
  AND EXISTS (SELECT FROM two_factor f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL) ORDER BY u.id LIMIT $1;

-- staff-writer
-- server/core/support/queries/staff-members.ts
-- $1 ticketId int8, $2 staffId int4
-- returns: name text
SELECT COALESCE(NULLIF(u.name, ''), u.email, '#' || u.id) AS name FROM support_tickets t JOIN users u ON u.id = $2
WHERE t.id = $1 AND t.user_id <> u.id;

-- staff-answerer
-- server/core/support/queries/staff-messages.ts
-- $1 ticketId int8, $2 seen int8, $3 staffId int4
-- returns: id int8, ticket_id int8, author_id int4, kind text, body text, input_hash text, created_at timestamptz, author text
SELECT m.id, m.ticket_id, m.author_id, m.kind, m.body, m.input_hash, m.created_at, COALESCE(NULLIF(u.name, ''), u.email, '#' || u.id) AS author
FROM support_messages m JOIN users u ON u.id = m.author_id WHERE m.ticket_id = $1 AND m.id > $2 AND m.kind = 'staff' AND m.author_id <> $3 LIMIT 1;

-- staff-file-find
-- server/core/support/queries/staff-messages.ts
-- $1 id int8, $2 readerId int4
-- returns: name text, type text, content bytea
SELECT f.name, f.type, f.content FROM support_files f JOIN support_messages m ON m.id = f.message_id
WHERE f.id = $1 AND (m.kind <> 'note' OR NOT EXISTS (SELECT FROM support_tickets own WHERE own.id = m.ticket_id
    AND own.user_id = $2::integer));

-- staff-message-find
-- server/core/support/queries/staff-messages.ts
-- $1 id int8
-- returns: id int8, ticket_id int8, author_id int4, kind text, body text, input_hash text, created_at timestamptz, author text
SELECT m.id, m.ticket_id, m.author_id, m.kind, m.body, m.input_hash, m.created_at, COALESCE(NULLIF(u.name, ''), u.email, '#' || u.id) AS author
FROM support_messages m JOIN users u ON u.id = m.author_id WHERE m.id = $1;

-- staff-messages-list
-- server/core/support/queries/staff-messages.ts
-- $1 ticketId int8, $2 before int8, $3 readerId int4, $4 limit int8
-- returns: id int8, ticket_id int8, author_id int4, kind text, body text, input_hash text, created_at timestamptz, author text
SELECT m.id, m.ticket_id, m.author_id, m.kind, m.body, m.input_hash, m.created_at, COALESCE(NULLIF(u.name, ''), u.email, '#' || u.id) AS author
FROM support_messages m JOIN users u ON u.id = m.author_id WHERE m.ticket_id = $1 AND ($2::bigint IS NULL OR m.id < $2) AND (m.kind <> 'note' OR NOT EXISTS (SELECT FROM support_tickets own WHERE own.id = m.ticket_id
    AND own.user_id = $3::integer))
ORDER BY m.id DESC LIMIT $4;

-- support-lock-member
-- server/core/support/queries/tickets.ts
-- $1 userId int4
-- returns: blocked bool
SELECT blocked_at IS NOT NULL AS blocked FROM users WHERE id = $1 FOR NO KEY UPDATE;

-- support-ticket-by-key
-- server/core/support/queries/tickets.ts
-- $1 userId int4, $2 key text
-- returns: id int8, user_id int4, category text, subject text, activation_id int8, rental_id int8, payment_id int8, state text, waits_since timestamptz, answered_by int4, unread_member int4, unread_staff int4, messages_count int4, created_at timestamptz, changed_at timestamptz, input_hash text
SELECT t.id, t.user_id, t.category, t.subject, t.activation_id, t.rental_id, t.payment_id, t.state, t.waits_since, t.answered_by, t.unread_member, t.unread_staff, t.messages_count, t.created_at, t.changed_at, t.input_hash FROM support_tickets t WHERE user_id = $1 AND idempotency_key = $2;

-- support-ticket-close
-- server/core/support/queries/tickets.ts
-- $1 now timestamptz, $2 id int8, $3 userId int4
-- returns: id int8, user_id int4, category text, subject text, activation_id int8, rental_id int8, payment_id int8, state text, waits_since timestamptz, answered_by int4, unread_member int4, unread_staff int4, messages_count int4, created_at timestamptz, changed_at timestamptz
UPDATE support_tickets t SET state = 'closed', waits_since = NULL, closed_at = $1, changed_at = $1
WHERE id = $2 AND user_id = $3 AND state <> 'closed' RETURNING t.id, t.user_id, t.category, t.subject, t.activation_id, t.rental_id, t.payment_id, t.state, t.waits_since, t.answered_by, t.unread_member, t.unread_staff, t.messages_count, t.created_at, t.changed_at;

-- support-ticket-count-open
-- server/core/support/queries/tickets.ts
-- $1 userId int4
-- returns: count int8
SELECT count(*) FROM support_tickets WHERE user_id = $1 AND state <> 'closed';

-- support-ticket-find
-- server/core/support/queries/tickets.ts
-- $1 id int8, $2 userId int4
-- returns: id int8, user_id int4, category text, subject text, activation_id int8, rental_id int8, payment_id int8, state text, waits_since timestamptz, answered_by int4, unread_member int4, unread_staff int4, messages_count int4, created_at timestamptz, changed_at timestamptz
SELECT t.id, t.user_id, t.category, t.subject, t.activation_id, t.rental_id, t.payment_id, t.state, t.waits_since, t.answered_by, t.unread_member, t.unread_staff, t.messages_count, t.created_at, t.changed_at FROM support_tickets t WHERE id = $1 AND user_id = $2;

-- support-ticket-insert
-- server/core/support/queries/tickets.ts
-- $1 userId int4, $2 category text, $3 subject text, $4 activationId int8, $5 rentalId int8, $6 paymentId int8, $7 now timestamptz, $8 idempotencyKey text, $9 inputHash text, $10 openLimit int8, $11 since timestamptz, $12 dayLimit int8
-- returns: id int8, user_id int4, category text, subject text, activation_id int8, rental_id int8, payment_id int8, state text, waits_since timestamptz, answered_by int4, unread_member int4, unread_staff int4, messages_count int4, created_at timestamptz, changed_at timestamptz
INSERT INTO support_tickets AS t (user_id, category, subject, activation_id, rental_id, payment_id, state, waits_since,
    unread_staff, messages_count, idempotency_key, input_hash, created_at, changed_at)
SELECT $1, $2, $3, $4, $5, $6, 'open', $7, 1, 1, $8, $9, $7, $7
WHERE (SELECT count(*) FROM support_tickets WHERE user_id = $1 AND state <> 'closed') < $10
  AND (SELECT count(*) FROM support_tickets WHERE user_id = $1 AND created_at > $11) < $12
RETURNING t.id, t.user_id, t.category, t.subject, t.activation_id, t.rental_id, t.payment_id, t.state, t.waits_since, t.answered_by, t.unread_member, t.unread_staff, t.messages_count, t.created_at, t.changed_at;

-- support-ticket-lock
-- server/core/support/queries/tickets.ts
-- $1 id int8, $2 userId int4
-- returns: id int8, user_id int4, category text, subject text, activation_id int8, rental_id int8, payment_id int8, state text, waits_since timestamptz, answered_by int4, unread_member int4, unread_staff int4, messages_count int4, created_at timestamptz, changed_at timestamptz
SELECT t.id, t.user_id, t.category, t.subject, t.activation_id, t.rental_id, t.payment_id, t.state, t.waits_since, t.answered_by, t.unread_member, t.unread_staff, t.messages_count, t.created_at, t.changed_at FROM support_tickets t
WHERE id = $1 AND ($2::integer IS NULL OR user_id = $2) FOR NO KEY UPDATE;

-- support-ticket-read
-- server/core/support/queries/tickets.ts
-- $1 id int8, $2 through int8
-- returns: id int8, user_id int4, category text, subject text, activation_id int8, rental_id int8, payment_id int8, state text, waits_since timestamptz, answered_by int4, unread_member int4, unread_staff int4, messages_count int4, created_at timestamptz, changed_at timestamptz
UPDATE support_tickets t SET unread_member = LEAST(unread_member, (SELECT count(*) FROM support_messages m
  WHERE m.ticket_id = t.id AND m.kind = 'staff' AND m.id > $2))
WHERE id = $1 RETURNING t.id, t.user_id, t.category, t.subject, t.activation_id, t.rental_id, t.payment_id, t.state, t.waits_since, t.answered_by, t.unread_member, t.unread_staff, t.messages_count, t.created_at, t.changed_at;

-- support-tickets-list
-- server/core/support/queries/tickets.ts
-- $1 userId int4, $2 state text, $3 search text, $4 exactId int8, $5 searched int8, $6 offset int8, $7 limit int8
-- returns: total int8, unread int8, id int8, user_id int4, category text, subject text, activation_id int8, rental_id int8, payment_id int8, state text, waits_since timestamptz, answered_by int4, unread_member int4, unread_staff int4, messages_count int4, created_at timestamptz, changed_at timestamptz
WITH fitting AS MATERIALIZED (SELECT t.id FROM support_tickets t WHERE t.user_id = $1 AND ($2::text IS NULL OR t.state = $2)
    AND ($3::text IS NULL OR t.subject ILIKE $3 OR t.id = $4 OR t.id IN (
      SELECT m.ticket_id FROM (
        SELECT s.id FROM support_messages s JOIN support_tickets own ON own.id = s.ticket_id
        WHERE own.user_id = $1 AND s.kind <> 'note' ORDER BY s.id DESC LIMIT $5
      ) latest JOIN support_messages m USING (id) WHERE m.body ILIKE $3))),
page AS (SELECT t.id, t.user_id, t.category, t.subject, t.activation_id, t.rental_id, t.payment_id, t.state, t.waits_since, t.answered_by, t.unread_member, t.unread_staff, t.messages_count, t.created_at, t.changed_at FROM support_tickets t JOIN fitting USING (id)
  ORDER BY t.changed_at DESC, t.id DESC OFFSET $6 LIMIT $7)
SELECT counted.total, counted.unread, page.* FROM (SELECT (SELECT count(*) FROM fitting) AS total,
  (SELECT count(*) FROM support_tickets WHERE user_id = $1 AND unread_member > 0) AS unread) counted
LEFT JOIN page ON true ORDER BY page.changed_at DESC, page.id DESC;
