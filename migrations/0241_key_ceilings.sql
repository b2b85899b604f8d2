-- What a key pays at most where its purchase names no ceiling (setMaxPrice of SMSHub's programs). An empty service: all of
-- the country that have none of their own.
CREATE TABLE key_ceilings (
  key_id integer NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  country_id integer NOT NULL REFERENCES countries (id),
  service_code text NOT NULL CONSTRAINT key_ceilings_service CHECK (char_length(service_code) <= 40),
  max_price_micros bigint NOT NULL CONSTRAINT key_ceilings_price CHECK (max_price_micros > 0),
  set_at timestamptz NOT NULL,
  CONSTRAINT key_ceilings_pkey PRIMARY KEY (key_id, country_id, service_code)
);
