-- Generated, see "SQL as it is sent" in docs/architecture.md.
--
-- server/core/accounts/two-factor/queries.ts: two-factor-confirm, two-factor-take-step

-- two-factor-confirm
-- server/core/accounts/two-factor/queries.ts
-- $1 now timestamptz, $2 step int8, $3 userId int4, $4 secret jsonb
-- returns: nothing
UPDATE two_factor SET confirmed_at = $1, last_step = $2
WHERE user_id = $3 AND secret = $4 AND confirmed_at IS NULL;

-- two-factor-take-step
-- server/core/accounts/two-factor/queries.ts
-- $1 step int8, $2 newest int8, $3 userId int4
-- returns: is_taken bool
UPDATE two_factor t SET last_step = CASE WHEN was.last_step < $1 THEN $1::bigint ELSE $2 END
FROM (SELECT user_id, last_step FROM two_factor WHERE user_id = $3 AND confirmed_at IS NOT NULL FOR UPDATE) was
WHERE t.user_id = was.user_id AND (was.last_step < $1 OR was.last_step > $2)
RETURNING was.last_step < $1 AS is_taken;
