-- Each start of a process is a node. A node renews `until`, by the clock of this database. Any other node may declare a
-- node dead whose time is over. A dead node stays dead: its process ends, and the next start is another node.
CREATE TABLE nodes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  host text NOT NULL CHECK (length(host) <= 255),
  pid integer NOT NULL,
  version text NOT NULL CHECK (length(version) <= 40),
  commit text CHECK (length(commit) <= 64),
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  until timestamptz NOT NULL,
  ended_at timestamptz,
  -- The PostgreSQL backend that holds the advisory lock for this node. The start time guards against a reused id.
  lock_pid integer,
  lock_since timestamptz
);

-- Work that one node at a time may do. The lease is over when its node has ended. Each holder has a higher epoch.
CREATE TABLE leases (
  name text PRIMARY KEY CHECK (length(name) <= 80),
  node_id bigint NOT NULL REFERENCES nodes,
  epoch bigint NOT NULL CHECK (epoch > 0)
);

-- The node that buys the number or asks for the extension. Statements that settle an order name it, so that a node that
-- was paused and is dead by now changes nothing. Null in orders of earlier releases.
ALTER TABLE activations ADD COLUMN node_id bigint;
ALTER TABLE rentals ADD COLUMN node_id bigint;
