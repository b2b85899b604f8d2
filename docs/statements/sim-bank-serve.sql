-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/adapters/sim-bank/serve/queries/orders.ts: outlet-order-carried-out, outlet-order-insert, outlet-order-told, outlet-orders-forgotten, outlet-orders-to-do
-- server/adapters/sim-bank/serve/queries/outlets.ts: outlet-by-id, outlet-find, outlet-reseal, outlets-to-open
-- server/adapters/sim-bank/serve/queries/pushes.ts: outlet-push-accepted, outlet-push-refused, outlet-pushes-due, outlet-pushes-outlets-due, outlet-pushes-queue

-- outlet-order-carried-out
-- server/adapters/sim-bank/serve/queries/orders.ts
-- $1 activationId int8
-- returns: nothing
UPDATE outlet_orders SET carried_out = true WHERE activation_id = $1 AND told IS NOT NULL;

-- outlet-order-insert
-- server/adapters/sim-bank/serve/queries/orders.ts
-- $1 activationId int8, $2 outletId int4, $3 now timestamptz, $4 watchedUntil timestamptz, $5 told int2
-- returns: nothing
INSERT INTO outlet_orders (activation_id, outlet_id, sold_at, watched_until, told, told_at)
VALUES ($1, $2, $3, $4, $5, CASE WHEN $5::smallint IS NOT NULL THEN $3::timestamptz END)
ON CONFLICT (activation_id) DO UPDATE SET told = COALESCE(outlet_orders.told, excluded.told),
  told_at = COALESCE(outlet_orders.told_at, excluded.told_at);

-- outlet-order-told
-- server/adapters/sim-bank/serve/queries/orders.ts
-- $1 told int2, $2 now timestamptz, $3 activationId int8, $4 outletId int4
-- returns: nothing
UPDATE outlet_orders SET told = COALESCE(told, $1), told_at = COALESCE(told_at, $2),
  refunded_at = CASE WHEN $1::smallint = 5 THEN COALESCE(refunded_at, $2) ELSE refunded_at END
WHERE activation_id = $3 AND outlet_id = $4;

-- outlet-orders-forgotten
-- server/adapters/sim-bank/serve/queries/orders.ts
-- $1 boughtBefore timestamptz, $2 limit int8
-- returns: activationId int8, userId int4
SELECT a.id AS "activationId", a.user_id AS "userId" FROM activations a
WHERE a.user_id IN (SELECT k.user_id FROM outlets o JOIN api_keys k ON k.id = o.api_key_id)
  AND a.state IN ('waiting', 'received', 'waiting_again') AND a.channel = 'agent' AND a.created_at <= $1
  AND NOT EXISTS (SELECT FROM outlet_orders o WHERE o.activation_id = a.id)
ORDER BY a.id LIMIT $2;

-- outlet-orders-to-do
-- server/adapters/sim-bank/serve/queries/orders.ts
-- $1 activationId int8, $2 cancellableBefore timestamptz, $3 limit int8
-- returns: activationId int8, userId int4, told int2
SELECT o.activation_id AS "activationId", a.user_id AS "userId", o.told
FROM outlet_orders o JOIN activations a ON a.id = o.activation_id
WHERE o.told IS NOT NULL AND NOT o.carried_out AND ($1::bigint IS NULL OR o.activation_id = $1)
  AND (a.state <> 'waiting' OR o.told = 1 OR a.created_at <= $2)
ORDER BY o.told_at LIMIT $3;

-- outlet-by-id
-- server/adapters/sim-bank/serve/queries/outlets.ts
-- $1 id int4
-- returns: id int4, code text, settings jsonb, pausedAt timestamptz, keyId int4, userId int4, currency text, availableMicros int8, scopes text[], addresses text[], shut bool
SELECT o.id, o.code, o.settings, o.paused_at AS "pausedAt", COALESCE(k.id, 0) AS "keyId",
  COALESCE(k.user_id, 0) AS "userId", COALESCE(a.currency, 'rub') AS currency, COALESCE(a.available_micros, 0) AS "availableMicros",
  COALESCE(k.scopes, '{}') AS scopes, COALESCE(k.addresses, '{}') AS addresses,
  k.revoked_at IS NOT NULL OR u.blocked_at IS NOT NULL OR a.user_id IS NULL AS shut
FROM outlets o LEFT JOIN api_keys k ON k.id = o.api_key_id LEFT JOIN users u ON u.id = k.user_id
LEFT JOIN accounts a ON a.user_id = u.id WHERE o.id = $1 AND o.removed_at IS NULL;

-- outlet-find
-- server/adapters/sim-bank/serve/queries/outlets.ts
-- $1 code text
-- returns: id int4, code text, settings jsonb, pausedAt timestamptz, keyId int4, userId int4, currency text, availableMicros int8, scopes text[], addresses text[], shut bool
SELECT o.id, o.code, o.settings, o.paused_at AS "pausedAt", COALESCE(k.id, 0) AS "keyId",
  COALESCE(k.user_id, 0) AS "userId", COALESCE(a.currency, 'rub') AS currency, COALESCE(a.available_micros, 0) AS "availableMicros",
  COALESCE(k.scopes, '{}') AS scopes, COALESCE(k.addresses, '{}') AS addresses,
  k.revoked_at IS NOT NULL OR u.blocked_at IS NOT NULL OR a.user_id IS NULL AS shut
