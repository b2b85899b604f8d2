-- Numbers to be bought as soon as they are there again, at or below a price, until a deadline. The price is held meanwhile.
CREATE TABLE preorders (
  id               bigint GENERATED ALWAYS AS IDENTITY (START WITH 700000001) PRIMARY KEY,
  user_id          integer NOT NULL REFERENCES users (id),
  service_code     text NOT NULL REFERENCES services (code),
  country_id       integer NOT NULL REFERENCES countries (id),
  operator_wanted  text,
  max_price_micros bigint NOT NULL CONSTRAINT preorders_price_positive CHECK (max_price_micros > 0),
  currency         text NOT NULL,
  -- `buying`: a purchase is under way (`activation_id`); back to `waiting` when it came to nothing. `failed`: the money
  -- was spent elsewhere in between.
  state            text NOT NULL CONSTRAINT preorders_state
    CHECK (state IN ('waiting', 'buying', 'bought', 'cancelled', 'expired', 'failed')),
  activation_id    bigint REFERENCES activations (id),
  idempotency_key  text,
  input_hash       text,
  created_at       timestamptz NOT NULL,
  deadline_at      timestamptz NOT NULL,
  -- How often a purchase came to nothing; it is not tried again before then.
  tries            integer NOT NULL DEFAULT 0,
  next_try_at      timestamptz NOT NULL,
  ended_at         timestamptz,
  CONSTRAINT preorders_purchase CHECK (state NOT IN ('buying', 'bought') OR activation_id IS NOT NULL)
);
CREATE INDEX preorders_user_open ON preorders (user_id, id DESC) WHERE state IN ('waiting', 'buying');
CREATE INDEX preorders_open ON preorders (service_code, country_id, id) WHERE state = 'waiting';
CREATE INDEX preorders_next_try ON preorders (next_try_at) WHERE state = 'waiting';
CREATE INDEX preorders_deadline ON preorders (deadline_at) WHERE state = 'waiting';
CREATE INDEX preorders_buying ON preorders (id) WHERE state = 'buying';
CREATE UNIQUE INDEX preorders_activation ON preorders (activation_id) WHERE activation_id IS NOT NULL;
CREATE UNIQUE INDEX preorders_idempotency ON preorders (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

-- A number bought once more by whoever had it: it may be burnt for everybody else.
ALTER TABLE activations ADD COLUMN repeat_of bigint REFERENCES activations (id);
