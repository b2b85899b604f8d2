-- Which numbers a buyer has had for a service without a code: of an untrusted one the first counts, and none is offered again.
CREATE INDEX smpp_leases_tried ON smpp_leases (buyer_id, service_code, phone) WHERE state = 'ended' AND ending IN ('cancelled', 'expired');

-- When the operator last put it back on sale: what was tried before counts no more.
ALTER TABLE smpp_number_uses ADD COLUMN restored_at timestamptz;

-- `purchases` has a buyer's misses up to a limit; this has the others.
ALTER TABLE outcome_hours ADD COLUMN uncounted integer NOT NULL DEFAULT 0;

-- What a buyer's week in a pair was, before more of it is counted (catalog/offers/outcome-queries.ts).
CREATE INDEX user_hours_pair ON user_hours (user_id, service_code, country_id, hour) WHERE mode = 'activation';

-- Messages that were dropped because an earlier one of other words had their id.
CREATE TABLE reused_message_ids (
  hour        timestamptz NOT NULL,
  supplier_id integer NOT NULL CONSTRAINT reused_message_ids_supplier REFERENCES suppliers (id),
  messages    integer NOT NULL CONSTRAINT reused_message_ids_some CHECK (messages > 0),
  last_at     timestamptz NOT NULL,
  PRIMARY KEY (hour, supplier_id)
);
