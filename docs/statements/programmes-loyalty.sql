-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/programmes/loyalty/queries.ts: loyalty-counted, loyalty-free-bounds, loyalty-period-at, loyalty-period-insert, loyalty-period-paid, loyalty-periods-due, loyalty-periods-of-payment, loyalty-periods-reopen, loyalty-ranks, loyalty-ranks-insert, loyalty-reversal-counted, loyalty-reversals, loyalty-reward-find, loyalty-reward-store, loyalty-rewards, loyalty-uncounted

-- loyalty-counted
-- server/core/programmes/loyalty/queries.ts
-- $1 userId int4, $2 beginsAt timestamptz, $3 endsAt timestamptz
-- returns: micros int8
SELECT COALESCE(sum(micros), 0)::bigint AS micros
FROM (SELECT p.user_id, d.at,
    d.amount_micros - LEAST(d.amount_micros, GREATEST(0, back.micros - newer.micros)) AS micros
  FROM deposits d JOIN payments p ON p.id = d.payment_id
  JOIN transfers t ON t.deposit_id = d.id AND t.kind = 'topup'
  CROSS JOIN LATERAL (SELECT COALESCE(sum(amount_micros), 0) AS micros FROM reversals
    WHERE payment_id = p.id AND state NOT IN ('failed', 'won')) back
  CROSS JOIN LATERAL (SELECT COALESCE(sum(amount_micros), 0) AS micros FROM deposits
    WHERE payment_id = p.id AND id > d.id) newer WHERE p.user_id = $1 AND d.at >= $2 AND d.at < $3) parts;

-- loyalty-free-bounds
-- server/core/programmes/loyalty/queries.ts
-- $1 period text, $2 now timestamptz, $3 timeZone text
-- returns: begins_at timestamptz, ends_at timestamptz
WITH plain AS (
  SELECT date_trunc($1, $2::timestamptz AT TIME ZONE $3) AT TIME ZONE $3 AS begins_at,
  (date_trunc($1, $2::timestamptz AT TIME ZONE $3) + ('1 ' || $1)::interval)
    AT TIME ZONE $3 AS ends_at
)
SELECT GREATEST(begins_at, (SELECT max(ends_at) FROM loyalty_periods WHERE ends_at <= $2)) AS begins_at,
  LEAST(ends_at, (SELECT min(begins_at) FROM loyalty_periods WHERE begins_at > $2)) AS ends_at
FROM plain;

-- loyalty-period-at
-- server/core/programmes/loyalty/queries.ts
-- $1 now timestamptz
-- returns: id int4, kind text, time_zone text, begins_at timestamptz, ends_at timestamptz
SELECT id, kind, time_zone, begins_at, ends_at FROM loyalty_periods WHERE begins_at <= $1 AND ends_at > $1;

-- loyalty-period-insert
-- server/core/programmes/loyalty/queries.ts
-- $1 period text, $2 timeZone text, $3 begins_at timestamptz, $4 ends_at timestamptz
-- returns: id int4
INSERT INTO loyalty_periods (kind, time_zone, begins_at, ends_at)
VALUES ($1, $2, $3, $4) ON CONFLICT ON CONSTRAINT loyalty_periods_apart DO NOTHING RETURNING id;

-- loyalty-period-paid
-- server/core/programmes/loyalty/queries.ts
-- $1 id int4, $2 now timestamptz
-- returns: nothing
UPDATE loyalty_periods SET paid_at = $2 WHERE id = $1;

-- loyalty-periods-due
-- server/core/programmes/loyalty/queries.ts
-- $1 endedBefore timestamptz, $2 limit int8
-- returns: id int4, kind text, time_zone text, begins_at timestamptz, ends_at timestamptz
SELECT id, kind, time_zone, begins_at, ends_at FROM loyalty_periods WHERE paid_at IS NULL AND ends_at <= $1 ORDER BY ends_at LIMIT $2;

-- loyalty-periods-of-payment
-- server/core/programmes/loyalty/queries.ts
-- $1 endedBefore timestamptz, $2 paymentId int8, $3 limit int8
-- returns: id int4, kind text, time_zone text, begins_at timestamptz, ends_at timestamptz
SELECT id, kind, time_zone, begins_at, ends_at FROM loyalty_periods l WHERE ends_at <= $1 AND EXISTS (SELECT FROM deposits d
  WHERE d.payment_id = $2 AND d.at >= l.begins_at AND d.at < l.ends_at) ORDER BY ends_at LIMIT $3;

-- loyalty-periods-reopen
-- server/core/programmes/loyalty/queries.ts
-- $1 endedBefore timestamptz
-- returns: nothing
UPDATE loyalty_periods SET paid_at = NULL WHERE paid_at IS NOT NULL AND ends_at > $1;

