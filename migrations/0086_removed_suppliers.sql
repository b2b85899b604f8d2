-- A supplier that staff took out of service for good: its orders and books still name it.
ALTER TABLE suppliers ADD COLUMN removed_at timestamptz;
