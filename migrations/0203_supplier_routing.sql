-- The operator's word on who is asked first at one price, and how often.
ALTER TABLE suppliers
  ADD COLUMN weight_percent integer NOT NULL DEFAULT 100 CONSTRAINT suppliers_weight CHECK (weight_percent BETWEEN 1 AND 1000),
  -- null: no limit.
  ADD COLUMN purchases_per_minute integer CONSTRAINT suppliers_per_minute CHECK (purchases_per_minute > 0);
