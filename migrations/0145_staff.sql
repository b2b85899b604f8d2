-- The room of support staff: who works on a ticket, answers that are ready, and what was given back.

ALTER TABLE support_tickets
  -- Who of the staff works on it.
  ADD COLUMN taken_by integer REFERENCES users (id),
  ADD COLUMN taken_at timestamptz,
  ADD CONSTRAINT support_tickets_taken CHECK ((taken_by IS NULL) = (taken_at IS NULL));
CREATE INDEX support_tickets_changed ON support_tickets (changed_at DESC, id DESC);

-- Answers that are ready. `{name}` stands for the name of whoever asks.
CREATE TABLE support_answers (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title      text NOT NULL CONSTRAINT support_answers_title CHECK (char_length(title) BETWEEN 1 AND 80),
  body_ru    text NOT NULL CONSTRAINT support_answers_body_ru CHECK (char_length(body_ru) BETWEEN 1 AND 5000),
  body_en    text NOT NULL CONSTRAINT support_answers_body_en CHECK (char_length(body_en) BETWEEN 1 AND 5000),
  changed_by integer NOT NULL REFERENCES users (id),
  changed_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX support_answers_title_unique ON support_answers (lower(title));

-- What staff gave back in a ticket: the sums that their cap counts. The money itself is in transfers.
CREATE TABLE support_refunds (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ticket_id     bigint NOT NULL REFERENCES support_tickets (id),
  staff_id      integer NOT NULL REFERENCES users (id),
  user_id       integer NOT NULL REFERENCES users (id),
  activation_id bigint REFERENCES activations (id),
  rental_id     bigint REFERENCES rentals (id),
  amount_micros bigint NOT NULL CONSTRAINT support_refunds_amount CHECK (amount_micros > 0),
  currency      text NOT NULL CONSTRAINT support_refunds_currency CHECK (currency IN ('rub', 'usd')),
  at            timestamptz NOT NULL,
  CONSTRAINT support_refunds_order CHECK (num_nonnulls(activation_id, rental_id) = 1)
);
CREATE INDEX support_refunds_ticket ON support_refunds (ticket_id, id);
CREATE INDEX support_refunds_user ON support_refunds (user_id, at);
CREATE INDEX support_refunds_staff ON support_refunds (staff_id, at);
