-- How each supplier stands by itself; `suppliers.paused_at` is the operator's word, which wins.
CREATE TABLE supplier_standings (
  supplier_id  integer PRIMARY KEY CONSTRAINT supplier_standings_supplier REFERENCES suppliers (id),
  state        text NOT NULL DEFAULT 'sound' CONSTRAINT supplier_standings_state CHECK (state IN ('sound', 'aside')),
  cause        text CONSTRAINT supplier_standings_cause CHECK (cause IN ('errors', 'share')),
  reason       text,
  since        timestamptz,
  -- From then on single purchases go to it.
  try_at       timestamptz,
  -- Set aside so often without a sound time in between: the wait grows.
  falls        integer NOT NULL DEFAULT 0,
  -- Grows with each change: whoever decided by an older one changes nothing.
  version      integer NOT NULL DEFAULT 0,
  -- Purchases made before do not count in its share.
  judged_from  timestamptz,
  last_sms_at  timestamptz,
  stock        bigint,
  balance_micros   bigint,
  balance_currency text CONSTRAINT supplier_standings_currency CHECK (balance_currency IN ('rub', 'usd')),
  balance_at       timestamptz,
  CONSTRAINT supplier_standings_aside CHECK ((state = 'aside') = (cause IS NOT NULL) AND (state = 'sound' OR try_at IS NOT NULL)),
  CONSTRAINT supplier_standings_balance CHECK (num_nulls(balance_micros, balance_currency, balance_at) IN (0, 3))
);

-- Every change of a supplier's state with its reason, in the operator's language of commands.
CREATE TABLE supplier_events (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  supplier_id integer NOT NULL CONSTRAINT supplier_events_supplier REFERENCES suppliers (id),
  at          timestamptz NOT NULL,
  kind        text NOT NULL,
  reason      text NOT NULL
);
CREATE INDEX supplier_events_supplier ON supplier_events (supplier_id, id DESC);
CREATE INDEX supplier_events_at ON supplier_events (at);

-- Calls to each supplier by the hour. milliseconds_counts[i] counts answers within the i-th bound of call-bounds.ts.
CREATE TABLE supplier_call_hours (
  hour                timestamptz NOT NULL,
  supplier_id         integer NOT NULL CONSTRAINT supplier_call_hours_supplier REFERENCES suppliers (id),
  call                text NOT NULL,
  calls               integer NOT NULL,
  errors              integer NOT NULL,
  milliseconds_counts integer[] NOT NULL,
  PRIMARY KEY (hour, supplier_id, call)
);

-- The newest outcomes of one supplier, by which its share is judged.
CREATE INDEX activations_supplier_outcome ON activations (supplier_id, outcome_at) WHERE outcome_at IS NOT NULL;
