-- Bonuses for top-ups that staff promise by rules, each once for an account.

-- Its terms never change: another rule takes its place.
CREATE TABLE bonus_rules (
  id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name          text NOT NULL CONSTRAINT bonus_rules_name_once UNIQUE,
  kind          text NOT NULL CONSTRAINT bonus_rules_kind CHECK (kind IN ('first', 'above')),
  currency      text NOT NULL CONSTRAINT bonus_rules_currency CHECK (currency IN ('rub', 'usd')),
  least_micros  bigint NOT NULL CONSTRAINT bonus_rules_least_not_negative CHECK (least_micros >= 0),
  -- One of them: hundredths of a per cent, or an amount.
  points        integer CONSTRAINT bonus_rules_points CHECK (points BETWEEN 1 AND 10000),
  amount_micros bigint CONSTRAINT bonus_rules_amount_positive CHECK (amount_micros > 0),
  most_micros   bigint CONSTRAINT bonus_rules_most_positive CHECK (most_micros > 0),
  begins_at     timestamptz NOT NULL,
  ends_at       timestamptz,
  created_at    timestamptz NOT NULL,
  CONSTRAINT bonus_rules_one_measure CHECK (num_nonnulls(points, amount_micros) = 1)
);

-- What was promised when the payment began.
ALTER TABLE payments ADD COLUMN bonus_rule_id integer REFERENCES bonus_rules (id);
ALTER TABLE payments ADD COLUMN rule_bonus_micros bigint NOT NULL DEFAULT 0
  CONSTRAINT payments_rule_bonus CHECK (rule_bonus_micros >= 0 AND (rule_bonus_micros > 0) = (bonus_rule_id IS NOT NULL));

-- The payment that has a rule's bonus, from when all that was asked for had arrived. It keeps it, whatever goes back.
CREATE TABLE bonus_grants (
  user_id       integer NOT NULL REFERENCES accounts (user_id),
  rule_id       integer NOT NULL REFERENCES bonus_rules (id),
  payment_id    bigint NOT NULL CONSTRAINT bonus_grants_payment_once UNIQUE REFERENCES payments (id),
  amount_micros bigint NOT NULL CONSTRAINT bonus_grants_amount_positive CHECK (amount_micros > 0),
  at            timestamptz NOT NULL,
  CONSTRAINT bonus_grants_once PRIMARY KEY (user_id, rule_id)
);
CREATE TRIGGER bonus_grants_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bonus_grants
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
