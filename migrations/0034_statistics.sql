-- What each buyer bought, by the hour: the sums that /statistic draws. `mode`: 'activation' or 'rent' (then codes and times
-- stay 0). Refunds are not taken off. seconds_counts as in outcome_hours.
CREATE TABLE user_hours (
  user_id        integer NOT NULL REFERENCES users (id),
  hour           timestamptz NOT NULL,
  mode           text NOT NULL CONSTRAINT user_hours_mode CHECK (mode IN ('activation', 'rent')),
  service_code   text NOT NULL,
  country_id     integer NOT NULL,
  purchases      integer NOT NULL,
  codes          integer NOT NULL,
  spent_micros   bigint NOT NULL,
  seconds_counts integer[] NOT NULL,
  PRIMARY KEY (user_id, hour, mode, service_code, country_id)
);
