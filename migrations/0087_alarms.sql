-- What staff were told is wrong, until they were told that it is over: once each, whatever restarts in between.
CREATE TABLE alarms (
  name     text PRIMARY KEY,
  began_at timestamptz NOT NULL
);
