-- What was counted in the statistics is marked by the transfer that settled it, not by the time it bears: after a clock was set
-- back, what came was older than the mark, and was never counted.
INSERT INTO settings (key, value, updated_at)
SELECT 'outcomes_through', to_jsonb((SELECT COALESCE(max(id), 0) FROM transfers WHERE at <= (value #>> '{}')::timestamptz)), updated_at
FROM settings WHERE key = 'outcomes_until';
