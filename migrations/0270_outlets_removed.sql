-- An outlet out of service for good: its secrets are forgotten, its orders keep its code.
ALTER TABLE outlets ADD COLUMN removed_at timestamptz;
