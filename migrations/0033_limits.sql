-- What keeps one account from hurting the others: limits of its own, and pauses of what it buys without ever getting a code.

-- null: the limit of the configuration.
ALTER TABLE accounts ADD COLUMN open_numbers_limit integer CONSTRAINT accounts_open_numbers_limit CHECK (open_numbers_limit >= 0),
  ADD COLUMN day_spend_limit_micros bigint CONSTRAINT accounts_day_spend_limit CHECK (day_spend_limit_micros >= 0);

-- A service in a country that an account cannot buy for a while, with the figures that were the reason.
CREATE TABLE purchase_pauses (
  user_id      integer NOT NULL REFERENCES users (id),
  service_code text NOT NULL REFERENCES services (code),
  country_id   integer NOT NULL REFERENCES countries (id),
  purchases    integer NOT NULL,
  codes        integer NOT NULL,
  began_at     timestamptz NOT NULL,
  until        timestamptz NOT NULL,
  PRIMARY KEY (user_id, service_code, country_id, began_at)
);
CREATE INDEX purchase_pauses_until ON purchase_pauses (user_id, until);

-- A buyer's past is read by time: for the history, and for what was spent within a day.
CREATE INDEX activations_user_time ON activations (user_id, created_at DESC, id DESC);
DROP INDEX activations_user;
