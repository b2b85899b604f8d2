-- When an outage began: the time of the last failure says only when it was last tried.
ALTER TABLE gateways ADD COLUMN failing_since timestamptz;
ALTER TABLE rate_sources ADD COLUMN failing_since timestamptz;
UPDATE gateways SET failing_since = last_failure_at
  WHERE last_failure_at > COALESCE(last_success_at, '-infinity');
UPDATE rate_sources SET failing_since = last_failure_at
  WHERE last_failure_at > COALESCE(last_success_at, '-infinity');
