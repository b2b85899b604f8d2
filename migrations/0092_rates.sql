-- Where a rate came from, what every source has said, and where rates are fetched.
ALTER TABLE exchange_rates DROP CONSTRAINT exchange_rates_currency;
ALTER TABLE exchange_rates ADD CONSTRAINT exchange_rates_currency CHECK (currency ~ '^[a-z0-9]{2,10}$' AND currency <> 'rub');
ALTER TABLE exchange_rates ADD COLUMN source text NOT NULL DEFAULT 'rate:set';

CREATE TABLE rate_history (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  currency   text NOT NULL,
  rub_micros bigint NOT NULL CONSTRAINT rate_history_positive CHECK (rub_micros > 0),
  source     text NOT NULL,
  at         timestamptz NOT NULL,
  -- False: it was too far from the rate before, and staff have to say so.
  taken      boolean NOT NULL
);
CREATE INDEX rate_history_newest ON rate_history (currency, id DESC);
CREATE TRIGGER rate_history_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON rate_history
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
INSERT INTO rate_history (currency, rub_micros, source, at, taken)
SELECT currency, rub_micros, 'rate:set', updated_at, true FROM exchange_rates;

CREATE TABLE rate_sources (
  currency        text PRIMARY KEY,
  kind            text NOT NULL CONSTRAINT rate_sources_kind CHECK (kind IN ('json', 'cbr')),
  url             text NOT NULL,
  -- Where the rate stands in the answer: a JSON pointer, or the currency's letters at the Bank of Russia.
  pointer         text NOT NULL,
  every_minutes   integer NOT NULL CONSTRAINT rate_sources_every CHECK (every_minutes BETWEEN 1 AND 1440),
  next_at         timestamptz NOT NULL,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure    text
);
