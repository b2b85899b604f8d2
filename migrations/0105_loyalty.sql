-- Rewards for what was topped up in a week or month.

-- Its terms hold from its beginning to its end, whatever the settings say meanwhile.
CREATE TABLE loyalty_periods (
  id        integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind      text NOT NULL CONSTRAINT loyalty_periods_kind CHECK (kind IN ('week', 'month')),
  time_zone text NOT NULL,
  begins_at timestamptz NOT NULL,
  ends_at   timestamptz NOT NULL,
  -- Null: somebody may still be due something.
  paid_at   timestamptz,
  CONSTRAINT loyalty_periods_forward CHECK (begins_at < ends_at),
  -- Each deposit counts in one period at most.
  CONSTRAINT loyalty_periods_apart EXCLUDE USING gist (tstzrange(begins_at, ends_at) WITH &&)
);
CREATE INDEX loyalty_periods_unpaid ON loyalty_periods (ends_at) WHERE paid_at IS NULL;

-- Below the first rank nothing is given. Hundredths of a per cent, as bonuses.
CREATE TABLE loyalty_ranks (
  period_id     integer NOT NULL REFERENCES loyalty_periods (id),
  currency      text NOT NULL CONSTRAINT loyalty_ranks_currency CHECK (currency IN ('rub', 'usd')),
  top_up_micros bigint NOT NULL CONSTRAINT loyalty_ranks_top_up_positive CHECK (top_up_micros > 0),
  points        integer NOT NULL CONSTRAINT loyalty_ranks_points CHECK (points BETWEEN 1 AND 10000),
  PRIMARY KEY (period_id, currency, top_up_micros)
);

CREATE TABLE loyalty_rewards (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id       integer NOT NULL REFERENCES accounts (user_id),
  period_id     integer NOT NULL REFERENCES loyalty_periods (id),
  currency      text NOT NULL,
  -- What was topped up in the period, less what went back of it.
  top_up_micros bigint NOT NULL CONSTRAINT loyalty_rewards_top_up_not_negative CHECK (top_up_micros >= 0),
  points        integer NOT NULL CONSTRAINT loyalty_rewards_points CHECK (points BETWEEN 0 AND 10000),
  reward_micros bigint NOT NULL CONSTRAINT loyalty_rewards_reward_not_negative CHECK (reward_micros >= 0),
  -- Each change moves money under a key of its own.
  changes       integer NOT NULL DEFAULT 1,
  changed_at    timestamptz NOT NULL,
  CONSTRAINT loyalty_rewards_once UNIQUE (user_id, period_id)
);

ALTER TABLE transfers ADD CONSTRAINT transfers_loyalty_reward_id_fkey
  FOREIGN KEY (loyalty_reward_id) REFERENCES loyalty_rewards (id);
CREATE UNIQUE INDEX transfers_loyalty_once ON transfers (loyalty_reward_id, idempotency_key)
  WHERE loyalty_reward_id IS NOT NULL;

CREATE INDEX deposits_at ON deposits (at);
-- The state that rewards have been counted with.
ALTER TABLE reversals ADD COLUMN counted_state text;
UPDATE reversals SET counted_state = state;
CREATE INDEX reversals_uncounted ON reversals (id) WHERE counted_state IS DISTINCT FROM state;
