-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/privacy/deletion/erase-queries.ts: erase-messages, erase-origins, erase-shares, erase-user
-- server/core/privacy/deletion/queries.ts: deletion-cancel, deletion-due, deletion-find, deletion-later, deletion-lock, deletion-open, deletion-reminded, deletion-state, deletion-store

-- erase-messages
-- server/core/privacy/deletion/erase-queries.ts
-- $1 userId int4, $2 limit int8
-- returns: nothing
UPDATE messages SET body = NULL, code = NULL WHERE id IN (
  SELECT m.id FROM activations a JOIN messages m ON m.activation_id = a.id
  WHERE a.user_id = $1 AND (m.body IS NOT NULL OR m.code IS NOT NULL)
  UNION ALL
  SELECT m.id FROM rentals r JOIN messages m ON m.rental_id = r.id
  WHERE r.user_id = $1 AND (m.body IS NOT NULL OR m.code IS NOT NULL)
  LIMIT $2);

-- erase-origins
-- server/core/privacy/deletion/erase-queries.ts
-- $1 userId int4, $2 limit int8
-- returns: nothing
UPDATE payments SET network = NULL, press = NULL WHERE id IN (
  SELECT id FROM payments WHERE user_id = $1 AND (network IS NOT NULL OR press IS NOT NULL) LIMIT $2);

-- erase-shares
-- server/core/privacy/deletion/erase-queries.ts
-- $1 userId int4, $2 now timestamptz
-- returns: nothing
WITH refused AS (
  UPDATE referral_shares s SET state = 'refused', due_micros = 0, look_at = NULL
  FROM (SELECT id, invited_id, due_micros FROM referral_shares WHERE user_id = $1 AND state = 'pending' FOR UPDATE) due
  WHERE s.id = due.id RETURNING due.invited_id, due.due_micros AS micros
)
UPDATE referral_invitations i SET state = 'barred', changed_at = $2,
  due_micros = due_micros - COALESCE((SELECT sum(micros) FROM refused r WHERE r.invited_id = i.invited_id), 0)
WHERE i.user_id = $1;

-- erase-user
-- server/core/privacy/deletion/erase-queries.ts
-- $1 now timestamptz, $2 userId int4
-- returns: nothing
UPDATE users SET email = NULL, name = '', password_hash = NULL, settings = '{}', utm = '{}', email_verified_at = NULL,
  signed_in_at = NULL, blocked_at = COALESCE(blocked_at, $1), signed_out_at = $1, erased_at = COALESCE(erased_at, $1)
WHERE id = $2;

-- deletion-cancel
-- server/core/privacy/deletion/queries.ts
-- $1 userId int4, $2 now timestamptz
-- returns: nothing
UPDATE account_deletions SET state = 'cancelled', ended_at = $2, look_at = NULL
WHERE user_id = $1 AND state = 'waiting' AND NOT is_guest;

-- deletion-due
-- server/core/privacy/deletion/queries.ts
-- $1 now timestamptz, $2 limit int8
-- returns: id int8, user_id int4, state text, asked_by text, gives_up_micros int8, asked_at timestamptz, due_at timestamptz, reminded_at timestamptz, ended_at timestamptz
SELECT id, user_id, state, asked_by, gives_up_micros, asked_at, due_at, reminded_at, ended_at FROM account_deletions WHERE look_at <= $1 ORDER BY look_at LIMIT $2;

-- deletion-find
-- server/core/privacy/deletion/queries.ts
-- $1 userId int4
-- returns: id int8, user_id int4, state text, asked_by text, gives_up_micros int8, asked_at timestamptz, due_at timestamptz, reminded_at timestamptz, ended_at timestamptz
SELECT id, user_id, state, asked_by, gives_up_micros, asked_at, due_at, reminded_at, ended_at FROM account_deletions WHERE user_id = $1 AND state = 'waiting';

-- deletion-later
-- server/core/privacy/deletion/queries.ts
-- $1 id int8, $2 lookAt timestamptz
-- returns: nothing
UPDATE account_deletions SET look_at = $2 WHERE id = $1 AND look_at IS NOT NULL;

