-- A node's id is the epoch of its leases, because each start is a new node. So a lease needs no epoch of its own.
ALTER TABLE leases DROP COLUMN epoch;

-- A node that leaves finishes its requests, but does no other work. `sockets` is the number of its live sockets.
ALTER TABLE nodes ADD COLUMN state text NOT NULL DEFAULT 'stand_by' CHECK (state IN ('stand_by', 'serves', 'leaves'));
ALTER TABLE nodes ADD COLUMN sockets integer NOT NULL DEFAULT 0 CHECK (sockets >= 0);

-- The lead of the node's clock over the clock of this database; null until the node serves.
ALTER TABLE nodes ADD COLUMN ahead_ms integer;
