-- Grows when the command line changes the settings of a supplier: a running server restarts that supplier then.
ALTER TABLE suppliers ADD COLUMN settings_version integer NOT NULL DEFAULT 1;
