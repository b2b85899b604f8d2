-- Some vendors tell of a refund and not of how much: what staff have noted as a part is all that went back then.
ALTER TABLE reversals ADD COLUMN is_part boolean NOT NULL DEFAULT false;
UPDATE reversals r SET is_part = true
WHERE kind = 'refund' AND provider_id IS NULL AND state = 'done'
  AND (SELECT sum(amount_micros) FROM reversals back WHERE back.payment_id = r.payment_id AND back.state NOT IN ('failed', 'won'))
    < (SELECT sum(amount_micros) FROM deposits d WHERE d.payment_id = r.payment_id);

-- What was seen in time keeps its rate as long as it is there: one row a payment, of the transaction that it was.
DELETE FROM coin_sights older USING coin_sights newer
WHERE older.transaction_id = newer.transaction_id AND (older.seen_at, older.asset) < (newer.seen_at, newer.asset);
ALTER TABLE coin_sights
  DROP CONSTRAINT coin_sights_pkey,
  ADD PRIMARY KEY (transaction_id),
  DROP CONSTRAINT coin_sights_coins,
  -- What was due stands for a sum that is not told.
  DROP COLUMN is_told,
  -- Of them these are certain, and outlast the day in which the others have to become so.
  ADD COLUMN firm_coins numeric NOT NULL DEFAULT 0,
  -- Null: the vendor names none.
  ADD COLUMN txid text,
  -- When the vendor was asked last: webhooks of before say nothing new.
  ADD COLUMN looked_at timestamptz NOT NULL DEFAULT now(),
  ADD CONSTRAINT coin_sights_coins CHECK (firm_coins BETWEEN 0 AND coins);
UPDATE coin_sights SET looked_at = seen_at;
ALTER TABLE coin_sights ALTER COLUMN looked_at DROP DEFAULT, ALTER COLUMN firm_coins DROP DEFAULT;
