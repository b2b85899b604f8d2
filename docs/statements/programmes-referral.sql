-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/programmes/referral/queries/count.ts: referral-count-back, referral-count-paid, referral-progress, referral-progress-store
-- server/core/programmes/referral/queries/decisions.ts: referral-decide, referral-refuse-shares, referral-resume-shares
-- server/core/programmes/referral/queries/figures.ts: referral-figures, referral-share-days
-- server/core/programmes/referral/queries/given-share.ts: referral-given-share
-- server/core/programmes/referral/queries/members.ts: referral-blocked, referral-traces
-- server/core/programmes/referral/queries/settle.ts: referral-due, referral-due-shares, referral-invitations-add, referral-invitations-lock, referral-shares-store, referral-suspect
-- server/core/programmes/referral/queries/withdrawals.ts: referral-withdrawal-by-key, referral-withdrawal-insert, referral-withdrawal-move, referral-withdrawal-open, referral-withdrawals-count, referral-withdrawals-list

-- referral-count-back
-- server/core/programmes/referral/queries/count.ts
-- $1 after int8, $2 through int8, $3 now timestamptz
-- returns: nothing
WITH gone AS (
  SELECT activation_id, charge_id, payment_id,
    CASE WHEN kind IN ('refund', 'payment_refund', 'dispute') THEN amount_micros ELSE -amount_micros END AS micros
  FROM transfers WHERE id > $1 AND id <= $2
    AND kind IN ('refund', 'payment_refund', 'dispute', 'payment_refund_failed', 'dispute_won')
), back AS (
  SELECT id, sum(micros)::bigint AS micros FROM (
    SELECT s.id, micros FROM gone JOIN referral_shares s ON s.activation_id = gone.activation_id
    UNION ALL SELECT s.id, micros FROM gone JOIN referral_shares s ON s.charge_id = gone.charge_id
    UNION ALL SELECT s.id, micros FROM gone JOIN referral_shares s ON s.payment_id = gone.payment_id
  ) parts GROUP BY id
)
UPDATE referral_shares s SET back_micros = greatest(0, s.back_micros + back.micros), look_at = $3
FROM back WHERE s.id = back.id;

-- referral-count-paid
-- server/core/programmes/referral/queries/count.ts
-- $1 after int8, $2 through int8, $3 kind text, $4 months int4, $5 now timestamptz, $6 percent int4, $7 pendingDays int4
-- returns: nothing
WITH paid AS (
  SELECT t.user_id AS invited_id, u.referrer_id AS user_id, t.activation_id, t.charge_id, t.payment_id, t.currency AS base_currency,
    a.currency, sum(t.amount_micros)::bigint AS micros, min(t.at) AS at
  FROM transfers t JOIN users u ON u.id = t.user_id JOIN accounts a ON a.user_id = u.referrer_id
  JOIN users r ON r.id = u.referrer_id AND r.erased_at IS NULL
  WHERE t.id > $1 AND t.id <= $2 AND t.kind = $3 AND u.referrer_id <> t.user_id
    AND t.at < u.created_at + make_interval(months => $4)
    AND NOT EXISTS (SELECT FROM referral_invitations i WHERE i.invited_id = t.user_id AND i.state = 'barred')
  GROUP BY t.user_id, u.referrer_id, t.activation_id, t.charge_id, t.payment_id, t.currency, a.currency
), invited AS (
  INSERT INTO referral_invitations (invited_id, user_id, created_at, changed_at)
  SELECT DISTINCT invited_id, user_id, $5::timestamptz, $5::timestamptz FROM paid
  ON CONFLICT (invited_id) DO NOTHING
)
INSERT INTO referral_shares AS s (user_id, invited_id, activation_id, charge_id, payment_id, gross_micros, base_currency, percent,
    currency, created_at, available_at, look_at)
SELECT user_id, invited_id, activation_id, charge_id, payment_id, micros, base_currency, $6, currency, at,
  at + make_interval(days => $7), $5 FROM paid
ORDER BY activation_id, charge_id, payment_id
ON CONFLICT ON CONSTRAINT referral_shares_once
  DO UPDATE SET gross_micros = s.gross_micros + excluded.gross_micros, look_at = $5;

-- referral-progress
-- server/core/programmes/referral/queries/count.ts
-- returns: through int8
SELECT through_transfer AS through FROM referral_progress FOR UPDATE;

-- referral-progress-store
-- server/core/programmes/referral/queries/count.ts
-- $1 through int8
-- returns: nothing
UPDATE referral_progress SET through_transfer = $1;

