-- Tickets of support: what a member asks, what staff answer, and the files of both.

ALTER TABLE users DROP CONSTRAINT users_role;
-- `support` answers tickets; `operator` may do everything.
ALTER TABLE users ADD CONSTRAINT users_role CHECK (role IN ('user', 'support', 'operator'));

CREATE TABLE support_tickets (
  id              bigint GENERATED ALWAYS AS IDENTITY (START WITH 1001) PRIMARY KEY,
  user_id         integer NOT NULL REFERENCES users (id),
  category        text NOT NULL CONSTRAINT support_tickets_category CHECK (category IN
    ('number', 'payment', 'account', 'api', 'other')),
  subject         text NOT NULL CONSTRAINT support_tickets_subject CHECK (char_length(subject) BETWEEN 1 AND 120),
  -- What it is about, if anything.
  activation_id   bigint REFERENCES activations (id),
  rental_id       bigint REFERENCES rentals (id),
  payment_id      bigint REFERENCES payments (id),
  -- `open` waits for staff, `answered` for the member. A reply opens it again.
  state           text NOT NULL DEFAULT 'open' CONSTRAINT support_tickets_state CHECK (state IN
    ('open', 'answered', 'closed')),
  -- Since the first message that staff have not answered: the order of their queue.
  waits_since     timestamptz,
  -- Who of the staff answered last.
  answered_by     integer REFERENCES users (id),
  unread_member   integer NOT NULL DEFAULT 0 CONSTRAINT support_tickets_unread_member CHECK (unread_member >= 0),
  unread_staff    integer NOT NULL DEFAULT 0 CONSTRAINT support_tickets_unread_staff CHECK (unread_staff >= 0),
  -- Notes are not counted in either.
  messages_count  integer NOT NULL DEFAULT 0,
  files_count     integer NOT NULL DEFAULT 0 CONSTRAINT support_tickets_files CHECK (files_count BETWEEN 0 AND 20),
  files_bytes     integer NOT NULL DEFAULT 0 CONSTRAINT support_tickets_bytes CHECK (files_bytes BETWEEN 0 AND 20971520),
  idempotency_key text,
  input_hash      text,
  created_at      timestamptz NOT NULL,
  -- Of the last message or change of state that the member sees.
  changed_at      timestamptz NOT NULL,
  closed_at       timestamptz,
  -- When the last mail about an answer was queued.
  mailed_at       timestamptz,
  CONSTRAINT support_tickets_about CHECK (num_nonnulls(activation_id, rental_id, payment_id) <= 1),
  CONSTRAINT support_tickets_waits CHECK ((state = 'open') = (waits_since IS NOT NULL)),
  CONSTRAINT support_tickets_closed CHECK ((state = 'closed') = (closed_at IS NOT NULL))
);
CREATE INDEX support_tickets_user ON support_tickets (user_id, changed_at DESC, id DESC);
CREATE INDEX support_tickets_created ON support_tickets (user_id, created_at);
CREATE INDEX support_tickets_queue ON support_tickets (waits_since, id) WHERE state = 'open';
CREATE INDEX support_tickets_unread ON support_tickets (user_id) WHERE unread_member > 0;
CREATE UNIQUE INDEX support_tickets_idempotency ON support_tickets (user_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;

CREATE TABLE support_messages (
  id              bigint GENERATED ALWAYS AS IDENTITY (START WITH 10001) PRIMARY KEY,
  ticket_id       bigint NOT NULL REFERENCES support_tickets (id),
  author_id       integer NOT NULL REFERENCES users (id),
  -- A `note` is of staff for staff: members never see it.
  kind            text NOT NULL CONSTRAINT support_messages_kind CHECK (kind IN ('member', 'staff', 'note')),
  -- Markdown.
  body            text NOT NULL CONSTRAINT support_messages_body CHECK (char_length(body) BETWEEN 1 AND 10000),
  idempotency_key text,
  input_hash      text,
  created_at      timestamptz NOT NULL
);
CREATE INDEX support_messages_ticket ON support_messages (ticket_id, id);
CREATE INDEX support_messages_author ON support_messages (author_id, created_at);
CREATE UNIQUE INDEX support_messages_idempotency ON support_messages (author_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;

-- Uploaded before the message that takes it; one that no message took is deleted after a day.
CREATE TABLE support_files (
  id             bigint GENERATED ALWAYS AS IDENTITY (START WITH 10001) PRIMARY KEY,
  user_id        integer NOT NULL REFERENCES users (id),
  message_id     bigint REFERENCES support_messages (id),
  name           text NOT NULL CONSTRAINT support_files_name CHECK (char_length(name) BETWEEN 1 AND 120),
  -- What the content is, whatever was claimed.
  type           text NOT NULL CONSTRAINT support_files_type CHECK (type IN
    ('image/png', 'image/jpeg', 'image/webp', 'application/pdf')),
  -- Pixels of a picture.
  width          integer,
  height         integer,
  content        bytea NOT NULL CONSTRAINT support_files_content CHECK (octet_length(content) BETWEEN 1 AND 5242880),
  bytes          integer NOT NULL CONSTRAINT support_files_bytes CHECK (bytes = octet_length(content)),
  -- Before pictures were encoded anew: the limit of a day counts these.
  received_bytes integer NOT NULL,
  created_at     timestamptz NOT NULL,
  CONSTRAINT support_files_pixels CHECK ((type = 'application/pdf') = (width IS NULL) AND (width IS NULL) = (height IS NULL))
);
ALTER TABLE support_files ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX support_files_message ON support_files (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX support_files_user ON support_files (user_id, created_at);
CREATE INDEX support_files_loose ON support_files (created_at) WHERE message_id IS NULL;
