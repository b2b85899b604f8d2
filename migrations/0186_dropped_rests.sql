-- Rests that went back to their payer: a refund that fails after all brings them back.
ALTER TABLE coin_deposits ADD COLUMN dropped_at timestamptz
  CONSTRAINT coin_deposits_dropped CHECK (dropped_at IS NULL OR rest_micros = 0);
