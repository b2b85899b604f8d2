-- A rating at 5sim that is low rings until it is well above the limit again.
ALTER TABLE resell_accounts ADD COLUMN rating_low boolean NOT NULL DEFAULT false;
