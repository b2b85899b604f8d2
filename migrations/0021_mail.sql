-- What the demo would have sent. Empty everywhere else.
CREATE TABLE demo_mails (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id text NOT NULL CONSTRAINT demo_mails_message_id UNIQUE,
  recipient text NOT NULL,
  subject text NOT NULL,
  body_text text NOT NULL,
  body_html text NOT NULL,
  sent_at timestamptz NOT NULL
);
