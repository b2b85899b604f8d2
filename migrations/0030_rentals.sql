-- Numbers rented for a period. A rented number belongs to its buyer alone, whatever the service.

CREATE TABLE rentals (
  id                 bigint GENERATED ALWAYS AS IDENTITY (START WITH 500000001) PRIMARY KEY,
  user_id            integer NOT NULL REFERENCES users (id),
  -- `full`: messages of every service.
  service_code       text NOT NULL REFERENCES services (code),
  country_id         integer NOT NULL REFERENCES countries (id),
  -- What the buyer asked for; null: any operator.
  operator_wanted    text,
  operator           text,
  state              text NOT NULL CONSTRAINT rentals_state
    CHECK (state IN ('reserving', 'active', 'finished', 'expired', 'cancelled', 'revoked', 'failed')),
  -- Paid for so far, extensions included.
  hours              integer NOT NULL CONSTRAINT rentals_hours_positive CHECK (hours > 0),
  supplier_id        integer NOT NULL REFERENCES suppliers (id),
  -- The reference told to the supplier is "r<id>-<attempt>".
  attempt            integer NOT NULL DEFAULT 1,
  supplier_reference text,
  -- The most that the attempt under way may cost us, or the extension; what it did cost, extensions included; and the
  -- currency of both, that of its offer.
  cost_limit_micros  bigint NOT NULL,
  cost_micros        bigint,
  cost_currency      text,
  phone              text,
  -- The newest recognised code, and how many messages came: the first one captures the price.
  code               text,
  sms_count          integer NOT NULL DEFAULT 0,
  channel            text NOT NULL,
  idempotency_key    text,
  input_hash         text,
  created_at         timestamptz NOT NULL,
  -- Until then, and before any message, it can be cancelled; after it the price is captured.
  cancel_until       timestamptz NOT NULL,
  -- When the price of the first period was captured: by a message, an extension, time or the end. Decides the races of a
  -- cancel against these.
  captured_at        timestamptz,
  expires_at         timestamptz NOT NULL,
  -- The charge of the extension that is under way. Meanwhile the rental does not end.
  extension_id       bigint,
  -- When the buyer is to be told that the end is near, and when he was; that is null again after an extension.
  warn_at            timestamptz,
  warned_at          timestamptz,
  ended_at           timestamptz,
  CONSTRAINT rentals_number_known CHECK (state IN ('reserving', 'failed') OR phone IS NOT NULL),
  CONSTRAINT rentals_captured_fits_state CHECK (CASE state
    WHEN 'active' THEN captured_at IS NOT NULL OR sms_count = 0
    WHEN 'finished' THEN captured_at IS NOT NULL
    WHEN 'expired' THEN captured_at IS NOT NULL
    ELSE captured_at IS NULL AND sms_count = 0 END),
  CONSTRAINT rentals_extended_while_active CHECK (state = 'active' OR extension_id IS NULL)
);
CREATE INDEX rentals_user ON rentals (user_id, created_at DESC, id DESC);
CREATE INDEX rentals_user_active ON rentals (user_id, id DESC) WHERE state = 'active';
CREATE UNIQUE INDEX rentals_number_once ON rentals (phone) WHERE state = 'active';
-- For the sweeps alone; the condition keeps a buyer's list from being read through everybody's numbers.
CREATE INDEX rentals_expiry ON rentals (expires_at) WHERE state = 'active' AND expires_at IS NOT NULL;
CREATE INDEX rentals_capture ON rentals (cancel_until) WHERE state = 'active' AND captured_at IS NULL;
CREATE INDEX rentals_warning ON rentals (warn_at) WHERE state = 'active' AND warned_at IS NULL;
CREATE INDEX rentals_extending ON rentals (id) WHERE extension_id IS NOT NULL;
CREATE INDEX rentals_reserving ON rentals (created_at) WHERE state = 'reserving';
CREATE UNIQUE INDEX rentals_idempotency ON rentals (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

-- What a supplier rents out now, for how long and at what cost.
CREATE TABLE rent_offers (
  supplier_id  integer NOT NULL REFERENCES suppliers (id),
  service_code text NOT NULL REFERENCES services (code),
  country_id   integer NOT NULL REFERENCES countries (id),
  operator     text NOT NULL,
  hours        integer NOT NULL CONSTRAINT rent_offers_hours_positive CHECK (hours > 0),
  cost_micros  bigint NOT NULL CONSTRAINT rent_offers_cost_not_negative CHECK (cost_micros >= 0),
  currency     text NOT NULL CONSTRAINT rent_offers_currency CHECK (currency IN ('rub', 'usd')),
  stock        integer NOT NULL CONSTRAINT rent_offers_stock_not_negative CHECK (stock >= 0),
  refreshed_at timestamptz NOT NULL,
  PRIMARY KEY (supplier_id, service_code, country_id, operator, hours)
);

ALTER TABLE messages ADD COLUMN rental_id bigint REFERENCES rentals (id),
  ADD CONSTRAINT messages_one_number CHECK (activation_id IS NULL OR rental_id IS NULL);
CREATE INDEX messages_rental ON messages (rental_id, id) WHERE rental_id IS NOT NULL;
DROP INDEX messages_unmatched;
CREATE INDEX messages_unmatched ON messages (id) WHERE activation_id IS NULL AND rental_id IS NULL;
