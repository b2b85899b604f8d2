-- The most that somebody pays for a number of a service, as programs of 5sim set it. In the currency of the account.
CREATE TABLE max_prices (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id      integer NOT NULL REFERENCES users (id),
  service_code text NOT NULL REFERENCES services (code),
  price_micros bigint NOT NULL CONSTRAINT max_prices_price_positive CHECK (price_micros > 0),
  created_at   timestamptz NOT NULL,
  CONSTRAINT max_prices_once UNIQUE (user_id, service_code)
);
