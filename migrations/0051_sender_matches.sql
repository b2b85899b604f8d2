-- Accounts that got a message of a service for certain, by its sender: enough of them teach the sender. Kept for 30 days.
CREATE TABLE sender_matches (
  sender       text NOT NULL CONSTRAINT sender_matches_sender CHECK (length(sender) BETWEEN 1 AND 64),
  service_code text NOT NULL CONSTRAINT sender_matches_service REFERENCES services (code),
  user_id      integer NOT NULL CONSTRAINT sender_matches_user REFERENCES users (id),
  matched_at   timestamptz NOT NULL,
  PRIMARY KEY (sender, service_code, user_id)
);
CREATE INDEX sender_matches_by_user ON sender_matches (user_id);
CREATE INDEX sender_matches_by_age ON sender_matches (matched_at);
CREATE INDEX service_signs_by_sender ON service_signs (lower(value)) WHERE kind = 'sender';