FROM outlets o LEFT JOIN api_keys k ON k.id = o.api_key_id LEFT JOIN users u ON u.id = k.user_id
LEFT JOIN accounts a ON a.user_id = u.id WHERE o.code = $1 AND o.removed_at IS NULL;

-- outlet-reseal
-- server/adapters/sim-bank/serve/queries/outlets.ts
-- $1 id int4, $2 jsonb, $3 jsonb
-- returns: nothing
UPDATE outlets SET settings = $3 WHERE id = $1 AND settings = $2;

-- outlets-to-open
-- server/adapters/sim-bank/serve/queries/outlets.ts
-- returns: id int4, code text, settings jsonb, pausedAt timestamptz, keyId int4, userId int4, currency text, availableMicros int8, scopes text[], addresses text[], shut bool
SELECT o.id, o.code, o.settings, o.paused_at AS "pausedAt", COALESCE(k.id, 0) AS "keyId",
  COALESCE(k.user_id, 0) AS "userId", COALESCE(a.currency, 'rub') AS currency, COALESCE(a.available_micros, 0) AS "availableMicros",
  COALESCE(k.scopes, '{}') AS scopes, COALESCE(k.addresses, '{}') AS addresses,
  k.revoked_at IS NOT NULL OR u.blocked_at IS NOT NULL OR a.user_id IS NULL AS shut
FROM outlets o LEFT JOIN api_keys k ON k.id = o.api_key_id LEFT JOIN users u ON u.id = k.user_id
LEFT JOIN accounts a ON a.user_id = u.id WHERE o.removed_at IS NULL ORDER BY o.id;

-- outlet-push-accepted
-- server/adapters/sim-bank/serve/queries/pushes.ts
-- $1 messageId int8, $2 now timestamptz
-- returns: nothing
UPDATE outlet_pushes SET state = 'accepted', tries = tries + 1, settled_at = $2, reason = NULL
WHERE message_id = $1 AND state = 'due';

-- outlet-push-refused
-- server/adapters/sim-bank/serve/queries/pushes.ts
-- $1 reason text, $2 dueAt timestamptz, $3 givenUpBefore timestamptz, $4 now timestamptz, $5 messageId int8
-- returns: state text
UPDATE outlet_pushes SET tries = tries + 1, reason = $1, due_at = $2,
  state = CASE WHEN made_at < $3 THEN 'given_up' ELSE 'due' END,
  settled_at = CASE WHEN made_at < $3 THEN $4::timestamptz END
WHERE message_id = $5 AND state = 'due' RETURNING state;

-- outlet-pushes-due
-- server/adapters/sim-bank/serve/queries/pushes.ts
-- $1 outletId int4, $2 now timestamptz, $3 heldSince timestamptz, $4 limit int8
-- returns: messageId int8, phone text, sender text, text text, tries int4, madeAt timestamptz
SELECT m.id AS "messageId", m.phone, m.sender, COALESCE(m.body, '') AS text, p.tries, p.made_at AS "madeAt"
FROM outlet_pushes p JOIN messages m ON m.id = p.message_id
WHERE p.outlet_id = $1 AND p.state = 'due' AND p.due_at <= $2
  AND NOT EXISTS (SELECT FROM outlet_pushes e WHERE e.activation_id = p.activation_id AND e.message_id < p.message_id
      AND e.state = 'due' AND e.due_at > $2 AND e.made_at > $3)
ORDER BY (SELECT max(e.due_at) FROM outlet_pushes e WHERE e.activation_id = p.activation_id AND e.message_id <= p.message_id
    AND e.state = 'due' AND (e.message_id = p.message_id OR e.made_at > $3)), p.message_id
LIMIT $4;

-- outlet-pushes-outlets-due
-- server/adapters/sim-bank/serve/queries/pushes.ts
-- $1 now timestamptz
-- returns: id int4
SELECT o.id FROM outlets o
WHERE EXISTS (SELECT FROM outlet_pushes p WHERE p.outlet_id = o.id AND p.state = 'due' AND p.due_at <= $1);

-- outlet-pushes-queue
-- server/adapters/sim-bank/serve/queries/pushes.ts
-- $1 now timestamptz, $2 limit int8
-- returns: nothing
INSERT INTO outlet_pushes (message_id, activation_id, outlet_id, state, made_at, due_at)
SELECT m.id, o.activation_id, o.outlet_id, 'due', $1, $1
FROM outlet_orders o JOIN messages m ON m.activation_id = o.activation_id
WHERE o.watched_until > $1 AND m.body IS NOT NULL AND NOT (CASE WHEN m.given = 'late' THEN m.withheld
    WHEN m.given = ANY ('{notice,folded}'::text[]) THEN m.activation_id IS NOT NULL
    AND NOT EXISTS (SELECT FROM activations paid WHERE paid.id = m.activation_id AND paid.money = 'captured')
    ELSE false END) AND m.given IS DISTINCT FROM 'folded'
  AND NOT EXISTS (SELECT FROM outlet_pushes p WHERE p.message_id = m.id)
LIMIT $2 ON CONFLICT DO NOTHING;
