-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/house/rates/queries.ts: rate-doubtful, rate-faults, rate-find, rate-refused, rate-source-noted, rate-sources-due, rate-store

-- rate-doubtful
-- server/house/rates/queries.ts
-- $1 currency text, $2 rubMicros int8, $3 source text, $4 now timestamptz
-- returns: nothing
INSERT INTO rate_history (currency, rub_micros, source, at, taken)
SELECT $1, $2, $3, $4, false
WHERE NOT EXISTS (SELECT FROM (SELECT rub_micros, taken FROM rate_history WHERE currency = $1
  ORDER BY id DESC LIMIT 1) newest WHERE NOT taken AND rub_micros = $2);

-- rate-faults
-- server/house/rates/queries.ts
-- $1 before timestamptz
-- returns: currency text, old bool, doubtful bool
SELECT r.currency, EXISTS (SELECT FROM rate_sources s WHERE s.currency = r.currency AND GREATEST(r.updated_at, s.last_success_at) < $1) AS old,
  NOT COALESCE((SELECT taken FROM rate_history h WHERE h.currency = r.currency ORDER BY id DESC LIMIT 1), true) AS doubtful
FROM exchange_rates r ORDER BY r.currency;

-- rate-find
-- server/house/rates/queries.ts
-- $1 currency text
-- returns: currency text, rub_micros int8, source text, updated_at timestamptz
SELECT currency, rub_micros, source, updated_at FROM exchange_rates WHERE currency = $1;

-- rate-refused
-- server/house/rates/queries.ts
-- $1 currency text
-- returns: rub_micros int8
SELECT rub_micros FROM rate_history WHERE currency = $1 AND NOT taken
  AND (SELECT taken AND source = 'rate:set' FROM rate_history WHERE currency = $1 ORDER BY id DESC LIMIT 1)
ORDER BY id DESC LIMIT 1;

-- rate-source-noted
-- server/house/rates/queries.ts
-- $1 nextAt timestamptz, $2 failure text, $3 now timestamptz, $4 currency text
-- returns: since timestamptz
UPDATE rate_sources s SET next_at = $1,
  failing_since = CASE WHEN $2::text IS NOT NULL THEN COALESCE(s.failing_since, $3) END,
  last_success_at = CASE WHEN $2::text IS NULL THEN $3 ELSE last_success_at END,
  last_failure_at = CASE WHEN $2::text IS NULL THEN last_failure_at ELSE $3 END,
  last_failure = COALESCE($2, last_failure)
FROM (SELECT currency, failing_since AS since FROM rate_sources WHERE currency = $4) was WHERE s.currency = was.currency
RETURNING was.since;

-- rate-sources-due
-- server/house/rates/queries.ts
-- $1 now timestamptz
-- returns: currency text, kind text, url text, pointer text, every_minutes int4
SELECT currency, kind, url, pointer, every_minutes FROM rate_sources WHERE next_at <= $1 ORDER BY currency;

-- rate-store
-- server/house/rates/queries.ts
-- $1 currency text, $2 rubMicros int8, $3 source text, $4 now timestamptz
-- returns: nothing
WITH kept AS (
  INSERT INTO rate_history (currency, rub_micros, source, at, taken) VALUES ($1, $2, $3, $4, true)
)
INSERT INTO exchange_rates (currency, rub_micros, source, updated_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (currency) DO UPDATE SET rub_micros = $2, source = $3, updated_at = $4;
