-- What routing learns from at start: rentals of the last day.
CREATE INDEX rentals_created ON rentals (created_at);
