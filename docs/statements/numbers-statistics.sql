-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/numbers/statistics/latest-queries.ts: latest-activations, latest-rentals
-- server/core/numbers/statistics/queries.ts: statistics-sum

-- latest-activations
-- server/core/numbers/statistics/latest-queries.ts
-- $1 userId int4
-- returns: service_code text, country_id int4, operator_wanted text, hours int4, bought_at timestamptz
WITH recent AS (
  SELECT id, service_code, country_id, operator_wanted, state, created_at FROM activations
  WHERE user_id = $1 ORDER BY id DESC LIMIT 200
)
SELECT service_code, country_id, operator_wanted, NULL::integer AS hours, max(created_at) AS bought_at
FROM recent WHERE state NOT IN ('reserving', 'failed')
GROUP BY service_code, country_id, operator_wanted ORDER BY max(id) DESC LIMIT 10;

-- latest-rentals
-- server/core/numbers/statistics/latest-queries.ts
-- $1 userId int4
-- returns: service_code text, country_id int4, operator_wanted text, hours int4, bought_at timestamptz
WITH recent AS (
  SELECT id, service_code, country_id, operator_wanted, state, created_at FROM rentals
  WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 200
)
SELECT r.service_code, r.country_id, r.operator_wanted, c.hours, max(r.created_at) AS bought_at
FROM recent r JOIN charges c ON c.rental_id = r.id AND c.purpose = 'rental'
WHERE r.state NOT IN ('reserving', 'failed')
GROUP BY r.service_code, r.country_id, r.operator_wanted, c.hours ORDER BY max(r.id) DESC LIMIT 10;

-- statistics-sum
-- server/core/numbers/statistics/queries.ts
-- $1 stepsBeginAt timestamptz[], $2 userId int4, $3 beginsAt timestamptz, $4 endsAt timestamptz, $5 mode text, $6 serviceCodes text[], $7 countryIds int4[]
-- returns: step int4, service_code text, country_id int4, purchases int4, activations int4, codes int4, spent_micros int8, seconds_counts int4[]
WITH wanted AS (
  SELECT width_bucket(hour, $1::timestamptz[]) AS step, mode, service_code, country_id, purchases, codes,
    spent_micros, seconds_counts
  FROM user_hours WHERE user_id = $2 AND hour >= $3 AND hour < $4
    AND ($5::text IS NULL OR mode = $5)
    AND ($6::text[] IS NULL OR service_code = ANY ($6))
    AND ($7::integer[] IS NULL OR country_id = ANY ($7))
)
SELECT step, service_code, country_id, sum(purchases)::integer AS purchases,
  COALESCE(sum(purchases) FILTER (WHERE mode = 'activation'), 0)::integer AS activations,
  sum(codes)::integer AS codes, sum(spent_micros)::bigint AS spent_micros, ARRAY[sum(seconds_counts[1])::integer, sum(seconds_counts[2])::integer, sum(seconds_counts[3])::integer, sum(seconds_counts[4])::integer, sum(seconds_counts[5])::integer, sum(seconds_counts[6])::integer, sum(seconds_counts[7])::integer, sum(seconds_counts[8])::integer, sum(seconds_counts[9])::integer, sum(seconds_counts[10])::integer, sum(seconds_counts[11])::integer, sum(seconds_counts[12])::integer, sum(seconds_counts[13])::integer, sum(seconds_counts[14])::integer, sum(seconds_counts[15])::integer, sum(seconds_counts[16])::integer, sum(seconds_counts[17])::integer] AS seconds_counts
FROM wanted GROUP BY GROUPING SETS ((step), (service_code), (country_id));
