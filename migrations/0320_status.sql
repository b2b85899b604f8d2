-- What the page /status shows (docs/status.md): the minutes of each day by the state of a part of the service.
CREATE TABLE status_days (
  day date NOT NULL,
  component text NOT NULL,
  working_minutes integer NOT NULL DEFAULT 0,
  slow_minutes integer NOT NULL DEFAULT 0,
  partly_minutes integer NOT NULL DEFAULT 0,
  down_minutes integer NOT NULL DEFAULT 0,
  -- Minutes without enough purchases, messages or calls to tell a state.
  unknown_minutes integer NOT NULL DEFAULT 0,
  PRIMARY KEY (day, component)
);

-- What staff tell of an outage. `notes` has the first words first: {"at": time, "ru": text, "en": text}.
CREATE TABLE incidents (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  components text[] NOT NULL,
  notes jsonb NOT NULL,
  opened_at timestamptz NOT NULL,
  closed_at timestamptz,
  CONSTRAINT incidents_about CHECK (cardinality(components) > 0),
  CONSTRAINT incidents_told CHECK (jsonb_array_length(notes) BETWEEN 1 AND 50),
  CONSTRAINT incidents_forward CHECK (closed_at >= opened_at)
);