-- referral-decide
-- server/core/programmes/referral/queries/decisions.ts
-- $1 state text, $2 lessMicros int8, $3 now timestamptz, $4 invitedId int4
-- returns: nothing
UPDATE referral_invitations SET state = $1, due_micros = due_micros - $2, changed_at = $3
WHERE invited_id = $4;

-- referral-refuse-shares
-- server/core/programmes/referral/queries/decisions.ts
-- $1 invitedId int4
-- returns: micros int8
WITH refused AS (
  SELECT id, due_micros FROM referral_shares WHERE invited_id = $1 AND state = 'pending' FOR UPDATE
), stored AS (
  UPDATE referral_shares s SET state = 'refused', due_micros = 0, look_at = NULL FROM refused WHERE s.id = refused.id
)
SELECT COALESCE(sum(due_micros), 0)::bigint AS micros FROM refused;

-- referral-resume-shares
-- server/core/programmes/referral/queries/decisions.ts
-- $1 invitedId int4, $2 now timestamptz
-- returns: micros int8
WITH resumed AS (
  UPDATE referral_shares SET look_at = LEAST(available_at, $2) WHERE invited_id = $1 AND state = 'pending' RETURNING due_micros
)
SELECT COALESCE(sum(due_micros), 0)::bigint AS micros FROM resumed;

-- referral-figures
-- server/core/programmes/referral/queries/figures.ts
-- $1 userId int4
-- returns: available_micros int8, pending_micros int8, checking_micros int8, withdrawn_micros int8, invited int8, paying int8
WITH waiting AS (
  SELECT COALESCE(sum(s.due_micros) FILTER (WHERE i.state <> 'suspected'), 0)::bigint AS pending,
    COALESCE(sum(s.due_micros) FILTER (WHERE i.state = 'suspected'), 0)::bigint AS checking
  FROM referral_invitations i JOIN referral_shares s ON s.invited_id = i.invited_id AND s.state = 'pending' WHERE i.user_id = $1
)
SELECT (SELECT referral_micros FROM accounts WHERE user_id = $1) AS available_micros,
  pending AS pending_micros, checking AS checking_micros,
(SELECT COALESCE(sum(amount_micros), 0)::bigint FROM referral_withdrawals WHERE user_id = $1 AND state <> 'refused') AS withdrawn_micros,
(SELECT count(*) FROM users WHERE referrer_id = $1) AS invited,
(SELECT count(*) FROM referral_invitations WHERE user_id = $1) AS paying
FROM waiting;

