-- Refunds by hand that may be typed again after a lost answer.

ALTER TABLE reversals ADD COLUMN idempotency_key text;
-- Of the payment and the amount that were typed with the key.
ALTER TABLE reversals ADD COLUMN input_hash text;
ALTER TABLE reversals ADD CONSTRAINT reversals_key_has_input CHECK ((idempotency_key IS NULL) = (input_hash IS NULL));
CREATE UNIQUE INDEX reversals_idempotency ON reversals (idempotency_key) WHERE idempotency_key IS NOT NULL;
