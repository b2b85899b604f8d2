-- What keeps one account from hurting the others: limits of its own, and pauses of what it buys without ever getting a code.

-- null: the limit of the configuration. The largest number there is: none.
ALTER TABLE accounts ADD COLUMN open_numbers_limit integer CONSTRAINT accounts_open_numbers_limit CHECK (open_numbers_limit >= 0),
  ADD COLUMN day_spend_limit_micros bigint CONSTRAINT accounts_day_spend_limit CHECK (day_spend_limit_micros >= 0);

-- A service in a country that an account cannot buy for a while, with the figures that were the reason.
CREATE TABLE purchase_pauses (
  user_id      integer NOT NULL REFERENCES users (id),
  service_code text NOT NULL REFERENCES services (code),
  country_id   integer NOT NULL REFERENCES countries (id),
  purchases    integer NOT NULL,
  codes        integer NOT NULL,
  began_at     timestamptz NOT NULL,
  until        timestamptz NOT NULL,
  -- When staff ended it early: then it does not make the next one longer.
  lifted_at    timestamptz,
  PRIMARY KEY (user_id, service_code, country_id, began_at)
);
CREATE INDEX purchase_pauses_until ON purchase_pauses (user_id, until);

-- A buyer's past is read by time: for the history, and for what was spent within a day.
CREATE INDEX activations_user_time ON activations (user_id, created_at DESC, id DESC);
DROP INDEX activations_user;

-- What counts against the limit of open numbers: those being bought as well. It serves the lists of active ones too, which
-- ask for its own condition and leave out `reserving`: so they are never read through everybody's numbers.
CREATE INDEX activations_user_open ON activations (user_id, id DESC)
  WHERE state IN ('reserving', 'waiting', 'received', 'waiting_again');
DROP INDEX activations_user_active;
CREATE INDEX rentals_user_open ON rentals (user_id) WHERE state IN ('reserving', 'active');

-- Few rows: what staff gave back.
CREATE INDEX transfers_refunds ON transfers (user_id, at) WHERE kind = 'refund';

-- What an account has paid since then and not been given back. `besides`: an activation that is left out.
CREATE FUNCTION spent_since(buyer integer, since timestamptz, besides bigint) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN (SELECT COALESCE(sum(price_micros), 0) FROM activations
      WHERE user_id = buyer AND created_at > since AND money <> 'released' AND id IS DISTINCT FROM besides)
    + (SELECT COALESCE(sum(price_micros), 0) FROM charges
      WHERE user_id = buyer AND created_at > since AND money <> 'released' AND purpose IN ('rental', 'extension'))
    - (SELECT COALESCE(sum(t.amount_micros), 0) FROM transfers t
      LEFT JOIN activations a ON a.id = t.activation_id LEFT JOIN charges c ON c.id = t.charge_id
      WHERE t.kind = 'refund' AND t.user_id = buyer AND t.at > since AND COALESCE(a.created_at, c.created_at) > since);
END $$;

-- Which limit one more purchase would break: 'open_numbers', 'day_spend', or null for none. A null limit is no limit.
--
-- VOLATILE on purpose: it stands in the WHERE of the UPDATE that locks the buyer's account. A purchase that had to wait
-- there has its conditions tried again on the new row, and a volatile function then sees what was committed meanwhile,
-- where a subquery would go on seeing what was there when the statement began.
CREATE FUNCTION purchase_limit_reached(buyer integer, price bigint, asked_at timestamptz, open_limit integer,
  day_limit bigint, besides bigint) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  -- One inside the other: AND would ask for the sums even where there is no limit.
  IF open_limit < 2147483647 THEN
    IF open_limit <=
      (SELECT count(*) FROM (SELECT FROM activations WHERE user_id = buyer
        AND state IN ('reserving', 'waiting', 'received', 'waiting_again') AND id IS DISTINCT FROM besides LIMIT open_limit) numbers)
      + (SELECT count(*) FROM rentals WHERE user_id = buyer AND state IN ('reserving', 'active'))
    THEN
      RETURN 'open_numbers';
    END IF;
  END IF;
  IF day_limit < 9223372036854775807 THEN
    IF spent_since(buyer, asked_at - interval '24 hours', besides) + price > day_limit THEN
      RETURN 'day_spend';
    END IF;
  END IF;
  RETURN NULL;
END $$;
