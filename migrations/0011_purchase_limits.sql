-- What the buyer and the price allow, kept with the purchase: whoever finds out later what a supplier sold (after a crash)
-- judges it as the purchase itself would have.
ALTER TABLE activations
  -- The most that this attempt may cost us, in the currency of its offer. Null: reserved before this was kept.
  ADD COLUMN cost_limit_micros bigint,
  -- Numbers that begin with one of these are not wanted.
  ADD COLUMN excluded_prefixes text[] NOT NULL DEFAULT '{}';