-- loyalty-ranks
-- server/core/programmes/loyalty/queries.ts
-- $1 periodId int4, $2 currency text
-- returns: topUpMicros int8, points int4
SELECT top_up_micros AS "topUpMicros", points FROM loyalty_ranks WHERE period_id = $1 AND currency = $2
ORDER BY top_up_micros;

-- loyalty-ranks-insert
-- server/core/programmes/loyalty/queries.ts
-- $1 periodId int4, $2 currency text, $3 limits int8[], $4 points int4[]
-- returns: nothing
INSERT INTO loyalty_ranks (period_id, currency, top_up_micros, points)
SELECT $1, $2, top_up_micros, points FROM unnest($3::bigint[], $4::integer[]) AS rank (top_up_micros, points);

-- loyalty-reversal-counted
-- server/core/programmes/loyalty/queries.ts
-- $1 id int8, $2 state text
-- returns: nothing
UPDATE reversals SET counted_state = $2 WHERE id = $1;

-- loyalty-reversals
-- server/core/programmes/loyalty/queries.ts
-- $1 limit int8
-- returns: id int8, user_id int4, payment_id int8, state text
SELECT r.id, p.user_id, r.payment_id, r.state FROM reversals r JOIN payments p ON p.id = r.payment_id
WHERE r.counted_state IS DISTINCT FROM r.state ORDER BY r.id LIMIT $1;

-- loyalty-reward-find
-- server/core/programmes/loyalty/queries.ts
-- $1 userId int4, $2 periodId int4
-- returns: id int8, top_up_micros int8, points int4, reward_micros int8, changes int4
SELECT id, top_up_micros, points, reward_micros, changes FROM loyalty_rewards WHERE user_id = $1 AND period_id = $2;

-- loyalty-reward-store
-- server/core/programmes/loyalty/queries.ts
-- $1 userId int4, $2 periodId int4, $3 currency text, $4 topUpMicros int8, $5 points int4, $6 rewardMicros int8, $7 now timestamptz
-- returns: id int8, top_up_micros int8, points int4, reward_micros int8, changes int4
INSERT INTO loyalty_rewards AS r (user_id, period_id, currency, top_up_micros, points, reward_micros, changed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT ON CONSTRAINT loyalty_rewards_once DO UPDATE SET top_up_micros = excluded.top_up_micros,
  points = excluded.points, reward_micros = excluded.reward_micros, changes = r.changes + 1, changed_at = excluded.changed_at
RETURNING id, top_up_micros, points, reward_micros, changes;

-- loyalty-rewards
-- server/core/programmes/loyalty/queries.ts
-- $1 userId int4, $2 limit int8
-- returns: time_zone text, begins_at timestamptz, ends_at timestamptz, top_up_micros int8, points int4, reward_micros int8
SELECT l.time_zone, l.begins_at, l.ends_at, r.top_up_micros, r.points, r.reward_micros
FROM loyalty_rewards r JOIN loyalty_periods l ON l.id = r.period_id
WHERE r.user_id = $1 AND (r.reward_micros > 0 OR r.changes > 1) ORDER BY l.begins_at DESC LIMIT $2;

-- loyalty-uncounted
-- server/core/programmes/loyalty/queries.ts
-- $1 beginsAt timestamptz, $2 endsAt timestamptz, $3 after int4, $4 periodId int4, $5 limit int8
-- returns: user_id int4
SELECT counted.user_id FROM (
  SELECT user_id, sum(micros) AS micros FROM (SELECT p.user_id, d.at,
      d.amount_micros - LEAST(d.amount_micros, GREATEST(0, back.micros - newer.micros)) AS micros
    FROM deposits d JOIN payments p ON p.id = d.payment_id
    JOIN transfers t ON t.deposit_id = d.id AND t.kind = 'topup'
    CROSS JOIN LATERAL (SELECT COALESCE(sum(amount_micros), 0) AS micros FROM reversals
      WHERE payment_id = p.id AND state NOT IN ('failed', 'won')) back
    CROSS JOIN LATERAL (SELECT COALESCE(sum(amount_micros), 0) AS micros FROM deposits
      WHERE payment_id = p.id AND id > d.id) newer WHERE d.at >= $1 AND d.at < $2 AND p.user_id > $3) parts
  GROUP BY user_id
) counted LEFT JOIN loyalty_rewards r ON r.user_id = counted.user_id AND r.period_id = $4
WHERE counted.micros <> COALESCE(r.top_up_micros, 0) ORDER BY counted.user_id LIMIT $5;
