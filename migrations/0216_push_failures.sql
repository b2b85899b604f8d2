-- A browser is asked again at growing pauses. It is forgotten when it says that it has gone, or after days of failures.
ALTER TABLE push_subscriptions
  DROP COLUMN failures,
  -- Since the last message that was taken; null: none has failed.
  ADD COLUMN failing_since timestamptz,
  ADD COLUMN failed_at timestamptz,
  -- Nothing is sent any more; the row tells its person, and the page to subscribe again.
  ADD COLUMN gone_at timestamptz,
  ADD CONSTRAINT push_subscriptions_failing CHECK ((failing_since IS NULL) = (failed_at IS NULL));
