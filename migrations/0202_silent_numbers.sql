-- Sales in a row through which no message came to a number of ours. Too many set it aside: `silent_at`, and not `enabled`.
ALTER TABLE smpp_numbers ADD COLUMN silent_sales integer NOT NULL DEFAULT 0, ADD COLUMN silent_at timestamptz,
  ADD CONSTRAINT smpp_numbers_silent CHECK (silent_at IS NULL OR NOT enabled);
CREATE INDEX smpp_numbers_silent ON smpp_numbers (supplier_id, phone) WHERE silent_at IS NOT NULL;

-- Spent for the service without ever having had a code for it.
ALTER TABLE smpp_number_uses ADD COLUMN silent_at timestamptz;
CREATE INDEX smpp_number_uses_silent ON smpp_number_uses (supplier_id, service_code, phone) WHERE silent_at IS NOT NULL;
