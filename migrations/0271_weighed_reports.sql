-- Of an account that has bought too much in vain no report counts for others (money/accounts.ts). Earlier ones did.
ALTER TABLE used_reports ADD COLUMN weighed boolean NOT NULL DEFAULT true;
ALTER TABLE used_reports ALTER COLUMN weighed DROP DEFAULT;
