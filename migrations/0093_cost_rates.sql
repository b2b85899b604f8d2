-- What a sale cost is told with its currency and how many roubles a dollar was then, so that margins can be counted later.
ALTER TABLE activations ADD COLUMN cost_currency text;
ALTER TABLE activations ADD COLUMN cost_rate_micros bigint;
ALTER TABLE rentals ADD COLUMN cost_rate_micros bigint;
