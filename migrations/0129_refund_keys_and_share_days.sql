-- Refunds by hand that may be typed again after a lost answer.

ALTER TABLE reversals ADD COLUMN idempotency_key text;
-- Of the payment and the amount that were typed with the key.
ALTER TABLE reversals ADD COLUMN input_hash text;
ALTER TABLE reversals ADD CONSTRAINT reversals_key_has_input CHECK ((idempotency_key IS NULL) = (input_hash IS NULL));
CREATE UNIQUE INDEX reversals_idempotency ON reversals (idempotency_key) WHERE idempotency_key IS NOT NULL;

-- The days of a member's shares are looked for one by one, and a page of them is read.
CREATE INDEX referral_shares_days ON referral_shares (user_id, created_at DESC) WHERE state <> 'refused' AND due_micros > 0;
DROP INDEX referral_shares_user;
