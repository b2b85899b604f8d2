-- The table of events becomes the first part of a table of the same name, by months (server/house/jobs/months.ts). No row is
-- copied or read: the constraint of 0316 proves where its rows end. A statement that waits meanwhile finds the new table.
-- Months have no key together, because it would need an index over all old rows under a lock. Nothing refers to an event, the
-- sequence gives each id once, and each part has its own primary key.
DO $$
DECLARE
  ends text := (SELECT substring(pg_get_constraintdef(oid) FROM '''([^'']+)''') FROM pg_constraint
    WHERE conrelid = 'events'::regclass AND conname = 'events_until');
  reached bigint;
BEGIN
  LOCK TABLE events;
  reached := pg_sequence_last_value(pg_get_serial_sequence('events', 'id')::regclass);
  EXECUTE 'ALTER TABLE events ALTER COLUMN id DROP IDENTITY';
  EXECUTE 'ALTER TABLE events RENAME TO events_first';
  EXECUTE 'ALTER INDEX events_pkey RENAME TO events_first_pkey';
  EXECUTE 'ALTER INDEX events_subject RENAME TO events_first_subject';
  CREATE TABLE events (
    id bigint GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL,
    kind text NOT NULL,
    user_id integer,
    subject_id bigint,
    data jsonb
  ) PARTITION BY RANGE (at);
  CREATE INDEX events_subject ON events (subject_id, id);
  CREATE TRIGGER events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  IF reached IS NOT NULL THEN
    PERFORM setval(pg_get_serial_sequence('events', 'id'), reached);
  END IF;
  EXECUTE format('ALTER TABLE events ATTACH PARTITION events_first FOR VALUES FROM (MINVALUE) TO (%L)', ends);
  ALTER TABLE events_first DROP CONSTRAINT events_until;
  -- Takes events of a month that nobody made, such as while release 0.1.0 serves.
  CREATE TABLE events_other PARTITION OF events DEFAULT;
  ALTER TABLE events_other ADD PRIMARY KEY (id);
  CREATE TRIGGER events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON events_other
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
END $$;
