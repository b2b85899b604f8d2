-- Numbers of our own range rented out whole: who rents a number has it alone, whatever the service.

-- `rented`: in somebody's hands, sold for nothing else. `retired`: was rented as a whole and had messages, so that its renter
-- may have opened accounts anywhere: never sold again. It stands with the number because every sale locks the number, and
-- looks at it again once it has the lock.
ALTER TABLE smpp_numbers ADD COLUMN rent_state text NOT NULL DEFAULT 'free'
  CONSTRAINT smpp_numbers_rent_state CHECK (rent_state IN ('free', 'rented', 'retired'));
DROP INDEX smpp_numbers_by_country;
DROP INDEX smpp_numbers_by_operator;
CREATE INDEX smpp_numbers_by_country ON smpp_numbers (supplier_id, country_id, position)
  WHERE enabled AND rent_state = 'free';
CREATE INDEX smpp_numbers_by_operator ON smpp_numbers (supplier_id, country_id, operator, position)
  WHERE enabled AND rent_state = 'free';

-- Of a rental: for how long, extensions included; null: an activation.
ALTER TABLE smpp_leases ADD COLUMN hours integer CONSTRAINT smpp_leases_hours_positive CHECK (hours > 0);
-- The last judge of "rented to one at a time".
CREATE UNIQUE INDEX smpp_leases_one_renter ON smpp_leases (phone) WHERE state = 'leased' AND hours IS NOT NULL;

-- One row an extension, by our key for it: asked again, it is answered the same.
CREATE TABLE smpp_rent_extensions (
  supplier_id integer NOT NULL CONSTRAINT smpp_rent_extensions_supplier REFERENCES suppliers (id) ON DELETE RESTRICT,
  reference   text NOT NULL,
  lease       text NOT NULL,
  hours       integer NOT NULL,
  -- null: refused.
  cost_micros bigint,
  created_at  timestamptz NOT NULL,
  CONSTRAINT smpp_rent_extensions_reference PRIMARY KEY (supplier_id, reference)
);
