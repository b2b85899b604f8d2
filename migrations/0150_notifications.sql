-- What is told to people in the bell, by mail and by push.

-- Words are made by `kind` and `details` when they are read, in the reader's language.
CREATE TABLE notifications (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id    integer NOT NULL REFERENCES users (id),
  category   text NOT NULL,
  kind       text NOT NULL,
  details    jsonb NOT NULL,
  -- A path of the site. Null: it leads nowhere.
  link       text CONSTRAINT notifications_link CHECK (link LIKE '/%' AND link NOT LIKE '//%'),
  -- The same cause is told once.
  dedupe_key text NOT NULL,
  -- What its reader had chosen when it was made.
  channels   text[] NOT NULL CONSTRAINT notifications_channels CHECK (channels <> '{}'),
  created_at timestamptz NOT NULL,
  read_at    timestamptz,
  -- The mail is queued.
  mailed_at  timestamptz,
  CONSTRAINT notifications_once UNIQUE (user_id, dedupe_key)
);
CREATE INDEX notifications_listed ON notifications (user_id, id) WHERE 'site' = ANY (channels);
CREATE INDEX notifications_listed_category ON notifications (user_id, category, id) WHERE 'site' = ANY (channels);
CREATE INDEX notifications_unread ON notifications (user_id, id) WHERE read_at IS NULL AND 'site' = ANY (channels);

-- Of those who have changed anything.
CREATE TABLE notification_settings (
  user_id              integer PRIMARY KEY REFERENCES users (id),
  -- Lists of channels by category; a category that is missing has what the product chose.
  choices              jsonb NOT NULL DEFAULT '{}',
  balance_limit_micros bigint CONSTRAINT notification_settings_balance CHECK (balance_limit_micros > 0),
  -- Since then the balance has been below the limit. Null: it is not.
  balance_low_at       timestamptz,
  price_limit_micros   bigint CONSTRAINT notification_settings_price CHECK (price_limit_micros > 0),
  changed_at           timestamptz NOT NULL
);
CREATE INDEX notification_settings_balance_limit ON notification_settings (user_id) WHERE balance_limit_micros IS NOT NULL;
CREATE INDEX notification_settings_price_limit ON notification_settings (user_id) WHERE price_limit_micros IS NOT NULL;

-- Favourites that have come down to the limit, until they rise above it. No state of the books: it may be lost.
CREATE TABLE favorite_prices_told (
  user_id      integer NOT NULL REFERENCES users (id),
  service_code text NOT NULL,
  PRIMARY KEY (user_id, service_code)
);

-- What the operator tells everybody who is there at that moment; spread to them in batches.
CREATE TABLE news (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Title and text by language.
  words           jsonb NOT NULL,
  link            text CONSTRAINT news_link CHECK (link LIKE '/%' AND link NOT LIKE '//%'),
  created_at      timestamptz NOT NULL,
  -- Everybody up to this id has been told, and nobody after the last one.
  reached_user_id integer NOT NULL DEFAULT 0,
  last_user_id    integer NOT NULL
);
CREATE INDEX news_under_way ON news (id) WHERE reached_user_id < last_user_id;
