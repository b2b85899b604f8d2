-- Coins that their vendor does not tell of any more wait for no rate. Null: they are there.
ALTER TABLE coin_deposits ADD COLUMN gone_at timestamptz;
DROP INDEX coin_deposits_waiting;
CREATE INDEX coin_deposits_waiting ON coin_deposits (gateway_id, id) WHERE rest_micros IS NULL AND gone_at IS NULL;
