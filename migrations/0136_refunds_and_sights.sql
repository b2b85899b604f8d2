-- Some vendors tell of a refund and not of how much: what staff have noted as a part is all that went back then.
ALTER TABLE reversals ADD COLUMN is_part boolean NOT NULL DEFAULT false;
UPDATE reversals r SET is_part = true
WHERE kind = 'refund' AND provider_id IS NULL AND state = 'done'
  AND (SELECT sum(amount_micros) FROM reversals back WHERE back.payment_id = r.payment_id AND back.state NOT IN ('failed', 'won'))
    < (SELECT sum(amount_micros) FROM deposits d WHERE d.payment_id = r.payment_id);
