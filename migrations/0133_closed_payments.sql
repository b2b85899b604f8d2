-- When a payer closed a payment before its time: it is over from then on, so nobody waits for it, whatever still comes.
ALTER TABLE payments ADD COLUMN closed_at timestamptz;
ALTER TABLE payments ADD CONSTRAINT payments_closed_is_over
  CHECK (closed_at IS NULL OR closed_at = expires_at AND state NOT IN ('created', 'pending'));
-- Before this only closing set both to one moment.
UPDATE payments SET closed_at = changed_at WHERE state = 'expired' AND changed_at = expires_at;

-- The alarm was named after chains, and vendors of coins raise it as well.
UPDATE alarms SET name = 'coin-rate ' || substr(name, length('chain-rate ') + 1) WHERE name LIKE 'chain-rate %';
