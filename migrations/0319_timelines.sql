-- The timelines of PostgreSQL on which this database has lived. A new one begins when a stand-by is promoted, or a
-- physical backup is restored. Then the newest changes may be lost, and outside systems still know their ids. After a
-- dump is restored, this table is emptied by hand (docs/operations/backup.md), which has the same effect.
CREATE TABLE timelines (
  system_identifier bigint NOT NULL,
  timeline integer NOT NULL,
  found_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- False for the first timeline of a cluster: the database was made there, or copied to it.
  is_fail_over boolean NOT NULL,
  PRIMARY KEY (system_identifier, timeline)
);

-- Notes the timeline. If it is new, all sequences leave out more ids than a fail-over can lose: a lost order's id in a
-- supplier's books must not become the id of somebody else's order. Returns 'fail-over', 'copied', or null. A hosted
-- PostgreSQL may tell nobody its timeline; then nothing is noted.
CREATE FUNCTION note_timeline() RETURNS text LANGUAGE plpgsql AS $function$
DECLARE
  cluster bigint;
  line integer;
  promoted boolean;
BEGIN
  BEGIN
    SELECT system_identifier, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer
      INTO cluster, line FROM pg_control_system();
  EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR object_not_in_prerequisite_state THEN
    RETURN NULL;
  END;
  IF EXISTS (SELECT FROM timelines WHERE system_identifier = cluster AND timeline = line) THEN RETURN NULL; END IF;
  promoted := EXISTS (SELECT FROM timelines WHERE system_identifier = cluster);
  INSERT INTO timelines (system_identifier, timeline, is_fail_over) VALUES (cluster, line, promoted)
    ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass,
      COALESCE(last_value, start_value) + CASE WHEN data_type = 'bigint'::regtype THEN 1000000 ELSE 10000 END)
    FROM pg_sequences WHERE schemaname = current_schema();
  RETURN CASE WHEN promoted THEN 'fail-over' ELSE 'copied' END;
END $function$;

-- The timeline at which this release meets the database is no change.
DO $$ BEGIN
  INSERT INTO timelines (system_identifier, timeline, is_fail_over)
    SELECT system_identifier, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer, false
    FROM pg_control_system();
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR object_not_in_prerequisite_state THEN NULL;
END $$;
