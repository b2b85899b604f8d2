-- SIM cards as things: which slot of which device holds a number of our own, and whether it works.

CREATE TABLE sims (
  phone       text PRIMARY KEY CONSTRAINT sims_number REFERENCES smpp_numbers (phone) ON DELETE RESTRICT,
  supplier_id integer NOT NULL CONSTRAINT sims_supplier REFERENCES suppliers (id) ON DELETE RESTRICT,
  -- As its sender names them: the id of a phone, the name of a modem.
  device      text NOT NULL CONSTRAINT sims_device_length CHECK (length(device) BETWEEN 1 AND 64),
  slot        text NOT NULL CONSTRAINT sims_slot_length CHECK (length(slot) BETWEEN 1 AND 16),
  state       text NOT NULL DEFAULT 'in_use' CONSTRAINT sims_state CHECK (state IN ('in_use', 'resting', 'retired')),
  -- Why it rests or is retired.
  reason      text,
  state_since timestamptz NOT NULL,
  rest_until  timestamptz,
  -- Sales before count for nothing.
  added_at    timestamptz NOT NULL,
  CONSTRAINT sims_rest CHECK ((state = 'resting') = (rest_until IS NOT NULL))
);
-- A card that was taken out leaves its slot to the next.
CREATE UNIQUE INDEX sims_slot_once ON sims (supplier_id, device, slot) WHERE state <> 'retired';
