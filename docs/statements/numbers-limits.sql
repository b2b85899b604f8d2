-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/numbers/limits/queries.ts: limits-find, limits-find-spend, limits-list-pauses, limits-pair
-- server/core/numbers/limits/queries/play-open.ts: limits-count-play

-- limits-find
-- server/core/numbers/limits/queries.ts
-- $1 userId int4, $2 priceMicros int8, $3 now timestamptz, $4 openLimit int4, $5 dayLimit int8, $6 besides int8
-- returns: reached text, open_limit int4, day_limit int8, spent int8
SELECT purchase_limit_reached($1, $2::bigint, $3::timestamptz, COALESCE(accounts.open_numbers_limit, $4::integer), COALESCE(accounts.day_spend_limit_micros, $5::bigint), $6::bigint) AS reached,
  COALESCE(open_numbers_limit, $4::integer) AS open_limit,
  COALESCE(day_spend_limit_micros, $5::bigint) AS day_limit,
  spent_since($1, $3::timestamptz - interval '24 hours', $6::bigint) AS spent
FROM accounts WHERE user_id = $1;

-- limits-find-spend
-- server/core/numbers/limits/queries.ts
-- $1 userId int4, $2 priceMicros int8, $3 now timestamptz, $4 dayLimit int8, $5 besides int8, $6 openLimit int4
-- returns: reached text, open_limit int4, day_limit int8, spent int8
SELECT purchase_limit_reached($1, $2::bigint, $3::timestamptz, NULL, COALESCE(accounts.day_spend_limit_micros, $4::bigint), $5::bigint) AS reached,
  COALESCE(open_numbers_limit, $6::integer) AS open_limit,
  COALESCE(day_spend_limit_micros, $4::bigint) AS day_limit,
  spent_since($1, $3::timestamptz - interval '24 hours', $5::bigint) AS spent
FROM accounts WHERE user_id = $1;

-- limits-list-pauses
-- server/core/numbers/limits/queries.ts
-- $1 userId int4, $2 now timestamptz
-- returns: service_code text, country_id int4, until timestamptz
SELECT service_code, country_id, max(until) AS until FROM purchase_pauses
WHERE user_id = $1 AND until > $2 GROUP BY service_code, country_id ORDER BY until, service_code, country_id;

-- limits-pair
-- server/core/numbers/limits/queries.ts
-- $1 serviceCode text, $2 userId int4, $3 countryId int4, $4 now timestamptz
-- returns: blocked bool, paused_until timestamptz
SELECT (SELECT blocked_at IS NOT NULL FROM services WHERE code = $1) AS blocked,
(SELECT max(until) FROM purchase_pauses
  WHERE user_id = $2 AND service_code = $1 AND country_id = $3 AND until > $4) AS paused_until;

-- limits-count-play
-- server/core/numbers/limits/queries/play-open.ts
-- $1 supplierId int4
-- returns: user_id int4, kind text, count int8
SELECT user_id, kind, count(*) FROM (
  SELECT user_id, 'activation' AS kind FROM activations WHERE supplier_id = $1 AND state IN ('reserving', 'waiting', 'received', 'waiting_again')
  UNION ALL SELECT user_id, 'rental' FROM rentals WHERE supplier_id = $1 AND state IN ('reserving', 'active')
) numbers JOIN users ON users.id = user_id WHERE blocked_at IS NULL GROUP BY user_id, kind;
