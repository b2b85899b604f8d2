-- Money that comes over chains: addresses, blocks that were read, quotes, and what arrived.

-- Public keys that addresses are derived from. One key may serve several gateways, and gives a user one address on all of them.
CREATE TABLE chain_branches (
  branch     text PRIMARY KEY,
  next_place integer NOT NULL DEFAULT 0
);

-- The address is the 20 bytes in hex: how people read it is up to the chain.
CREATE TABLE chain_addresses (
  branch     text NOT NULL REFERENCES chain_branches (branch),
  user_id    integer NOT NULL REFERENCES accounts (user_id),
  place      integer NOT NULL CONSTRAINT chain_addresses_place CHECK (place >= 0),
  address    text NOT NULL CONSTRAINT chain_addresses_address CHECK (address ~ '^0x[0-9a-f]{40}$'),
  created_at timestamptz NOT NULL,
  CONSTRAINT chain_addresses_of_user PRIMARY KEY (branch, user_id),
  CONSTRAINT chain_addresses_place_once UNIQUE (branch, place),
  CONSTRAINT chain_addresses_once UNIQUE (address)
);

-- How far each gateway has read its chain, and what it has to say of its nodes.
CREATE TABLE chain_watches (
  gateway_id   integer PRIMARY KEY REFERENCES gateways (id),
  -- The newest block that was read. Null before the first.
  height       bigint,
  block_at     timestamptz,
  -- The newest that enough nodes know.
  head         bigint,
  -- Up to here nothing is taken back any more, by the settings.
  final_height bigint,
  looked_at    timestamptz,
  -- Why it reads no further until staff have done something.
  stopped      text,
  -- Nodes that contradict the others.
  doubted      text[] NOT NULL DEFAULT '{}'
);

CREATE TABLE chain_blocks (
  gateway_id integer NOT NULL REFERENCES gateways (id),
  number     bigint NOT NULL,
  hash       text NOT NULL,
  parent     text NOT NULL,
  at         timestamptz NOT NULL,
  PRIMARY KEY (gateway_id, number)
);

-- The rate that a payer was promised. How long it holds, the payment says.
CREATE TABLE chain_quotes (
  transaction_id  text PRIMARY KEY REFERENCES payments (transaction_id),
  gateway_id      integer NOT NULL REFERENCES gateways (id),
  address         text NOT NULL,
  -- The contract of a token, or `coin`.
  asset           text NOT NULL,
  -- In the smallest unit of the asset.
  units           numeric(78) NOT NULL CONSTRAINT chain_quotes_units CHECK (units > 0),
  rub_micros      bigint NOT NULL,
  usd_rub_micros  bigint,
  rate_source     text NOT NULL,
  rate_at         timestamptz NOT NULL
);
CREATE INDEX chain_quotes_address ON chain_quotes (gateway_id, address);

-- A transfer to an address of a user, by what it says and its place among equals of its transaction: no block and no index of a log,
-- because a reorganisation changes both. `life` counts on when one comes back after it was given up.
CREATE TABLE chain_deposits (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  gateway_id     integer NOT NULL REFERENCES gateways (id),
  chain          text NOT NULL,
  tx_hash        text NOT NULL,
  asset          text NOT NULL,
  address        text NOT NULL,
  units          numeric(78) NOT NULL CONSTRAINT chain_deposits_units CHECK (units > 0),
  place          integer NOT NULL,
  life           integer NOT NULL DEFAULT 0,
  user_id        integer NOT NULL REFERENCES accounts (user_id),
  sender         text NOT NULL,
  block_number   bigint NOT NULL,
  block_hash     text NOT NULL,
  block_at       timestamptz NOT NULL,
  seen_at        timestamptz NOT NULL,
  -- `waiting`: for a rate. `dust`: too little to credit. `held`: too much to believe. `valued`: its worth is decided for good.
  state          text NOT NULL CONSTRAINT chain_deposits_state CHECK (state IN ('seen', 'waiting', 'dust', 'held', 'valued')),
  -- Since when no block of the chain has it.
  lost_at        timestamptz,
  transaction_id text REFERENCES payments (transaction_id),
  -- What of it had the quoted rate.
  quoted_units   numeric(78) NOT NULL DEFAULT 0,
  value_micros   bigint CONSTRAINT chain_deposits_value CHECK (value_micros > 0),
  rub_micros     bigint,
  usd_rub_micros bigint,
  rate_source    text,
  rate_at        timestamptz,
  valued_at      timestamptz,
  -- False: its payment has not been settled since this changed.
  is_told        boolean NOT NULL DEFAULT true,
  CONSTRAINT chain_deposits_once UNIQUE (chain, tx_hash, asset, address, units, place, life),
  CONSTRAINT chain_deposits_valued CHECK ((state = 'valued') = (value_micros IS NOT NULL))
);
CREATE INDEX chain_deposits_block ON chain_deposits (gateway_id, block_number) WHERE lost_at IS NULL;
CREATE INDEX chain_deposits_under_way ON chain_deposits (gateway_id, id) WHERE state IN ('seen', 'waiting') AND lost_at IS NULL;
CREATE INDEX chain_deposits_untold ON chain_deposits (gateway_id) WHERE NOT is_told;
CREATE INDEX chain_deposits_payment ON chain_deposits (transaction_id) WHERE transaction_id IS NOT NULL;
CREATE INDEX chain_deposits_address ON chain_deposits (gateway_id, address);

-- A credited deposit that a reorganisation took, and how that ended.
CREATE TABLE chain_losses (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deposit_id bigint NOT NULL REFERENCES chain_deposits (id),
  state      text NOT NULL CONSTRAINT chain_losses_state CHECK (state IN ('open', 'won', 'lost')),
  at         timestamptz NOT NULL,
  ended_at   timestamptz
);
CREATE UNIQUE INDEX chain_losses_one_open ON chain_losses (deposit_id) WHERE state = 'open';
CREATE INDEX chain_losses_deposit ON chain_losses (deposit_id);

-- The coin that an address had, for payers who send it from within a contract: that leaves no transaction to us.
CREATE TABLE chain_balances (
  gateway_id integer NOT NULL REFERENCES gateways (id),
  address    text NOT NULL,
  height     bigint NOT NULL,
  units      numeric(78) NOT NULL,
  PRIMARY KEY (gateway_id, address)
);

-- What staff have to look at.
CREATE TABLE chain_findings (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  gateway_id integer NOT NULL REFERENCES gateways (id),
  kind       text NOT NULL CONSTRAINT chain_findings_kind CHECK (kind IN ('internal', 'held')),
  -- Once for each.
  subject    text NOT NULL,
  user_id    integer NOT NULL REFERENCES accounts (user_id),
  address    text NOT NULL,
  asset      text NOT NULL,
  units      numeric(78) NOT NULL,
  height     bigint NOT NULL,
  at         timestamptz NOT NULL,
  settled_at timestamptz,
  CONSTRAINT chain_findings_once UNIQUE (gateway_id, kind, subject)
);
CREATE INDEX chain_findings_open ON chain_findings (gateway_id) WHERE settled_at IS NULL;

-- Keys of requests that were answered with a payment that was open already.
CREATE TABLE payment_keys (
  user_id         integer NOT NULL REFERENCES accounts (user_id),
  idempotency_key text NOT NULL,
  payment_id      bigint NOT NULL REFERENCES payments (id),
  input_hash      text NOT NULL,
  at              timestamptz NOT NULL,
  PRIMARY KEY (user_id, idempotency_key)
);
