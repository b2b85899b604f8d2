-- graphile_worker.add_job sends a NOTIFY, and NOTIFY takes one lock for all of PostgreSQL at commit: every end of an order
-- queued there. This one sends none; the process that queued it wakes its own workers (server/jobs/runner.ts).
-- A task or queue that graphile-worker has not seen yet is made by its own function, once.
CREATE FUNCTION queue_job(task text, data json, most_tries integer, at_priority integer DEFAULT 0, in_queue text DEFAULT NULL)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  made bigint;
BEGIN
  IF in_queue IS NULL THEN
    INSERT INTO graphile_worker._private_jobs (task_id, payload, max_attempts, priority)
    SELECT id, data, most_tries, at_priority FROM graphile_worker._private_tasks WHERE identifier = task
    RETURNING id INTO made;
  ELSE
    INSERT INTO graphile_worker._private_jobs (task_id, job_queue_id, payload, max_attempts, priority)
    SELECT t.id, q.id, data, most_tries, at_priority
    FROM graphile_worker._private_tasks t, graphile_worker._private_job_queues q
    WHERE t.identifier = task AND q.queue_name = in_queue
    RETURNING id INTO made;
  END IF;
  IF made IS NULL THEN
    made := (graphile_worker.add_job(task, data, queue_name := in_queue, max_attempts := most_tries, priority := at_priority)).id;
  END IF;
  RETURN made;
END $$;

-- Makes one delivery for each endpoint of this buyer that wants the event. The key of the program that made an endpoint
-- must stand and read codes. Most buyers have no endpoint, and pay one look-up. Always true: it stands in a WHERE.
CREATE FUNCTION raise_hooks(buyer integer, told_event text, about text, message bigint, told jsonb, told_at timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM webhook_endpoints w WHERE w.user_id = buyer AND w.state = 'on') THEN
    INSERT INTO webhook_deliveries (endpoint_id, event, subject, message_id, details, at, next_at)
    SELECT w.id, told_event, about, message, told, told_at, told_at FROM webhook_endpoints w
    WHERE w.user_id = buyer AND w.state = 'on' AND told_event = ANY (w.events)
      AND (w.api_key_id IS NULL OR EXISTS (SELECT FROM api_keys k
        WHERE k.id = w.api_key_id AND k.revoked_at IS NULL AND 'read' = ANY (k.scopes)));
  END IF;
  RETURN true;
END $$;

-- A message for a buyer: one row and one job for a chat that wants codes, one job for whoever has a browser for push, and
-- the endpoints. Most buyers have none of the three, and pay one look-up.
CREATE FUNCTION tell_code(message bigint, buyer integer, told_event text, about text, told jsonb, told_at timestamptz,
  OUT queued boolean, OUT hooked boolean) LANGUAGE plpgsql AS $$
DECLARE
  has_chat    boolean;
  has_browser boolean;
BEGIN
  SELECT EXISTS (SELECT FROM telegram_chats c WHERE c.user_id = buyer AND c.wants_codes AND c.closed_at IS NULL),
    EXISTS (SELECT FROM push_subscriptions p WHERE p.user_id = buyer AND p.gone_at IS NULL),
    EXISTS (SELECT FROM webhook_endpoints w WHERE w.user_id = buyer AND w.state = 'on')
  INTO has_chat, has_browser, hooked;
  queued := has_chat OR has_browser;
  IF has_chat THEN
    INSERT INTO telegram_codes (message_id, user_id, job_id, queued_at)
    VALUES (message, buyer, queue_job('telegram-code', json_build_object('messageId', message::text, 'userId', buyer), 12, 0,
      'telegram-' || buyer % 2), told_at)
    ON CONFLICT ON CONSTRAINT telegram_codes_once DO NOTHING;
  END IF;
  IF has_browser THEN
    -- Before notices: news are told to hundreds at once.
    PERFORM queue_job('push-message', json_build_object('messageId', message::text, 'userId', buyer, 'at', told_at), 10, -10);
  END IF;
  IF hooked THEN
    PERFORM raise_hooks(buyer, told_event, about, message, told, told_at);
  END IF;
END $$;

-- The constraint was a text of 5 KB that PostgreSQL read anew for each statement: a seventh of a purchase. The kinds of
-- every order come first.
CREATE FUNCTION is_transfer(t transfers) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  subjects integer := num_nonnulls(t.activation_id, t.charge_id) + 10 * num_nonnulls(t.payment_id)
    + 100 * num_nonnulls(t.referral_share_id) + 1000 * num_nonnulls(t.referral_withdrawal_id)
    + 10000 * num_nonnulls(t.loyalty_reward_id) + 100000 * num_nonnulls(t.channel_reward_id);
BEGIN
  IF t.kind = 'hold' THEN
    RETURN subjects = 1 AND t.from_account = 'available' AND t.to_account = 'held';
  ELSIF t.kind = 'capture' THEN
    RETURN subjects = 1 AND t.from_account = 'held' AND t.to_account = 'revenue';
  ELSIF t.kind = 'release' THEN
    RETURN subjects = 1 AND t.from_account = 'held' AND t.to_account = 'available';
  END IF;
  RETURN subjects = ANY (CASE
      WHEN t.kind IN ('refund', 'promotion', 'promotion_back') THEN '{1}'
      WHEN t.kind IN ('credit', 'debit', 'repayment', 'forfeit', 'referral_forfeit', 'sandbox_credit') THEN '{0}'
      WHEN t.kind IN ('referral', 'referral_back', 'referral_recall') THEN '{100}'
      WHEN t.kind IN ('referral_withdrawal', 'referral_payout', 'referral_payout_back') THEN '{1000}'
      WHEN t.kind IN ('loyalty', 'loyalty_back') THEN '{10000}'
      WHEN t.kind = 'channel_reward' THEN '{100000}'
      WHEN t.kind = 'debt' THEN '{10,100,10000}'
      ELSE '{10}' END::integer[])
    AND t.kind || ' ' || t.from_account || ' ' || t.to_account IN (
      'refund revenue available', 'credit adjustments available', 'debit available adjustments', 'topup cash available',
      'fee available fees', 'fee_back fees available', 'bonus bonuses available', 'voucher promotions available',
      'rounding rounding available', 'payment_refund available refunds', 'payment_refund_failed refunds available',
      'dispute available disputes', 'dispute_won disputes available', 'bonus_back available bonuses', 'debt debt available',
      'repayment available debt', 'referral referrals referral', 'referral_back referral referrals',
      'referral_recall available referral', 'referral_withdrawal referral available', 'referral_payout referral payouts',
      'referral_payout_back payouts referral', 'loyalty loyalty available', 'loyalty_back available loyalty',
      'forfeit available forfeits', 'referral_forfeit referral forfeits', 'channel_reward promotions available',
      'promotion promotions revenue', 'promotion_back revenue promotions', 'sandbox_credit sandbox available');
END $$;
ALTER TABLE transfers DROP CONSTRAINT transfers_kind;
ALTER TABLE transfers ADD CONSTRAINT transfers_kind CHECK (is_transfer(transfers));
