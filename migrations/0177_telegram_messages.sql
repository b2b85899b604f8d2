-- Messages of numbers that go to a chat: each once to each person.
CREATE TABLE telegram_codes (
  message_id bigint NOT NULL REFERENCES messages (id),
  user_id    integer NOT NULL REFERENCES users (id),
  -- The job that sends it.
  job_id     bigint NOT NULL,
  queued_at  timestamptz NOT NULL,
  -- Handed to Telegram, which may have taken it: it is not sent again.
  sent_at    timestamptz,
  CONSTRAINT telegram_codes_once PRIMARY KEY (message_id, user_id)
);
CREATE INDEX telegram_codes_queued ON telegram_codes (queued_at);

-- Handed to Telegram, as above.
ALTER TABLE notifications ADD COLUMN telegram_at timestamptz;