-- referral-share-days
-- server/core/programmes/referral/queries/figures.ts
-- $1 userId int4, $2 mostDays int4, $3 offset int8, $4 limit int8
-- returns: date text, state text, micros int8, shares int8, available_at timestamptz, total int8
WITH RECURSIVE days (day, place) AS (
  SELECT (SELECT date_trunc('day', s.created_at, 'UTC') FROM referral_shares s
    WHERE s.user_id = $1 AND s.state <> 'refused' AND s.due_micros > 0 AND s.created_at < 'infinity' ORDER BY s.created_at DESC LIMIT 1), 1
  UNION ALL SELECT (SELECT date_trunc('day', s.created_at, 'UTC') FROM referral_shares s
    WHERE s.user_id = $1 AND s.state <> 'refused' AND s.due_micros > 0 AND s.created_at < days.day ORDER BY s.created_at DESC LIMIT 1), place + 1 FROM days WHERE day IS NOT NULL AND place < $2
), page AS (
  SELECT day FROM days WHERE day IS NOT NULL ORDER BY day DESC OFFSET $3 LIMIT $4
)
SELECT to_char(page.day AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, listed.*, counted.total
FROM (SELECT count(*) AS total FROM days WHERE day IS NOT NULL) counted LEFT JOIN page ON true LEFT JOIN LATERAL (
  SELECT CASE WHEN s.state = 'available' THEN 'available' WHEN i.state = 'suspected' THEN 'checking' ELSE 'pending' END AS state, sum(s.due_micros)::bigint AS micros, count(*) AS shares,
    max(s.available_at) FILTER (WHERE s.state = 'pending' AND i.state <> 'suspected') AS available_at
  FROM referral_shares s JOIN referral_invitations i USING (invited_id)
  WHERE s.user_id = $1 AND s.state <> 'refused' AND s.due_micros > 0 AND s.created_at >= page.day AND s.created_at < page.day + interval '24 hours' GROUP BY 1
) listed ON true
ORDER BY page.day DESC, listed.state;

-- referral-given-share
-- server/core/programmes/referral/queries/given-share.ts
-- $1 paymentId int8
-- returns: id int8, user_id int4, email text, gross_micros int8, base_currency text, percent int4, currency text, rate_micros int8, due_micros int8, given_micros int8, referral_micros int8, available_micros int8, back_micros int8
SELECT s.id, s.user_id, u.email, s.gross_micros, s.base_currency, s.percent, s.currency, s.rate_micros, s.due_micros,
  s.given_micros, a.referral_micros, a.available_micros,
(SELECT COALESCE(sum(CASE WHEN kind IN ('payment_refund', 'dispute') THEN amount_micros ELSE -amount_micros END), 0)::bigint
  FROM transfers WHERE payment_id = s.payment_id
    AND kind IN ('payment_refund', 'dispute', 'payment_refund_failed', 'dispute_won')) AS back_micros
FROM referral_shares s JOIN accounts a ON a.user_id = s.user_id JOIN users u ON u.id = s.user_id
WHERE s.payment_id = $1 AND s.state = 'available';

-- referral-blocked
-- server/core/programmes/referral/queries/members.ts
-- $1 userId int4
-- returns: blocked bool
SELECT blocked_at IS NOT NULL AS blocked FROM users WHERE id = $1;

-- referral-traces
-- server/core/programmes/referral/queries/members.ts
-- $1 invitedId int4, $2 userId int4, $3 limit int8
-- returns: what text, value text, invited bool
WITH people AS (
  SELECT $1::integer AS id, true AS invited UNION ALL SELECT $2::integer, false
  UNION ALL (SELECT invited_id, false FROM referral_invitations WHERE user_id = $2 AND invited_id <> $1
    ORDER BY invited_id DESC LIMIT $3)
), used AS (
  SELECT p.invited, s.device_hash, s.address FROM people p CROSS JOIN LATERAL
  (SELECT device_hash, address FROM sessions WHERE user_id = p.id ORDER BY id DESC LIMIT 50) s
)
SELECT DISTINCT 'email' AS what, u.email AS value, p.invited FROM people p JOIN users u ON u.id = p.id WHERE u.email IS NOT NULL
UNION SELECT 'device', encode(device_hash, 'hex'), invited FROM used WHERE device_hash IS NOT NULL
UNION SELECT 'network', address, invited FROM used
UNION SELECT 'payer', encode(d.payer_hash, 'hex'), p.invited
FROM people p JOIN payments m ON m.user_id = p.id JOIN deposits d ON d.payment_id = m.id WHERE d.payer_hash IS NOT NULL;

-- referral-due
-- server/core/programmes/referral/queries/settle.ts
-- $1 now timestamptz, $2 without int4[], $3 limit int8
-- returns: user_id int4
SELECT user_id FROM (SELECT user_id, look_at FROM referral_shares WHERE look_at <= $1 AND user_id <> ALL ($2::integer[])
  ORDER BY look_at LIMIT 2000) due GROUP BY user_id ORDER BY min(look_at) LIMIT $3;

-- referral-due-shares
-- server/core/programmes/referral/queries/settle.ts
-- $1 userId int4, $2 now timestamptz, $3 limit int8
-- returns: id int8, invited_id int4, gross_micros int8, back_micros int8, base_currency text, percent int4, currency text, rate_micros int8, rate_source text, due_micros int8, given_micros int8, moves int4, state text, available_at timestamptz
SELECT id, invited_id, gross_micros, back_micros, base_currency, percent, currency, rate_micros, rate_source, due_micros,
  given_micros, moves, state, available_at
FROM referral_shares WHERE user_id = $1 AND look_at <= $2 ORDER BY id LIMIT $3 FOR UPDATE;

-- referral-invitations-add
-- server/core/programmes/referral/queries/settle.ts
-- $1 ids int4[], $2 micros int8[]
-- returns: nothing
UPDATE referral_invitations i SET due_micros = i.due_micros + n.micros
FROM unnest($1::integer[], $2::bigint[]) AS n (id, micros) WHERE i.invited_id = n.id;

-- referral-invitations-lock
-- server/core/programmes/referral/queries/settle.ts
-- $1 invitedIds int4[]
-- returns: invited_id int4, state text, due_micros int8
SELECT invited_id, state, due_micros FROM referral_invitations WHERE invited_id = ANY ($1)
ORDER BY invited_id FOR NO KEY UPDATE;

-- referral-shares-store
-- server/core/programmes/referral/queries/settle.ts
-- $1 ids int8[], $2 rates int8[], $3 sources text[], $4 dues int8[], $5 given int8[], $6 moves int4[], $7 states text[], $8 looks timestamptz[]
-- returns: nothing
UPDATE referral_shares s SET rate_micros = n.rate_micros, rate_source = n.rate_source, due_micros = n.due_micros,
  given_micros = n.given_micros, moves = n.moves, state = n.state, look_at = n.look_at
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::integer[],
    $7::text[], $8::timestamptz[]) AS n (id, rate_micros, rate_source, due_micros, given_micros, moves, state, look_at)
