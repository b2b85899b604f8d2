-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/house/mail/demo-mail-queries.ts: demo-mail-find, demo-mail-keep, demo-mail-list
-- server/house/mail/queue-mail.ts: mail-queue

-- demo-mail-find
-- server/house/mail/demo-mail-queries.ts
-- $1 id int8
-- returns: id int8, to text, subject text, text text, html text, at timestamptz
SELECT id, recipient AS "to", subject, body_text AS text, body_html AS html, sent_at AS at FROM demo_mails WHERE id = $1;

-- demo-mail-keep
-- server/house/mail/demo-mail-queries.ts
-- $1 kept int8, $2 messageId text, $3 to text, $4 subject text, $5 text text, $6 html text, $7 sentAt timestamptz
-- returns: nothing
WITH old AS (
  DELETE FROM demo_mails WHERE id IN (SELECT id FROM demo_mails ORDER BY id DESC OFFSET $1)
)
INSERT INTO demo_mails (message_id, recipient, subject, body_text, body_html, sent_at)
VALUES ($2, $3, $4, $5, $6, $7) ON CONFLICT ON CONSTRAINT demo_mails_message_id DO NOTHING;

-- demo-mail-list
-- server/house/mail/demo-mail-queries.ts
-- $1 DEMO_MAILS_KEPT int8
-- returns: id int8, to text, subject text, text text, html text, at timestamptz
SELECT id, recipient AS "to", subject, body_text AS text, body_html AS html, sent_at AS at FROM demo_mails ORDER BY id DESC LIMIT $1;

-- mail-queue
-- server/house/mail/queue-mail.ts
-- $1 json, $2 text, $3 MAX_ATTEMPTS int4
-- returns: add_job _private_jobs
SELECT graphile_worker.add_job('send-mail', $1::json, queue_name := $2, max_attempts := $3);
