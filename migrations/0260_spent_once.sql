-- Which numbers a buyer has had for a service without a code: of an untrusted one the first counts, and none is offered again.
CREATE INDEX smpp_leases_tried ON smpp_leases (buyer_id, service_code, phone) WHERE state = 'ended' AND ending IN ('cancelled', 'expired');

-- What a buyer's week in a pair was, before more of it is counted (catalog/offers/outcome-queries.ts).
CREATE INDEX user_hours_pair ON user_hours (user_id, service_code, country_id, hour) WHERE mode = 'activation';