WHERE s.id = n.id;

-- referral-suspect
-- server/core/programmes/referral/queries/settle.ts
-- $1 reasons text[], $2 now timestamptz, $3 invitedId int4
-- returns: nothing
UPDATE referral_invitations SET state = 'suspected', reasons = $1, changed_at = $2
WHERE invited_id = $3 AND state = 'counted';

-- referral-withdrawal-by-key
-- server/core/programmes/referral/queries/withdrawals.ts
-- $1 userId int4, $2 key text
-- returns: id int8, user_id int4, amount_micros int8, currency text, target text, network text, address text, tx text, state text, input_hash text, created_at timestamptz, changed_at timestamptz
SELECT id, user_id, amount_micros, currency, target, network, address, tx, state, input_hash, created_at, changed_at FROM referral_withdrawals WHERE user_id = $1 AND idempotency_key = $2;

-- referral-withdrawal-insert
-- server/core/programmes/referral/queries/withdrawals.ts
-- $1 user_id int4, $2 amount_micros int8, $3 currency text, $4 target text, $5 network text, $6 address text, $7 state text, $8 input_hash text, $9 idempotency_key text, $10 now timestamptz
-- returns: id int8, user_id int4, amount_micros int8, currency text, target text, network text, address text, tx text, state text, input_hash text, created_at timestamptz, changed_at timestamptz
INSERT INTO referral_withdrawals (user_id, amount_micros, currency, target, network, address, state, input_hash,
    idempotency_key, created_at, changed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
RETURNING id, user_id, amount_micros, currency, target, network, address, tx, state, input_hash, created_at, changed_at;

-- referral-withdrawal-move
-- server/core/programmes/referral/queries/withdrawals.ts
-- $1 to text, $2 txId text, $3 now timestamptz, $4 id int8, $5 before text[]
-- returns: id int8, user_id int4, amount_micros int8, currency text, target text, network text, address text, tx text, state text, input_hash text, created_at timestamptz, changed_at timestamptz
UPDATE referral_withdrawals SET state = $1, tx = $2, changed_at = $3
WHERE id = $4 AND target = 'address' AND state = ANY ($5) RETURNING id, user_id, amount_micros, currency, target, network, address, tx, state, input_hash, created_at, changed_at;

-- referral-withdrawal-open
-- server/core/programmes/referral/queries/withdrawals.ts
-- $1 userId int4
-- returns: id int8, user_id int4, amount_micros int8, currency text, target text, network text, address text, tx text, state text, input_hash text, created_at timestamptz, changed_at timestamptz
SELECT id, user_id, amount_micros, currency, target, network, address, tx, state, input_hash, created_at, changed_at FROM referral_withdrawals WHERE user_id = $1 AND state IN ('asked', 'approved');

-- referral-withdrawals-count
-- server/core/programmes/referral/queries/withdrawals.ts
-- $1 userId int4, $2 search text
-- returns: count int8
SELECT count(*) FROM referral_withdrawals WHERE user_id = $1 AND ($2::text IS NULL OR id::text LIKE $2 OR address ILIKE $2 OR tx ILIKE $2);

-- referral-withdrawals-list
-- server/core/programmes/referral/queries/withdrawals.ts
-- $1 userId int4, $2 search text, $3 offset int8, $4 limit int8
-- returns: id int8, user_id int4, amount_micros int8, currency text, target text, network text, address text, tx text, state text, input_hash text, created_at timestamptz, changed_at timestamptz
SELECT id, user_id, amount_micros, currency, target, network, address, tx, state, input_hash, created_at, changed_at FROM referral_withdrawals WHERE user_id = $1 AND ($2::text IS NULL OR id::text LIKE $2 OR address ILIKE $2 OR tx ILIKE $2) ORDER BY id DESC OFFSET $3 LIMIT $4;
