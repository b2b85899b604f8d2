-- What can be bought: services and countries with the field's codes and ids, who sells it, at what cost and price.

CREATE TABLE services (
  code       text PRIMARY KEY,
  name_en    text NOT NULL,
  name_ru    text NOT NULL,
  position   integer NOT NULL,
  -- Set when the person who runs the service will not sell it.
  blocked_at timestamptz
);

CREATE TABLE countries (
  id       integer PRIMARY KEY,
  name_en  text NOT NULL,
  name_ru  text NOT NULL,
  iso2     text NOT NULL,
  dial     text NOT NULL,
  position integer NOT NULL,
  visible  boolean NOT NULL,
  retry    boolean NOT NULL,
  rent     boolean NOT NULL,
  multi    boolean NOT NULL
);

CREATE TABLE suppliers (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code       text NOT NULL CONSTRAINT suppliers_code_unique UNIQUE,
  kind       text NOT NULL,
  settings   jsonb NOT NULL DEFAULT '{}',
  paused_at  timestamptz,
  created_at timestamptz NOT NULL
);

CREATE TABLE offers (
  supplier_id  integer NOT NULL REFERENCES suppliers (id),
  service_code text NOT NULL REFERENCES services (code),
  country_id   integer NOT NULL REFERENCES countries (id),
  operator     text NOT NULL,
  cost_micros  bigint NOT NULL CONSTRAINT offers_cost_not_negative CHECK (cost_micros >= 0),
  currency     text NOT NULL CONSTRAINT offers_currency CHECK (currency IN ('rub', 'usd')),
  stock        integer NOT NULL CONSTRAINT offers_stock_not_negative CHECK (stock >= 0),
  refreshed_at timestamptz NOT NULL,
  PRIMARY KEY (supplier_id, service_code, country_id, operator)
);

-- The most specific rule wins: service and country, then service, then country, then the one with neither.
CREATE TABLE price_rules (
  id             integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  service_code   text REFERENCES services (code),
  country_id     integer REFERENCES countries (id),
  margin_percent integer CONSTRAINT price_rules_margin CHECK (margin_percent BETWEEN 0 AND 10000),
  price_micros   bigint CONSTRAINT price_rules_price CHECK (price_micros > 0),
  currency       text CONSTRAINT price_rules_currency CHECK (currency IN ('rub', 'usd')),
  CONSTRAINT price_rules_one_kind CHECK (
    (margin_percent IS NOT NULL AND price_micros IS NULL AND currency IS NULL)
    OR (margin_percent IS NULL AND price_micros IS NOT NULL AND currency IS NOT NULL)
  )
);
CREATE UNIQUE INDEX price_rules_scope ON price_rules (COALESCE(service_code, ''), COALESCE(country_id, -1));

-- How many roubles one dollar is, in millionths.
CREATE TABLE exchange_rates (
  currency          text PRIMARY KEY CONSTRAINT exchange_rates_currency CHECK (currency = 'usd'),
  rub_micros        bigint NOT NULL CONSTRAINT exchange_rates_positive CHECK (rub_micros > 0),
  updated_at        timestamptz NOT NULL
);

-- Measured outcomes by the hour: purchases whose outcome is known, how many got a code, and how long it took.
-- seconds_counts[i] counts the codes that took at most the i-th bound of server/features/catalog/outcome-bounds.ts.
CREATE TABLE outcome_hours (
  hour           timestamptz NOT NULL,
  supplier_id    integer NOT NULL,
  service_code   text NOT NULL,
  country_id     integer NOT NULL,
  operator       text NOT NULL,
  purchases      integer NOT NULL,
  codes          integer NOT NULL,
  seconds_counts integer[] NOT NULL,
  PRIMARY KEY (hour, supplier_id, service_code, country_id, operator)
);

CREATE TABLE favorites (
  user_id    integer NOT NULL REFERENCES users (id),
  mode       text NOT NULL CONSTRAINT favorites_mode CHECK (mode IN ('activation', 'rent')),
  kind       text NOT NULL CONSTRAINT favorites_kind CHECK (kind IN ('service', 'country')),
  subject_id text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, mode, kind, subject_id)
);
