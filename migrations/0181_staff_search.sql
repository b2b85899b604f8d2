-- What staff search the queue by, each with an index: no search reads all tickets.
CREATE INDEX support_tickets_activation ON support_tickets (activation_id) WHERE activation_id IS NOT NULL;
CREATE INDEX support_tickets_rental ON support_tickets (rental_id) WHERE rental_id IS NOT NULL;
CREATE INDEX support_tickets_payment ON support_tickets (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX support_tickets_subject ON support_tickets USING gin (to_tsvector('simple', subject));
-- The beginning of an address.
CREATE INDEX users_email_prefix ON users (lower(email) text_pattern_ops);
