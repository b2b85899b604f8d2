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

-- Captured charges are counted by the time of it, as activations are by that of their outcome.
CREATE INDEX charges_captured ON charges (settled_at) WHERE money = 'captured';

-- What the roll-up counted before this table was there.
INSERT INTO user_hours (user_id, hour, mode, service_code, country_id, purchases, codes, spent_micros, seconds_counts)
SELECT user_id, hour, 'activation', service_code, country_id, count(*), count(class), COALESCE(sum(price_micros) FILTER (WHERE class IS NOT NULL), 0),
  (SELECT array_agg((SELECT count(*) FROM unnest(array_agg(class)) AS given (one) WHERE one = place)::integer ORDER BY place)
    FROM generate_series(0, 16) place)
FROM (
  SELECT user_id, date_trunc('hour', outcome_at, 'UTC') AS hour, service_code, country_id, price_micros,
    CASE WHEN first_code_at IS NOT NULL THEN width_bucket(extract(epoch FROM first_code_at - created_at)::float8,
      '{1,2,3,5,8,12,20,30,45,60,90,120,180,300,600,1200}'::float8[]) END AS class
  FROM activations WHERE operator IS NOT NULL
    AND outcome_at <= (SELECT (value #>> '{}')::timestamptz FROM settings WHERE key = 'outcomes_until')
) counted
GROUP BY user_id, hour, service_code, country_id;
