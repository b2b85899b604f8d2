-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/programs/boot/measures/queries.ts: measure-accounts, measure-alarms, measure-jobs, measure-moved, measure-newest-transfer, measure-stocks, measure-waiting

-- measure-accounts
-- server/programs/boot/measures/queries.ts
-- returns: currency text, available int8, held int8, debt int8
SELECT currency, sum(available_micros)::bigint AS available, sum(held_micros)::bigint AS held, sum(debt_micros)::bigint AS debt
FROM accounts WHERE NOT sandbox GROUP BY currency;

-- measure-alarms
-- server/programs/boot/measures/queries.ts
-- returns: kind text, count int4
SELECT split_part(name, ' ', 1) AS kind, count(*)::integer AS count FROM alarms GROUP BY 1;

-- measure-jobs
-- server/programs/boot/measures/queries.ts
-- returns: task text, due int4, oldest_seconds float8, given_up int4
SELECT t.identifier AS task,
  count(*) FILTER (WHERE j.due_at <= now() AND j.attempts < j.max_attempts)::integer AS due,
  COALESCE(extract(epoch FROM now() - min(j.due_at) FILTER (WHERE j.due_at <= now() AND j.attempts < j.max_attempts)), 0)::float8
  AS oldest_seconds,
  count(*) FILTER (WHERE j.attempts >= j.max_attempts)::integer AS given_up
FROM graphile_worker._private_tasks t LEFT JOIN (
  SELECT task_id, attempts, max_attempts, CASE WHEN attempts > 0 THEN created_at ELSE run_at END AS due_at
  FROM graphile_worker._private_jobs WHERE locked_at IS NULL
) j ON j.task_id = t.id
GROUP BY t.identifier;

-- measure-moved
-- server/programs/boot/measures/queries.ts
-- $1 from int8, $2 after timestamptz, $3 until timestamptz
-- returns: kind text, currency text, moves int4, micros int8
SELECT t.kind, t.currency, count(*)::integer AS moves, sum(t.amount_micros)::bigint AS micros
FROM transfers t JOIN accounts a USING (user_id)
WHERE t.id > $1 AND t.at > $2 AND t.at <= $3 AND NOT a.sandbox GROUP BY t.kind, t.currency;

-- measure-newest-transfer
-- server/programs/boot/measures/queries.ts
-- returns: id int8
SELECT max(id) AS id FROM transfers;

-- measure-stocks
-- server/programs/boot/measures/queries.ts
-- returns: code text, stock int8
SELECT s.code, h.stock FROM suppliers s JOIN supplier_standings h ON h.supplier_id = s.id
WHERE s.removed_at IS NULL AND NOT s.sandbox AND h.stock IS NOT NULL;

-- measure-waiting
-- server/programs/boot/measures/queries.ts
-- returns: count int4, oldest timestamptz
SELECT count(*)::integer AS count, min(a.created_at) AS oldest
FROM activations a JOIN suppliers s ON s.id = a.supplier_id AND NOT s.sandbox
WHERE a.state = 'waiting' AND a.state IN ('waiting', 'received', 'waiting_again');
