-- Updates of the bot, stored before they are acknowledged.
CREATE TABLE telegram_updates (
  update_id    bigint PRIMARY KEY,
  -- Sealed; null once it was processed.
  body         jsonb,
  received_at  timestamptz NOT NULL,
  processed_at timestamptz
);
CREATE INDEX telegram_updates_received ON telegram_updates (received_at);

-- One-time tokens of deep links, the newest of each person.
CREATE TABLE telegram_links (
  user_id     integer PRIMARY KEY REFERENCES users (id),
  token_hash  bytea NOT NULL CONSTRAINT telegram_links_token UNIQUE,
  wants_codes boolean NOT NULL,
  expires_at  timestamptz NOT NULL
);

-- Private chats with the bot. There the chat and its person have one id.
CREATE TABLE telegram_chats (
  user_id     integer CONSTRAINT telegram_chats_account PRIMARY KEY REFERENCES users (id),
  telegram_id bigint NOT NULL CONSTRAINT telegram_chats_person UNIQUE,
  name        text NOT NULL,
  wants_codes boolean NOT NULL,
  linked_at   timestamptz NOT NULL,
  -- Since then its person blocks the bot, and nothing is sent.
  closed_at   timestamptz
);
