-- Keys that buyers make themselves: several a person, each with what it may do, from where, and how much it may spend.
-- Keys of before keep all that they could do. They came from staff, whose next one replaces them.
ALTER TABLE api_keys
  ADD COLUMN name text NOT NULL DEFAULT 'API' CONSTRAINT api_keys_name CHECK (char_length(name) BETWEEN 1 AND 60),
  ADD COLUMN by_staff boolean NOT NULL DEFAULT true,
  ADD COLUMN scopes text[] NOT NULL DEFAULT '{read,buy,money}'
    CONSTRAINT api_keys_scopes CHECK (scopes <@ '{read,buy,money}'::text[] AND cardinality(scopes) > 0),
  -- CIDR; none: from anywhere.
  ADD COLUMN addresses text[] NOT NULL DEFAULT '{}' CONSTRAINT api_keys_addresses CHECK (cardinality(addresses) <= 20),
  -- Of one day in UTC, in the currency of the account. Null: no limit but the account's.
  ADD COLUMN day_limit_micros bigint CONSTRAINT api_keys_day_limit CHECK (day_limit_micros > 0),
  ADD COLUMN last_used_at timestamptz,
  -- The secret before the last rotation, which works until then.
  ADD COLUMN previous_hash bytea CONSTRAINT api_keys_previous_unique UNIQUE,
  ADD COLUMN previous_until timestamptz,
  ADD CONSTRAINT api_keys_previous CHECK ((previous_hash IS NULL) = (previous_until IS NULL));
ALTER TABLE api_keys
  ALTER COLUMN name DROP DEFAULT, ALTER COLUMN by_staff DROP DEFAULT, ALTER COLUMN scopes DROP DEFAULT,
  ALTER COLUMN addresses DROP DEFAULT;
-- What the sweep finds: secrets whose overlap is over.
CREATE INDEX api_keys_previous_until ON api_keys (previous_until) WHERE previous_until IS NOT NULL;
-- What a running server finds after a command revoked keys.
CREATE INDEX api_keys_revoked ON api_keys (revoked_at) WHERE revoked_at IS NOT NULL;

-- By which key something was bought. No foreign key: its check would lock the key's row in every purchase, and keys are
-- never deleted.
ALTER TABLE activations ADD COLUMN api_key_id integer;
ALTER TABLE charges ADD COLUMN api_key_id integer;
ALTER TABLE preorders ADD COLUMN api_key_id integer;
CREATE INDEX activations_api_key ON activations (api_key_id, created_at) WHERE api_key_id IS NOT NULL;
CREATE INDEX charges_api_key ON charges (api_key_id, created_at) WHERE api_key_id IS NOT NULL;
CREATE INDEX preorders_api_key ON preorders (api_key_id, created_at) WHERE api_key_id IS NOT NULL;

-- What a key has spent on the day of `asked_at` and not been given back. A pre-order counts on the day it was made: its
-- ceiling while it waits, then what was paid. `besides`: an activation that is left out.
CREATE FUNCTION key_spent(key integer, asked_at timestamptz, besides bigint) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  day timestamptz := date_trunc('day', asked_at, 'UTC');
BEGIN
  RETURN (SELECT COALESCE(sum(price_micros), 0) FROM activations
      WHERE api_key_id = key AND created_at >= day AND money <> 'released' AND id IS DISTINCT FROM besides)
    + (SELECT COALESCE(sum(price_micros), 0) FROM charges
      WHERE api_key_id = key AND created_at >= day AND money <> 'released')
    + (SELECT COALESCE(sum(CASE WHEN p.state IN ('waiting', 'buying') THEN p.max_price_micros
        WHEN p.state = 'bought' AND a.money <> 'released' THEN a.price_micros ELSE 0 END), 0)
      FROM preorders p LEFT JOIN activations a ON a.id = p.activation_id WHERE p.api_key_id = key AND p.created_at >= day);
END $$;

-- Whether this key may not spend that much now. VOLATILE for the reason of purchase_limit_reached: it stands in the
-- WHERE of the UPDATE that locks the buyer's account, and sees what was committed while that waited.
CREATE FUNCTION key_refuses(key integer, price bigint, asked_at timestamptz, besides bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  day_limit bigint;
  revoked timestamptz;
BEGIN
  SELECT k.day_limit_micros, k.revoked_at INTO day_limit, revoked FROM api_keys k WHERE k.id = key;
  IF NOT FOUND OR revoked IS NOT NULL THEN
    RETURN true;
  END IF;
  -- One inside the other: the sum is asked for where there is a limit alone.
  IF day_limit IS NOT NULL THEN
    RETURN key_spent(key, asked_at, besides) + price > day_limit;
  END IF;
  RETURN false;
END $$;

-- The last calls of each key. Calls alike within ten minutes are one row; a purchase has its own. Neither keys nor
-- anything that a caller wrote stands here.
CREATE TABLE api_key_calls (
  key_id   integer NOT NULL REFERENCES api_keys (id),
  -- Where such a stretch began, or the moment of a purchase.
  fold_at  timestamptz NOT NULL,
  call     text NOT NULL CONSTRAINT api_key_calls_call CHECK (char_length(call) <= 100),
  result   text NOT NULL CONSTRAINT api_key_calls_result CHECK (char_length(result) <= 60),
  count    integer NOT NULL CONSTRAINT api_key_calls_count CHECK (count > 0),
  first_at timestamptz NOT NULL,
  last_at  timestamptz NOT NULL,
  -- Of the last of them.
  address  text NOT NULL CONSTRAINT api_key_calls_address CHECK (char_length(address) <= 64),
  PRIMARY KEY (key_id, fold_at, call, result)
);
CREATE INDEX api_key_calls_newest ON api_key_calls (key_id, last_at DESC);
