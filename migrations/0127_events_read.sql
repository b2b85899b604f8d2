-- What an event said when it came: a secret that was replaced since forges nothing of before.
ALTER TABLE gateway_events ADD COLUMN read jsonb;
-- SHA-256 of a refused body, of which only the beginning is kept.
ALTER TABLE gateway_events ADD COLUMN body_hash bytea;

-- Those that are kept for a week.
DROP INDEX gateway_events_refused;
CREATE INDEX gateway_events_refused ON gateway_events (received_at) WHERE state = 'refused';
CREATE INDEX gateway_events_repeated ON gateway_events (received_at) WHERE state = 'repeated';
