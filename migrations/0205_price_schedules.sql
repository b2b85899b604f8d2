-- Several rules of one scope may stand: one for good, and others from a moment on. The one that began last is in force until it ends.
ALTER TABLE price_rules
  ADD COLUMN starts_at timestamptz,
  ADD COLUMN ends_at timestamptz,
  ADD CONSTRAINT price_rules_period CHECK (ends_at IS NULL OR (starts_at IS NOT NULL AND ends_at > starts_at));
DROP INDEX price_rules_scope;
CREATE UNIQUE INDEX price_rules_scope ON price_rules
  (COALESCE(service_code, ''), COALESCE(country_id, -1), COALESCE(starts_at, '-infinity'));
