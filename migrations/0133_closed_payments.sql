-- When its payer gave a payment up. Until now both times of it were set to that moment, and nothing else did so.
ALTER TABLE payments ADD COLUMN closed_at timestamptz;
UPDATE payments SET closed_at = changed_at WHERE state = 'expired' AND changed_at = expires_at;

-- Coins of any gateway may wait for a rate, not only those of a chain.
UPDATE alarms SET name = 'coin-rate' || substr(name, length('chain-rate') + 1) WHERE name LIKE 'chain-rate %';
