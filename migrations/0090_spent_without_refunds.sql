-- What staff refund is taken off `spent_micros`, in the hour in which its sale was counted. The sums of before are made anew from the
-- transfers that were counted, which also brings back what a clock that was set back had kept out of them (0089).
DELETE FROM user_hours;
INSERT INTO user_hours (user_id, hour, mode, service_code, country_id, purchases, codes, spent_micros, seconds_counts)
SELECT user_id, hour, mode, service_code, country_id, sum(purchases), sum(codes), sum(spent_micros),
  (SELECT array_agg((SELECT count(*) FROM unnest(array_agg(class)) AS given (one) WHERE one = place)::integer ORDER BY place)
    FROM generate_series(0, 16) place)
FROM (
  SELECT t.user_id, date_trunc('hour', a.outcome_at, 'UTC') AS hour, 'activation' AS mode, a.service_code, a.country_id,
    (t.kind <> 'refund')::integer AS purchases, (t.kind <> 'refund' AND a.first_code_at IS NOT NULL)::integer AS codes,
    CASE t.kind WHEN 'capture' THEN t.amount_micros WHEN 'refund' THEN -t.amount_micros ELSE 0 END AS spent_micros,
    CASE WHEN t.kind <> 'refund' THEN width_bucket(extract(epoch FROM a.first_code_at - a.created_at)::float8,
      '{1,2,3,5,8,12,20,30,45,60,90,120,180,300,600,1200}'::float8[]) END AS class
  FROM transfers t JOIN activations a ON a.id = t.activation_id
  WHERE t.kind IN ('capture', 'release', 'refund') AND a.outcome_at IS NOT NULL AND a.operator IS NOT NULL
    AND t.id <= (SELECT value::bigint FROM settings WHERE key = 'outcomes_through')
  UNION ALL
  SELECT t.user_id, date_trunc('hour', c.settled_at, 'UTC'), 'rent', r.service_code, r.country_id,
    (t.kind = 'capture' AND c.purpose = 'rental')::integer, 0,
    CASE t.kind WHEN 'capture' THEN t.amount_micros ELSE -t.amount_micros END, NULL
  FROM transfers t JOIN charges c ON c.id = t.charge_id JOIN rentals r ON r.id = c.rental_id
  WHERE t.kind IN ('capture', 'refund') AND t.id <= (SELECT value::bigint FROM settings WHERE key = 'outcomes_through')
) counted
GROUP BY user_id, hour, mode, service_code, country_id;