-- deletion-lock
-- server/core/privacy/deletion/queries.ts
-- $1 id int8, $2 state text
-- returns: id int8, user_id int4, state text, asked_by text, gives_up_micros int8, asked_at timestamptz, due_at timestamptz, reminded_at timestamptz, ended_at timestamptz
SELECT id, user_id, state, asked_by, gives_up_micros, asked_at, due_at, reminded_at, ended_at FROM account_deletions WHERE id = $1 AND state = $2 FOR UPDATE;

-- deletion-open
-- server/core/privacy/deletion/queries.ts
-- $1 userId int4, $2 givesUpMicros int8
-- returns: activations bool, rentals bool, preorders bool, payments bool, disputes bool, withdrawals bool, tickets bool, debt bool, balance bool, left_micros int8, currency text
SELECT
  EXISTS (SELECT FROM activations WHERE user_id = $1
      AND state IN ('reserving', 'waiting', 'received', 'waiting_again')) AS activations,
  EXISTS (SELECT FROM rentals WHERE user_id = $1 AND state IN ('reserving', 'active')) AS rentals,
  EXISTS (SELECT FROM preorders WHERE user_id = $1 AND state IN ('waiting', 'buying')) AS preorders,
  EXISTS (SELECT FROM payments WHERE user_id = $1 AND state IN ('created', 'pending', 'confirming')) AS payments,
  EXISTS (SELECT FROM payments p JOIN reversals r ON r.payment_id = p.id
    WHERE p.user_id = $1 AND r.state IN ('asked', 'open')) AS disputes,
  EXISTS (SELECT FROM referral_withdrawals WHERE user_id = $1 AND state IN ('asked', 'approved')) AS withdrawals,
  EXISTS (SELECT FROM support_tickets WHERE user_id = $1 AND state = 'open')
  AND NOT EXISTS (SELECT FROM account_deletions
    WHERE user_id = $1 AND state = 'waiting' AND is_guest) AS tickets,
  debt_micros > 0 AS debt,
  available_micros + referral_micros > $2 AS balance,
  available_micros + referral_micros AS left_micros, currency
FROM accounts WHERE user_id = $1;

-- deletion-reminded
-- server/core/privacy/deletion/queries.ts
-- $1 now timestamptz, $2 lookAt timestamptz, $3 id int8
-- returns: nothing
UPDATE account_deletions SET reminded_at = $1, look_at = $2
WHERE id = $3 AND state = 'waiting' AND reminded_at IS NULL;

-- deletion-state
-- server/core/privacy/deletion/queries.ts
-- $1 state text, $2 lookAt timestamptz, $3 now timestamptz, $4 id int8
-- returns: nothing
UPDATE account_deletions SET state = $1, look_at = $2,
  ended_at = CASE WHEN $1 = 'erasing' THEN $3::timestamptz ELSE ended_at END
WHERE id = $4;

-- deletion-store
-- server/core/privacy/deletion/queries.ts
-- $1 userId int4, $2 askedBy text, $3 givesUpMicros int8, $4 now timestamptz, $5 dueAt timestamptz, $6 lookAt timestamptz
-- returns: id int8, user_id int4, state text, asked_by text, gives_up_micros int8, asked_at timestamptz, due_at timestamptz, reminded_at timestamptz, ended_at timestamptz, is_new bool
INSERT INTO account_deletions AS d (user_id, asked_by, gives_up_micros, asked_at, due_at, look_at)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (user_id) WHERE state <> 'cancelled' DO UPDATE
SET gives_up_micros = CASE WHEN d.is_guest THEN d.gives_up_micros ELSE excluded.gives_up_micros END,
  due_at = LEAST(d.due_at, excluded.due_at),
  look_at = LEAST(d.look_at, excluded.look_at)
WHERE d.state = 'waiting'
RETURNING id, user_id, state, asked_by, gives_up_micros, asked_at, due_at, reminded_at, ended_at, xmax = 0 AS is_new;
