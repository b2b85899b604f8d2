-- A visitor of the demo who buys without registering: the account ends after a day, unless its guest registers.
ALTER TABLE account_deletions ADD COLUMN is_guest boolean NOT NULL DEFAULT false;
