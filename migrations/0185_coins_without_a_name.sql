-- Coins that their vendor has not named for so long that nobody waits for it any more. Staff credit them by hand.
ALTER TABLE coin_deposits ADD COLUMN given_up_at timestamptz
  CONSTRAINT coin_deposits_given_up CHECK (given_up_at IS NULL OR asset IS NULL AND rest_micros = 0);

-- Nothing has ever read it.
ALTER TABLE payments DROP COLUMN changed_at;
