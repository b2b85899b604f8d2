-- Whom an alarm is about, and whether anybody was told that it began: while it is muted nobody is.
ALTER TABLE alarms ADD COLUMN about text NOT NULL DEFAULT '', ADD COLUMN told_at timestamptz;
UPDATE alarms SET about = CASE WHEN position(' ' IN name) = 0 THEN '' ELSE substr(name, position(' ' IN name) + 1) END,
  told_at = began_at;

-- The name of one alarm, or a kind: all of it.
CREATE TABLE alarm_mutes (
  name     text PRIMARY KEY,
  until    timestamptz NOT NULL,
  muted_at timestamptz NOT NULL
);
