-- Every table, function and trigger as all migrations leave them. To read, not to run: tables name others that stand
-- below. Jobs stand in graphile-worker's own schema. `node scripts/write-sql.ts` writes this from a migrated database.

CREATE TABLE account_deletions (
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  state text DEFAULT 'waiting' NOT NULL,
  asked_by text NOT NULL,
  gives_up_micros bigint DEFAULT 0 NOT NULL,
  asked_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  reminded_at timestamptz,
  look_at timestamptz,
  ended_at timestamptz,
  is_guest boolean DEFAULT false NOT NULL,
  CONSTRAINT account_deletions_pkey PRIMARY KEY (id),
  CONSTRAINT account_deletions_asked_by CHECK (asked_by = ANY (ARRAY['owner', 'staff'])),
  CONSTRAINT account_deletions_gives_up CHECK (gives_up_micros >= 0),
  CONSTRAINT account_deletions_look CHECK ((look_at IS NULL) = (state = ANY (ARRAY['cancelled', 'erased']))),
  CONSTRAINT account_deletions_state CHECK (state = ANY (ARRAY['waiting', 'cancelled', 'erasing', 'erased'])),
  CONSTRAINT account_deletions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX account_deletions_look ON account_deletions (look_at) WHERE look_at IS NOT NULL;
CREATE UNIQUE INDEX account_deletions_one ON account_deletions (user_id) WHERE state <> 'cancelled';
CREATE INDEX account_deletions_user ON account_deletions (user_id, id DESC);

CREATE TABLE accounts (
  user_id integer NOT NULL,
  currency text NOT NULL,
  available_micros bigint DEFAULT 0 NOT NULL,
  held_micros bigint DEFAULT 0 NOT NULL,
  open_numbers_limit integer,
  day_spend_limit_micros bigint,
  debt_micros bigint DEFAULT 0 NOT NULL,
  referral_micros bigint DEFAULT 0 NOT NULL,
  sandbox boolean DEFAULT false NOT NULL,
  CONSTRAINT accounts_pkey PRIMARY KEY (user_id),
  CONSTRAINT accounts_fit CHECK (is_account(accounts.*)),
  CONSTRAINT accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
) WITH (fillfactor=70);
CREATE INDEX accounts_debt ON accounts (user_id) WHERE debt_micros > 0;

CREATE TABLE activations (
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  service_code text NOT NULL,
  country_id integer NOT NULL,
  operator_wanted text,
  operator text,
  state text NOT NULL,
  money text NOT NULL,
  price_micros bigint NOT NULL,
  currency text NOT NULL,
  supplier_id integer NOT NULL,
  attempt integer DEFAULT 1 NOT NULL,
  supplier_reference text,
  cost_micros bigint,
  phone text,
  code text,
  sms_count integer DEFAULT 0 NOT NULL,
  again_asked_at timestamptz,
  channel text NOT NULL,
  idempotency_key text,
  input_hash text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  first_code_at timestamptz,
  outcome_at timestamptz,
  ended_at timestamptz,
  cost_limit_micros bigint,
  excluded_prefixes text[] DEFAULT '{}'::text[] NOT NULL,
  repeat_of bigint,
  family text,
  senders_known boolean DEFAULT false NOT NULL,
  cost_currency text,
  cost_rate_micros bigint,
  api_key_id integer,
  promotion_id integer,
  notice_at timestamptz,
  node_id bigint,
  CONSTRAINT activations_pkey PRIMARY KEY (id),
  CONSTRAINT activations_fit CHECK (is_activation(activations.*)),
  CONSTRAINT activations_country_id_fkey FOREIGN KEY (country_id) REFERENCES countries(id),
  CONSTRAINT activations_promotion_id_fkey FOREIGN KEY (promotion_id) REFERENCES promotions(id),
  CONSTRAINT activations_repeat_of_fkey FOREIGN KEY (repeat_of) REFERENCES activations(id),
  CONSTRAINT activations_service_code_fkey FOREIGN KEY (service_code) REFERENCES services(code),
  CONSTRAINT activations_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES suppliers(id),
  CONSTRAINT activations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX activations_api_key ON activations (api_key_id, created_at) WHERE api_key_id IS NOT NULL;
CREATE INDEX activations_code_kept ON activations (ended_at) WHERE code IS NOT NULL AND ended_at IS NOT NULL;
CREATE INDEX activations_expiry ON activations (expires_at) WHERE (state = ANY (ARRAY['waiting', 'received', 'waiting_again'])) AND expires_at IS NOT NULL;
CREATE UNIQUE INDEX activations_idempotency ON activations (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX activations_number_ended ON activations (phone, ended_at) WHERE ended_at IS NOT NULL AND phone IS NOT NULL;
CREATE UNIQUE INDEX activations_number_once ON activations (phone, COALESCE(family, service_code)) WHERE state = ANY (ARRAY['waiting', 'received', 'waiting_again']);
CREATE INDEX activations_outcome ON activations (outcome_at) WHERE outcome_at IS NOT NULL;
CREATE INDEX activations_phone ON activations (phone, created_at) WHERE phone IS NOT NULL;
CREATE INDEX activations_promotion ON activations (promotion_id) WHERE promotion_id IS NOT NULL;
CREATE INDEX activations_reserving ON activations (created_at) WHERE state = 'reserving';
CREATE INDEX activations_supplier_outcome ON activations (supplier_id, outcome_at) WHERE outcome_at IS NOT NULL;
CREATE INDEX activations_user_open ON activations (user_id, id DESC) WHERE state = ANY (ARRAY['reserving', 'waiting', 'received', 'waiting_again']);
CREATE INDEX activations_user_time ON activations (user_id, created_at DESC, id DESC);
CREATE TRIGGER activations_promotion_begins AFTER INSERT ON activations FOR EACH ROW WHEN (new.promotion_id IS NOT NULL) EXECUTE FUNCTION keep_promotion();
CREATE TRIGGER activations_promotion_settles AFTER UPDATE OF money ON activations FOR EACH ROW WHEN (new.promotion_id IS NOT NULL AND old.money = 'held' AND new.money <> 'held') EXECUTE FUNCTION keep_promotion();

CREATE TABLE alarm_mutes (
  name text NOT NULL,
  until timestamptz NOT NULL,
  muted_at timestamptz NOT NULL,
  CONSTRAINT alarm_mutes_pkey PRIMARY KEY (name)
);

CREATE TABLE alarms (
  name text NOT NULL,
  began_at timestamptz NOT NULL,
  about text DEFAULT '' NOT NULL,
  told_at timestamptz,
  CONSTRAINT alarms_pkey PRIMARY KEY (name)
);

CREATE TABLE api_key_calls (
  key_id integer NOT NULL,
  fold_at timestamptz NOT NULL,
  call text NOT NULL,
  result text NOT NULL,
  count integer NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  address text NOT NULL,
  CONSTRAINT api_key_calls_pkey PRIMARY KEY (key_id, fold_at, call, result, address),
  CONSTRAINT api_key_calls_address CHECK (char_length(address) <= 64),
  CONSTRAINT api_key_calls_call CHECK (char_length(call) <= 100),
  CONSTRAINT api_key_calls_count CHECK (count > 0),
  CONSTRAINT api_key_calls_result CHECK (char_length(result) <= 60),
  CONSTRAINT api_key_calls_of_key FOREIGN KEY (key_id) REFERENCES api_keys(id) ON DELETE CASCADE
);
CREATE INDEX api_key_calls_newest ON api_key_calls (key_id, last_at DESC);

CREATE TABLE api_keys (
  id integer GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  key_hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz,
  name text NOT NULL,
  by_staff boolean NOT NULL,
  scopes text[] NOT NULL,
  addresses text[] NOT NULL,
  day_limit_micros bigint,
  last_used_at timestamptz,
  previous_hash bytea,
  previous_until timestamptz,
  rules_version integer DEFAULT 0 NOT NULL,
  dialect text,
  sandbox boolean DEFAULT false NOT NULL,
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_hash_unique UNIQUE (key_hash),
  CONSTRAINT api_keys_previous_unique UNIQUE (previous_hash),
  CONSTRAINT api_keys_addresses CHECK (cardinality(addresses) <= 20),
  CONSTRAINT api_keys_day_limit CHECK (day_limit_micros > 0),
  CONSTRAINT api_keys_dialect CHECK (dialect = ANY (ARRAY['sms-activate', 'hero-sms', 'grizzly', 'smsbower', 'smshub'])),
  CONSTRAINT api_keys_name CHECK (char_length(name) >= 1 AND char_length(name) <= 60),
  CONSTRAINT api_keys_previous CHECK ((previous_hash IS NULL) = (previous_until IS NULL)),
  CONSTRAINT api_keys_scopes CHECK (scopes <@ '{read,buy,money}'::text[] AND cardinality(scopes) > 0),
  CONSTRAINT api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX api_keys_previous_until ON api_keys (previous_until) WHERE previous_until IS NOT NULL;
CREATE INDEX api_keys_revoked ON api_keys (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX api_keys_user ON api_keys (user_id);

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  command text NOT NULL,
  subject text NOT NULL,
  reason text NOT NULL,
  detail jsonb DEFAULT '{}'::jsonb NOT NULL,
  tells jsonb,
  CONSTRAINT audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_log_lookups ON audit_log (id) WHERE command = 'abuse:lookup';
CREATE INDEX audit_log_subject ON audit_log (subject);
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_redacted BEFORE UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_all_but_redaction();

CREATE TABLE auth_requests (
  state_hash bytea NOT NULL,
  browser_hash bytea NOT NULL,
  provider text NOT NULL,
  user_id integer,
  sealed jsonb NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT auth_requests_pkey PRIMARY KEY (state_hash),
  CONSTRAINT auth_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX auth_requests_expiry ON auth_requests (expires_at);

CREATE TABLE bonus_grants (
  user_id integer NOT NULL,
  rule_id integer NOT NULL,
  payment_id bigint NOT NULL,
  amount_micros bigint NOT NULL,
  at timestamptz NOT NULL,
  CONSTRAINT bonus_grants_once PRIMARY KEY (user_id, rule_id),
  CONSTRAINT bonus_grants_payment_once UNIQUE (payment_id),
  CONSTRAINT bonus_grants_amount_positive CHECK (amount_micros > 0),
  CONSTRAINT bonus_grants_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id),
  CONSTRAINT bonus_grants_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES bonus_rules(id),
  CONSTRAINT bonus_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts(user_id)
);
CREATE TRIGGER bonus_grants_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON bonus_grants FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE bonus_rules (
  id integer GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  kind text NOT NULL,
  currency text NOT NULL,
  least_micros bigint NOT NULL,
  points integer,
  amount_micros bigint,
  most_micros bigint,
  begins_at timestamptz NOT NULL,
  ends_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT bonus_rules_pkey PRIMARY KEY (id),
  CONSTRAINT bonus_rules_name_once UNIQUE (name),
  CONSTRAINT bonus_rules_amount_positive CHECK (amount_micros > 0),
  CONSTRAINT bonus_rules_currency CHECK (currency = ANY (ARRAY['rub', 'usd'])),
  CONSTRAINT bonus_rules_kind CHECK (kind = ANY (ARRAY['first', 'above'])),
  CONSTRAINT bonus_rules_least_not_negative CHECK (least_micros >= 0),
  CONSTRAINT bonus_rules_most_positive CHECK (most_micros > 0),
  CONSTRAINT bonus_rules_one_measure CHECK (num_nonnulls(points, amount_micros) = 1),
  CONSTRAINT bonus_rules_points CHECK (points >= 1 AND points <= 10000)
);

CREATE TABLE burnt_numbers (
  phone text NOT NULL,
  service_code text NOT NULL,
  reason text DEFAULT 'code' NOT NULL,
  CONSTRAINT burnt_numbers_pkey PRIMARY KEY (phone, service_code),
  CONSTRAINT burnt_numbers_reason CHECK (reason = ANY (ARRAY['code', 'used']))
);

CREATE TABLE chain_addresses (
  branch text NOT NULL,
  user_id integer NOT NULL,
  place integer NOT NULL,
  address text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT chain_addresses_of_user PRIMARY KEY (branch, user_id),
  CONSTRAINT chain_addresses_once UNIQUE (address),
  CONSTRAINT chain_addresses_place_once UNIQUE (branch, place),
  CONSTRAINT chain_addresses_address CHECK (address ~ '^0x[0-9a-f]{40}$'),
  CONSTRAINT chain_addresses_place CHECK (place >= 0),
  CONSTRAINT chain_addresses_branch_fkey FOREIGN KEY (branch) REFERENCES chain_branches(branch),
  CONSTRAINT chain_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts(user_id)
);

CREATE TABLE chain_balances (
  gateway_id integer NOT NULL,
  address text NOT NULL,
  height bigint NOT NULL,
  units numeric(78,0) NOT NULL,
  CONSTRAINT chain_balances_pkey PRIMARY KEY (gateway_id, address),
  CONSTRAINT chain_balances_gateway_id_fkey FOREIGN KEY (gateway_id) REFERENCES gateways(id)
);

CREATE TABLE chain_blocks (
  gateway_id integer NOT NULL,
  number bigint NOT NULL,
  hash text NOT NULL,
  parent text NOT NULL,
  at timestamptz NOT NULL,
  CONSTRAINT chain_blocks_pkey PRIMARY KEY (gateway_id, number),
  CONSTRAINT chain_blocks_gateway_id_fkey FOREIGN KEY (gateway_id) REFERENCES gateways(id)
);

CREATE TABLE chain_branches (
  branch text NOT NULL,
  next_place integer DEFAULT 0 NOT NULL,
  CONSTRAINT chain_branches_pkey PRIMARY KEY (branch)
);

CREATE TABLE chain_deposits (
  id bigint GENERATED ALWAYS AS IDENTITY,
  gateway_id integer NOT NULL,
  chain text NOT NULL,
  tx_hash text NOT NULL,
  asset text NOT NULL,
  address text NOT NULL,
  units numeric(78,0) NOT NULL,
  place integer NOT NULL,
  life integer DEFAULT 0 NOT NULL,
  user_id integer NOT NULL,
  sender text NOT NULL,
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  block_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  state text NOT NULL,
  lost_at timestamptz,
  transaction_id text,
  quoted_units numeric(78,0) DEFAULT 0 NOT NULL,
  value_micros bigint,
  rub_micros bigint,
  usd_rub_micros bigint,
  rate_source text,
  rate_at timestamptz,
  valued_at timestamptz,
  is_told boolean DEFAULT true NOT NULL,
  CONSTRAINT chain_deposits_pkey PRIMARY KEY (id),
  CONSTRAINT chain_deposits_once UNIQUE (chain, tx_hash, asset, address, units, place, life),
  CONSTRAINT chain_deposits_state CHECK (state = ANY (ARRAY['seen', 'waiting', 'dust', 'held', 'valued'])),
  CONSTRAINT chain_deposits_units CHECK (units > 0::numeric),
  CONSTRAINT chain_deposits_value CHECK (value_micros > 0),
  CONSTRAINT chain_deposits_valued CHECK ((state = 'valued') = (value_micros IS NOT NULL)),
  CONSTRAINT chain_deposits_gateway_id_fkey FOREIGN KEY (gateway_id) REFERENCES gateways(id),
  CONSTRAINT chain_deposits_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES payments(transaction_id),
  CONSTRAINT chain_deposits_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts(user_id)
);
CREATE INDEX chain_deposits_address ON chain_deposits (gateway_id, address);
CREATE INDEX chain_deposits_block ON chain_deposits (gateway_id, block_number) WHERE lost_at IS NULL;
CREATE INDEX chain_deposits_payment ON chain_deposits (transaction_id) WHERE transaction_id IS NOT NULL;
CREATE INDEX chain_deposits_under_way ON chain_deposits (gateway_id, id) WHERE (state = ANY (ARRAY['seen', 'waiting'])) AND lost_at IS NULL;
CREATE INDEX chain_deposits_untold ON chain_deposits (gateway_id) WHERE NOT is_told;

CREATE TABLE chain_findings (
  id bigint GENERATED ALWAYS AS IDENTITY,
  gateway_id integer NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  user_id integer NOT NULL,
  address text NOT NULL,
  asset text NOT NULL,
  units numeric(78,0) NOT NULL,
  height bigint NOT NULL,
  at timestamptz NOT NULL,
  settled_at timestamptz,
  CONSTRAINT chain_findings_pkey PRIMARY KEY (id),
  CONSTRAINT chain_findings_once UNIQUE (gateway_id, kind, subject),
  CONSTRAINT chain_findings_kind CHECK (kind = ANY (ARRAY['internal', 'held'])),
  CONSTRAINT chain_findings_gateway_id_fkey FOREIGN KEY (gateway_id) REFERENCES gateways(id),
  CONSTRAINT chain_findings_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts(user_id)
);
CREATE INDEX chain_findings_open ON chain_findings (gateway_id) WHERE settled_at IS NULL;

CREATE TABLE chain_losses (
  id bigint GENERATED ALWAYS AS IDENTITY,
  deposit_id bigint NOT NULL,
  state text NOT NULL,
  at timestamptz NOT NULL,
  ended_at timestamptz,
  CONSTRAINT chain_losses_pkey PRIMARY KEY (id),
  CONSTRAINT chain_losses_state CHECK (state = ANY (ARRAY['open', 'won', 'lost'])),
  CONSTRAINT chain_losses_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES chain_deposits(id)
);
CREATE INDEX chain_losses_deposit ON chain_losses (deposit_id);
CREATE UNIQUE INDEX chain_losses_one_open ON chain_losses (deposit_id) WHERE state = 'open';

CREATE TABLE chain_quotes (
  transaction_id text NOT NULL,
  gateway_id integer NOT NULL,
  address text NOT NULL,
  asset text NOT NULL,
  units numeric(78,0) NOT NULL,
  rub_micros bigint NOT NULL,
  usd_rub_micros bigint,
  rate_source text NOT NULL,
  rate_at timestamptz NOT NULL,
  CONSTRAINT chain_quotes_pkey PRIMARY KEY (transaction_id),
  CONSTRAINT chain_quotes_units CHECK (units > 0::numeric),
  CONSTRAINT chain_quotes_gateway_id_fkey FOREIGN KEY (gateway_id) REFERENCES gateways(id),
  CONSTRAINT chain_quotes_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES payments(transaction_id)
);
CREATE INDEX chain_quotes_address ON chain_quotes (gateway_id, address);

CREATE TABLE chain_watches (
  gateway_id integer NOT NULL,
  height bigint,
  block_at timestamptz,
  head bigint,
  final_height bigint,
  looked_at timestamptz,
  stopped text,
  doubted text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT chain_watches_pkey PRIMARY KEY (gateway_id),
  CONSTRAINT chain_watches_gateway_id_fkey FOREIGN KEY (gateway_id) REFERENCES gateways(id)
);

CREATE TABLE channel_rewards (
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  telegram_id bigint NOT NULL,
  currency text NOT NULL,
  amount_micros bigint NOT NULL,
  at timestamptz NOT NULL,
  CONSTRAINT channel_rewards_pkey PRIMARY KEY (id),
  CONSTRAINT channel_rewards_account_once UNIQUE (user_id),
  CONSTRAINT channel_rewards_person_once UNIQUE (telegram_id),
  CONSTRAINT channel_rewards_amount_positive CHECK (amount_micros > 0),
  CONSTRAINT channel_rewards_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts(user_id)
);
CREATE TRIGGER channel_rewards_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON channel_rewards FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE charges (
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  purpose text NOT NULL,
  rental_id bigint,
  preorder_id bigint,
  hours integer,
  price_micros bigint NOT NULL,
  currency text NOT NULL,
  money text NOT NULL,
  idempotency_key text,
  input_hash text,
  created_at timestamptz NOT NULL,
  settled_at timestamptz,
  late_cost_micros bigint,
  api_key_id integer,
  CONSTRAINT charges_pkey PRIMARY KEY (id),
  CONSTRAINT charges_late_cost CHECK (late_cost_micros IS NULL OR late_cost_micros >= 0 AND purpose = 'extension' AND money = 'released'),
  CONSTRAINT charges_money CHECK (money = ANY (ARRAY['held', 'captured', 'released'])),
  CONSTRAINT charges_price_positive CHECK (price_micros > 0),
  CONSTRAINT charges_settled CHECK ((money = 'held') = (settled_at IS NULL)),
  CONSTRAINT charges_subject CHECK (
CASE purpose
    WHEN 'rental' THEN rental_id IS NOT NULL AND preorder_id IS NULL AND hours IS NOT NULL
    WHEN 'extension' THEN rental_id IS NOT NULL AND preorder_id IS NULL AND hours IS NOT NULL
    WHEN 'preorder' THEN rental_id IS NULL AND preorder_id IS NOT NULL AND hours IS NULL AND money <> 'captured'
    ELSE false
END),
  CONSTRAINT charges_preorder_id_fkey FOREIGN KEY (preorder_id) REFERENCES preorders(id),
  CONSTRAINT charges_rental_id_fkey FOREIGN KEY (rental_id) REFERENCES rentals(id),
  CONSTRAINT charges_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts(user_id)
);
CREATE INDEX charges_api_key ON charges (api_key_id, created_at) WHERE api_key_id IS NOT NULL;
CREATE INDEX charges_captured ON charges (settled_at) WHERE money = 'captured';
CREATE INDEX charges_held ON charges (purpose, created_at) WHERE money = 'held';
CREATE UNIQUE INDEX charges_idempotency ON charges (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX charges_one_extension ON charges (rental_id) WHERE purpose = 'extension' AND money = 'held';
CREATE UNIQUE INDEX charges_one_preorder ON charges (preorder_id) WHERE purpose = 'preorder' AND money = 'held';
CREATE INDEX charges_preorder ON charges (preorder_id, id) WHERE preorder_id IS NOT NULL;
CREATE INDEX charges_rental ON charges (rental_id, id) WHERE rental_id IS NOT NULL;
CREATE UNIQUE INDEX charges_rental_once ON charges (rental_id) WHERE purpose = 'rental';
CREATE INDEX charges_user ON charges (user_id, created_at DESC, id DESC);

CREATE TABLE coin_deposits (
  id bigint GENERATED ALWAYS AS IDENTITY,
  gateway_id integer NOT NULL,
  transaction_id text NOT NULL,
  invoice text NOT NULL,
  provider_id text NOT NULL,
  coins numeric NOT NULL,
  quoted_coins numeric NOT NULL,
  quoted_micros bigint NOT NULL,
  asset text,
  rest_micros bigint,
  rub_micros bigint,
  usd_rub_micros bigint,
  rate_source text,
  rate_at timestamptz,
  seen_at timestamptz NOT NULL,
  valued_at timestamptz,
  gone_at timestamptz,
  given_up_at timestamptz,
  dropped_at timestamptz,
  CONSTRAINT coin_deposits_pkey PRIMARY KEY (id),
  CONSTRAINT coin_deposits_once UNIQUE (gateway_id, provider_id),
  CONSTRAINT coin_deposits_coins CHECK (coins > 0::numeric),
  CONSTRAINT coin_deposits_dropped CHECK (dropped_at IS NULL OR rest_micros = 0),
  CONSTRAINT coin_deposits_given_up CHECK (given_up_at IS NULL OR asset IS NULL AND rest_micros = 0),
  CONSTRAINT coin_deposits_quoted CHECK (quoted_coins >= 0::numeric AND quoted_coins <= coins),
  CONSTRAINT coin_deposits_quoted_worth CHECK (quoted_micros >= 0),
  CONSTRAINT coin_deposits_rest CHECK (rest_micros >= 0),
  CONSTRAINT coin_deposits_valued CHECK ((rest_micros IS NULL) = (valued_at IS NULL)),
  CONSTRAINT coin_deposits_gateway_id_fkey FOREIGN KEY (gateway_id) REFERENCES gateways(id),
  CONSTRAINT coin_deposits_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES payments(transaction_id)
);
CREATE INDEX coin_deposits_payment ON coin_deposits (transaction_id);
CREATE INDEX coin_deposits_waiting ON coin_deposits (gateway_id, id) WHERE rest_micros IS NULL AND gone_at IS NULL;

CREATE TABLE coin_sights (
  transaction_id text NOT NULL,
  gateway_id integer NOT NULL,
  asset text NOT NULL,
  coins numeric NOT NULL,
  seen_at timestamptz NOT NULL,
  firm_coins numeric NOT NULL,
  txid text,
  looked_at timestamptz NOT NULL,
  CONSTRAINT coin_sights_pkey PRIMARY KEY (transaction_id),
  CONSTRAINT coin_sights_coins CHECK (firm_coins >= 0::numeric AND firm_coins <= coins),
  CONSTRAINT coin_sights_gateway_id_fkey FOREIGN KEY (gateway_id) REFERENCES gateways(id),
  CONSTRAINT coin_sights_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES payments(transaction_id)
);

CREATE TABLE consents (
  user_id integer NOT NULL,
  document text NOT NULL,
  version text NOT NULL,
  given_by text NOT NULL,
  at timestamptz NOT NULL,
  CONSTRAINT consents_pkey PRIMARY KEY (user_id, document, version),
  CONSTRAINT consents_given_by CHECK (given_by = ANY (ARRAY['registration', 'notice'])),
  CONSTRAINT consents_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT consents_version FOREIGN KEY (document, version) REFERENCES document_versions(document, version)
);

CREATE TABLE content_texts (
  locale text NOT NULL,
  path text NOT NULL,
  kind text NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  words tsvector NOT NULL,
  CONSTRAINT content_texts_pkey PRIMARY KEY (locale, path),
  CONSTRAINT content_texts_kind CHECK (kind = ANY (ARRAY['article', 'answer'])),
  CONSTRAINT content_texts_locale CHECK (locale = ANY (ARRAY['ru', 'en']))
);
CREATE INDEX content_texts_words ON content_texts USING gin (words);

CREATE TABLE countries (
  id integer NOT NULL,
  name_en text NOT NULL,
  name_ru text NOT NULL,
  iso2 text NOT NULL,
  dial text NOT NULL,
  "position" integer NOT NULL,
  visible boolean NOT NULL,
  retry boolean NOT NULL,
  rent boolean NOT NULL,
  multi boolean NOT NULL,
  CONSTRAINT countries_pkey PRIMARY KEY (id)
);

CREATE TABLE data_export_chunks (
  export_id bigint NOT NULL,
  place integer NOT NULL,
  body bytea NOT NULL,
  CONSTRAINT data_export_chunks_pkey PRIMARY KEY (export_id, place),
  CONSTRAINT data_export_chunks_export_id_fkey FOREIGN KEY (export_id) REFERENCES data_exports(id) ON DELETE CASCADE
);

CREATE TABLE data_exports (
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  state text DEFAULT 'waiting' NOT NULL,
  asked_at timestamptz NOT NULL,
  day date NOT NULL,
  ready_at timestamptz,
  expires_at timestamptz,
  bytes bigint,
  CONSTRAINT data_exports_pkey PRIMARY KEY (id),
  CONSTRAINT data_exports_once_a_day UNIQUE (user_id, day),
  CONSTRAINT data_exports_ready CHECK (state <> 'ready' OR num_nulls(ready_at, expires_at, bytes) = 0),
  CONSTRAINT data_exports_state CHECK (state = ANY (ARRAY['waiting', 'ready', 'too_large', 'failed'])),
  CONSTRAINT data_exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX data_exports_expiry ON data_exports (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX data_exports_waiting ON data_exports (id) WHERE state = 'waiting';

CREATE TABLE delivery_checkpoints (
  id bigint GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL,
  recounted boolean NOT NULL,
  through_message bigint NOT NULL,
  CONSTRAINT delivery_checkpoints_pkey PRIMARY KEY (id)
);
CREATE TRIGGER delivery_checkpoints_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON delivery_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE demo_mails (
  id bigint GENERATED ALWAYS AS IDENTITY,
  message_id text NOT NULL,
  recipient text NOT NULL,
  subject text NOT NULL,
  body_text text NOT NULL,
  body_html text NOT NULL,
  sent_at timestamptz NOT NULL,
  CONSTRAINT demo_mails_pkey PRIMARY KEY (id),
  CONSTRAINT demo_mails_message_id UNIQUE (message_id)
);

CREATE TABLE deposits (
  id bigint GENERATED ALWAYS AS IDENTITY,
  payment_id bigint NOT NULL,
  gateway_id integer NOT NULL,
  provider_id text NOT NULL,
  amount_micros bigint NOT NULL,
  currency text NOT NULL,
  at timestamptz NOT NULL,
  payer_hash bytea,
  rest_micros bigint DEFAULT 0 NOT NULL,
  CONSTRAINT deposits_pkey PRIMARY KEY (id),
  CONSTRAINT deposits_once UNIQUE (gateway_id, provider_id),
  CONSTRAINT deposits_amount_not_negative CHECK (amount_micros >= 0),
  CONSTRAINT deposits_rest_below_a_cent CHECK (rest_micros > '-10000'::integer AND rest_micros < 10000),
  CONSTRAINT deposits_worth_positive CHECK ((amount_micros + rest_micros) > 0),
  CONSTRAINT deposits_gateway_id_fkey FOREIGN KEY (gateway_id) REFERENCES gateways(id),
  CONSTRAINT deposits_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id)
);
CREATE INDEX deposits_at ON deposits (at);
CREATE INDEX deposits_payer ON deposits (payer_hash) WHERE payer_hash IS NOT NULL;
CREATE INDEX deposits_payment ON deposits (payment_id);
CREATE TRIGGER deposits_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON deposits FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE document_versions (
  document text NOT NULL,
  version text NOT NULL,
  digest bytea NOT NULL,
  since timestamptz NOT NULL,
  is_current boolean NOT NULL,
  CONSTRAINT document_versions_pkey PRIMARY KEY (document, version)
);
CREATE UNIQUE INDEX document_versions_one_current ON document_versions (document) WHERE is_current;

CREATE TABLE email_codes (
  user_id integer NOT NULL,
  email text NOT NULL,
  code_hash bytea NOT NULL,
  code_tries integer DEFAULT 0 NOT NULL,
  code_sent_at timestamptz NOT NULL,
  code_expires_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT email_codes_pkey PRIMARY KEY (user_id),
  CONSTRAINT email_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX email_codes_expiry ON email_codes (expires_at);

CREATE TABLE events (
  id bigint GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL,
  kind text NOT NULL,
  user_id integer,
  subject_id bigint,
  data jsonb
) PARTITION BY RANGE (at);
CREATE INDEX events_subject ON ONLY events (subject_id, id);
CREATE TRIGGER events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE exchange_rates (
  currency text NOT NULL,
  rub_micros bigint NOT NULL,
  updated_at timestamptz NOT NULL,
  source text DEFAULT 'rate:set' NOT NULL,
  CONSTRAINT exchange_rates_pkey PRIMARY KEY (currency),
  CONSTRAINT exchange_rates_currency CHECK (currency ~ '^[a-z0-9]{2,10}$' AND currency <> 'rub'),
  CONSTRAINT exchange_rates_positive CHECK (rub_micros > 0)
);

CREATE TABLE favorite_prices_told (
  user_id integer NOT NULL,
  service_code text NOT NULL,
  CONSTRAINT favorite_prices_told_pkey PRIMARY KEY (user_id, service_code),
  CONSTRAINT favorite_prices_told_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE favorites (
  user_id integer NOT NULL,
  mode text NOT NULL,
  kind text NOT NULL,
  subject_id text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT favorites_pkey PRIMARY KEY (user_id, mode, kind, subject_id),
  CONSTRAINT favorites_kind CHECK (kind = ANY (ARRAY['service', 'country'])),
  CONSTRAINT favorites_mode CHECK (mode = ANY (ARRAY['activation', 'rent'])),
  CONSTRAINT favorites_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE gateway_events (
  id bigint GENERATED ALWAYS AS IDENTITY,
  gateway_id integer NOT NULL,
  received_at timestamptz NOT NULL,
  address text NOT NULL,
  headers jsonb NOT NULL,
  body bytea NOT NULL,
  state text DEFAULT 'stored' NOT NULL,
  provider_event_id text,
  payment_id bigint,
  tries integer DEFAULT 0 NOT NULL,
  settled_at timestamptz,
  read jsonb,
  body_hash bytea,
  CONSTRAINT gateway_events_pkey PRIMARY KEY (id),
  CONSTRAINT gateway_events_state CHECK (state = ANY (ARRAY['stored', 'processed', 'repeated', 'unknown', 'refused'])),
  CONSTRAINT gateway_events_gateway_id_fkey FOREIGN KEY (gateway_id) REFERENCES gateways(id),
  CONSTRAINT gateway_events_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id)
);
CREATE UNIQUE INDEX gateway_events_once ON gateway_events (gateway_id, provider_event_id) WHERE (state = ANY (ARRAY['processed', 'unknown'])) AND provider_event_id IS NOT NULL;
CREATE INDEX gateway_events_payment ON gateway_events (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX gateway_events_refused ON gateway_events (received_at) WHERE state = 'refused';
CREATE INDEX gateway_events_repeated ON gateway_events (received_at) WHERE state = 'repeated';
CREATE INDEX gateway_events_stored ON gateway_events (id) WHERE state = 'stored';

CREATE TABLE gateways (
  id integer GENERATED ALWAYS AS IDENTITY,
  code text NOT NULL,
  kind text NOT NULL,
  settings jsonb DEFAULT '{}'::jsonb NOT NULL,
  settings_version integer DEFAULT 1 NOT NULL,
  paused_at timestamptz,
  created_at timestamptz NOT NULL,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure text,
  failing_since timestamptz,
  CONSTRAINT gateways_pkey PRIMARY KEY (id),
  CONSTRAINT gateways_code_unique UNIQUE (code)
);

CREATE TABLE identities (
  provider text NOT NULL,
  subject text NOT NULL,
  user_id integer NOT NULL,
  name text NOT NULL,
  linked_at timestamptz NOT NULL,
  CONSTRAINT identities_profile PRIMARY KEY (provider, subject),
  CONSTRAINT identities_one_of_each UNIQUE (user_id, provider),
  CONSTRAINT identities_provider CHECK (provider = ANY (ARRAY['google', 'vkontakte', 'telegram'])),
  CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE ignored_senders (
  sender text NOT NULL,
  source text NOT NULL,
  removed boolean DEFAULT false NOT NULL,
  CONSTRAINT ignored_senders_pkey PRIMARY KEY (sender),
  CONSTRAINT ignored_senders_sender CHECK (length(sender) >= 1 AND length(sender) <= 64),
  CONSTRAINT ignored_senders_source CHECK (source = ANY (ARRAY['seed', 'staff', 'learnt']))
);

CREATE TABLE incidents (
  id integer GENERATED ALWAYS AS IDENTITY,
  components text[] NOT NULL,
  notes jsonb NOT NULL,
  opened_at timestamptz NOT NULL,
  closed_at timestamptz,
  CONSTRAINT incidents_pkey PRIMARY KEY (id),
  CONSTRAINT incidents_about CHECK (cardinality(components) > 0),
  CONSTRAINT incidents_forward CHECK (closed_at >= opened_at),
  CONSTRAINT incidents_told CHECK (jsonb_array_length(notes) >= 1 AND jsonb_array_length(notes) <= 50)
);

CREATE TABLE intake_requests (
  id bigint GENERATED ALWAYS AS IDENTITY,
  supplier_id integer NOT NULL,
  received_at timestamptz NOT NULL,
  address text NOT NULL,
  method text NOT NULL,
  query text NOT NULL,
  headers jsonb NOT NULL,
  body bytea,
  once_key text,
  repeats integer DEFAULT 0 NOT NULL,
  state text NOT NULL,
  reason text,
  tries integer DEFAULT 0 NOT NULL,
  settled_at timestamptz,
  CONSTRAINT intake_requests_pkey PRIMARY KEY (id),
  CONSTRAINT intake_requests_settled CHECK ((state = 'stored') = (settled_at IS NULL)),
  CONSTRAINT intake_requests_state CHECK (state = ANY (ARRAY['stored', 'processed', 'ignored', 'unread', 'refused'])),
  CONSTRAINT intake_requests_supplier FOREIGN KEY (supplier_id) REFERENCES suppliers(id) ON DELETE RESTRICT
);
CREATE INDEX intake_requests_latest ON intake_requests (supplier_id, received_at);
CREATE UNIQUE INDEX intake_requests_once ON intake_requests (supplier_id, once_key) WHERE once_key IS NOT NULL;
CREATE INDEX intake_requests_received ON intake_requests (received_at) WHERE state <> 'stored';
CREATE INDEX intake_requests_stored ON intake_requests (tries, id) WHERE state = 'stored';

CREATE TABLE key_ceilings (
  key_id integer NOT NULL,
  country_id integer NOT NULL,
  service_code text NOT NULL,
  max_price_micros bigint NOT NULL,
  set_at timestamptz NOT NULL,
  CONSTRAINT key_ceilings_pkey PRIMARY KEY (key_id, country_id, service_code),
  CONSTRAINT key_ceilings_price CHECK (max_price_micros > 0),
  CONSTRAINT key_ceilings_service CHECK (char_length(service_code) <= 40),
  CONSTRAINT key_ceilings_country_id_fkey FOREIGN KEY (country_id) REFERENCES countries(id),
  CONSTRAINT key_ceilings_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id) ON DELETE CASCADE
);

CREATE TABLE leases (
  name text NOT NULL,
  node_id bigint NOT NULL,
  CONSTRAINT leases_pkey PRIMARY KEY (name),
  CONSTRAINT leases_name_check CHECK (length(name) <= 80),
  CONSTRAINT leases_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id)
);

CREATE TABLE ledger_checkpoints (
  id bigint GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL,
  recounted boolean NOT NULL,
  through_transfer bigint NOT NULL,
  balances_digest bytea NOT NULL,
  previous_hash bytea,
  hash bytea NOT NULL,
  CONSTRAINT ledger_checkpoints_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX ledger_checkpoints_chain ON ledger_checkpoints (previous_hash) NULLS NOT DISTINCT;
CREATE TRIGGER ledger_checkpoints_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE loyalty_periods (
  id integer GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  time_zone text NOT NULL,
  begins_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  paid_at timestamptz,
  CONSTRAINT loyalty_periods_pkey PRIMARY KEY (id),
  CONSTRAINT loyalty_periods_apart EXCLUDE USING gist (tstzrange(begins_at, ends_at) WITH &&),
  CONSTRAINT loyalty_periods_forward CHECK (begins_at < ends_at),
  CONSTRAINT loyalty_periods_kind CHECK (kind = ANY (ARRAY['week', 'month']))
);
CREATE INDEX loyalty_periods_unpaid ON loyalty_periods (ends_at) WHERE paid_at IS NULL;

CREATE TABLE loyalty_ranks (
  period_id integer NOT NULL,
  currency text NOT NULL,
  top_up_micros bigint NOT NULL,
  points integer NOT NULL,
  CONSTRAINT loyalty_ranks_pkey PRIMARY KEY (period_id, currency, top_up_micros),
  CONSTRAINT loyalty_ranks_currency CHECK (currency = ANY (ARRAY['rub', 'usd'])),
  CONSTRAINT loyalty_ranks_points CHECK (points >= 1 AND points <= 10000),
  CONSTRAINT loyalty_ranks_top_up_positive CHECK (top_up_micros > 0),
  CONSTRAINT loyalty_ranks_period_id_fkey FOREIGN KEY (period_id) REFERENCES loyalty_periods(id)
);

CREATE TABLE loyalty_rewards (
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  period_id integer NOT NULL,
  currency text NOT NULL,
  top_up_micros bigint NOT NULL,
  points integer NOT NULL,
  reward_micros bigint NOT NULL,
  changes integer DEFAULT 1 NOT NULL,
  changed_at timestamptz NOT NULL,
  CONSTRAINT loyalty_rewards_pkey PRIMARY KEY (id),
  CONSTRAINT loyalty_rewards_once UNIQUE (user_id, period_id),
  CONSTRAINT loyalty_rewards_points CHECK (points >= 0 AND points <= 10000),
  CONSTRAINT loyalty_rewards_reward_not_negative CHECK (reward_micros >= 0),
  CONSTRAINT loyalty_rewards_top_up_not_negative CHECK (top_up_micros >= 0),
  CONSTRAINT loyalty_rewards_period_id_fkey FOREIGN KEY (period_id) REFERENCES loyalty_periods(id),
  CONSTRAINT loyalty_rewards_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts(user_id)
);

CREATE TABLE max_prices (
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  service_code text NOT NULL,
  price_micros bigint NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT max_prices_pkey PRIMARY KEY (id),
  CONSTRAINT max_prices_once UNIQUE (user_id, service_code),
  CONSTRAINT max_prices_price_positive CHECK (price_micros > 0),
  CONSTRAINT max_prices_service_code_fkey FOREIGN KEY (service_code) REFERENCES services(code),
  CONSTRAINT max_prices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE message_ids (
  supplier_id integer NOT NULL,
  supplier_message_id text NOT NULL,
  message_id bigint NOT NULL,
  received_at timestamptz NOT NULL,
  CONSTRAINT message_ids_once PRIMARY KEY (supplier_id, supplier_message_id)
);
CREATE INDEX message_ids_received ON message_ids USING brin (received_at);

CREATE TABLE messages (
  id bigint GENERATED ALWAYS AS IDENTITY,
  supplier_id integer NOT NULL,
  supplier_message_id text,
  phone text NOT NULL,
  sender text NOT NULL,
  body text,
  code text,
  activation_id bigint,
  received_at timestamptz NOT NULL,
  rental_id bigint,
  given text,
  named_by text,
  named_services text[],
  named_family text,
  naming_version smallint,
  reference text,
  withheld boolean DEFAULT false NOT NULL,
  CONSTRAINT messages_pkey PRIMARY KEY (id),
  CONSTRAINT messages_supplier_id_unique UNIQUE (supplier_id, supplier_message_id),
  CONSTRAINT messages_fit CHECK (is_message(messages.*)),
  CONSTRAINT messages_activation_id_fkey FOREIGN KEY (activation_id) REFERENCES activations(id),
  CONSTRAINT messages_rental_id_fkey FOREIGN KEY (rental_id) REFERENCES rentals(id),
  CONSTRAINT messages_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
);
CREATE INDEX messages_activation ON messages (activation_id, id) WHERE activation_id IS NOT NULL;
CREATE INDEX messages_aside ON messages (given, received_at) WHERE given = ANY ('{unmatched,late,operator,junk}'::text[]);
CREATE INDEX messages_phone ON messages (phone, received_at DESC);
CREATE INDEX messages_received ON messages (received_at) WHERE body IS NOT NULL;
CREATE INDEX messages_rental ON messages (rental_id, id) WHERE rental_id IS NOT NULL;
CREATE TRIGGER messages_store_id AFTER INSERT ON messages FOR EACH ROW WHEN (new.supplier_message_id IS NOT NULL) EXECUTE FUNCTION store_message_id();

CREATE TABLE news (
  id bigint GENERATED ALWAYS AS IDENTITY,
  words jsonb NOT NULL,
  link text,
  created_at timestamptz NOT NULL,
  reached_user_id integer DEFAULT 0 NOT NULL,
  last_user_id integer NOT NULL,
  CONSTRAINT news_pkey PRIMARY KEY (id),
  CONSTRAINT news_link CHECK (link ~~ '/%' AND link !~~ '//%')
);
CREATE INDEX news_under_way ON news (id) WHERE reached_user_id < last_user_id;

CREATE TABLE nodes (
  id bigint GENERATED ALWAYS AS IDENTITY,
  host text NOT NULL,
  pid integer NOT NULL,
  version text NOT NULL,
  commit text,
  started_at timestamptz DEFAULT clock_timestamp() NOT NULL,
  until timestamptz NOT NULL,
  ended_at timestamptz,
  lock_pid integer,
  lock_since timestamptz,
  state text DEFAULT 'stand_by' NOT NULL,
  sockets integer DEFAULT 0 NOT NULL,
  ahead_ms integer,
  CONSTRAINT nodes_pkey PRIMARY KEY (id),
  CONSTRAINT nodes_commit_check CHECK (length(commit) <= 64),
  CONSTRAINT nodes_host_check CHECK (length(host) <= 255),
  CONSTRAINT nodes_sockets_check CHECK (sockets >= 0),
  CONSTRAINT nodes_state_check CHECK (state = ANY (ARRAY['stand_by', 'serves', 'leaves'])),
  CONSTRAINT nodes_version_check CHECK (length(version) <= 40)
);

CREATE TABLE notices (
  name text NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  kind text NOT NULL,
  texts jsonb NOT NULL,
  begins_at timestamptz NOT NULL,
  ends_at timestamptz,
  CONSTRAINT notices_pkey PRIMARY KEY (name),
  CONSTRAINT notices_forward CHECK (begins_at < ends_at),
  CONSTRAINT notices_kind CHECK (kind = ANY (ARRAY['info', 'error'])),
  CONSTRAINT notices_texts CHECK (texts <> '{}'::jsonb)
);

CREATE TABLE notification_settings (
  user_id integer NOT NULL,
  choices jsonb DEFAULT '{}'::jsonb NOT NULL,
  balance_limit_micros bigint,
  balance_low_at timestamptz,
  price_limit_micros bigint,
  changed_at timestamptz NOT NULL,
  CONSTRAINT notification_settings_pkey PRIMARY KEY (user_id),
  CONSTRAINT notification_settings_balance CHECK (balance_limit_micros > 0),
  CONSTRAINT notification_settings_price CHECK (price_limit_micros > 0),
  CONSTRAINT notification_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX notification_settings_balance_limit ON notification_settings (user_id) WHERE balance_limit_micros IS NOT NULL;
CREATE INDEX notification_settings_price_limit ON notification_settings (user_id) WHERE price_limit_micros IS NOT NULL;

CREATE TABLE notifications (
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  category text NOT NULL,
  kind text NOT NULL,
  details jsonb NOT NULL,
  link text,
  dedupe_key text NOT NULL,
  channels text[] NOT NULL,
  created_at timestamptz NOT NULL,
  read_at timestamptz,
  mailed_at timestamptz,
  telegram_at timestamptz,
  CONSTRAINT notifications_pkey PRIMARY KEY (id),
  CONSTRAINT notifications_once UNIQUE (user_id, dedupe_key),
  CONSTRAINT notifications_channels CHECK (channels <> '{}'::text[]),
  CONSTRAINT notifications_link CHECK (link ~~ '/%' AND link !~~ '//%'),
  CONSTRAINT notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX notifications_listed ON notifications (user_id, id) WHERE 'site' = ANY (channels);
CREATE INDEX notifications_listed_category ON notifications (user_id, category, id) WHERE 'site' = ANY (channels);
CREATE INDEX notifications_unread ON notifications (user_id, id) WHERE read_at IS NULL AND ('site' = ANY (channels));

CREATE TABLE offers (
  supplier_id integer NOT NULL,
  service_code text NOT NULL,
  country_id integer NOT NULL,
  operator text NOT NULL,
  cost_micros bigint NOT NULL,
  currency text NOT NULL,
  stock integer NOT NULL,
  refreshed_at timestamptz NOT NULL,
  CONSTRAINT offers_pkey PRIMARY KEY (supplier_id, service_code, country_id, operator),
  CONSTRAINT offers_cost_not_negative CHECK (cost_micros >= 0),
  CONSTRAINT offers_currency CHECK (currency = ANY (ARRAY['rub', 'usd'])),
  CONSTRAINT offers_stock_not_negative CHECK (stock >= 0),
  CONSTRAINT offers_country_id_fkey FOREIGN KEY (country_id) REFERENCES countries(id),
  CONSTRAINT offers_service_code_fkey FOREIGN KEY (service_code) REFERENCES services(code),
  CONSTRAINT offers_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
);

CREATE TABLE outcome_hours (
  hour timestamptz NOT NULL,
  supplier_id integer NOT NULL,
  service_code text NOT NULL,
  country_id integer NOT NULL,
  operator text NOT NULL,
  purchases integer NOT NULL,
  codes integer NOT NULL,
  seconds_counts integer[] NOT NULL,
  uncounted integer DEFAULT 0 NOT NULL,
  CONSTRAINT outcome_hours_pkey PRIMARY KEY (hour, supplier_id, service_code, country_id, operator)
);

CREATE TABLE outlet_orders (
  activation_id bigint NOT NULL,
  outlet_id integer NOT NULL,
  sold_at timestamptz NOT NULL,
  watched_until timestamptz NOT NULL,
  told smallint,
  told_at timestamptz,
  carried_out boolean DEFAULT false NOT NULL,
  refunded_at timestamptz,
  CONSTRAINT outlet_orders_pkey PRIMARY KEY (activation_id),
  CONSTRAINT outlet_orders_told CHECK (told = ANY (ARRAY[1, 3, 4, 5])),
  CONSTRAINT outlet_orders_told_at CHECK ((told IS NULL) = (told_at IS NULL)),
  CONSTRAINT outlet_orders_activation FOREIGN KEY (activation_id) REFERENCES activations(id) ON DELETE CASCADE,
  CONSTRAINT outlet_orders_outlet FOREIGN KEY (outlet_id) REFERENCES outlets(id)
);
CREATE INDEX outlet_orders_outlet ON outlet_orders (outlet_id, sold_at);
CREATE INDEX outlet_orders_to_do ON outlet_orders (told_at) WHERE told IS NOT NULL AND NOT carried_out;
CREATE INDEX outlet_orders_watched ON outlet_orders (watched_until);

CREATE TABLE outlet_pushes (
  message_id bigint NOT NULL,
  activation_id bigint NOT NULL,
  outlet_id integer NOT NULL,
  state text NOT NULL,
  tries integer DEFAULT 0 NOT NULL,
  made_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  reason text,
  settled_at timestamptz,
  CONSTRAINT outlet_pushes_pkey PRIMARY KEY (message_id),
  CONSTRAINT outlet_pushes_settled CHECK ((state = 'due') = (settled_at IS NULL)),
  CONSTRAINT outlet_pushes_state CHECK (state = ANY (ARRAY['due', 'accepted', 'given_up'])),
  CONSTRAINT outlet_pushes_message FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE,
  CONSTRAINT outlet_pushes_order FOREIGN KEY (activation_id) REFERENCES outlet_orders(activation_id) ON DELETE CASCADE,
  CONSTRAINT outlet_pushes_outlet FOREIGN KEY (outlet_id) REFERENCES outlets(id)
);
CREATE INDEX outlet_pushes_due ON outlet_pushes (outlet_id, due_at) WHERE state = 'due';
CREATE INDEX outlet_pushes_made ON outlet_pushes (made_at) WHERE state <> 'due';
CREATE INDEX outlet_pushes_order ON outlet_pushes (activation_id);

CREATE TABLE outlets (
  id integer GENERATED ALWAYS AS IDENTITY,
  code text NOT NULL,
  kind text NOT NULL,
  api_key_id integer,
  settings jsonb NOT NULL,
  paused_at timestamptz,
  created_at timestamptz NOT NULL,
  removed_at timestamptz,
  CONSTRAINT outlets_pkey PRIMARY KEY (id),
  CONSTRAINT outlets_code_unique UNIQUE (code),
  CONSTRAINT outlets_kind CHECK (kind = 'agent'),
  CONSTRAINT outlets_api_key FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE SET NULL
);

CREATE TABLE passkey_challenges (
  hash bytea NOT NULL,
  browser_hash bytea NOT NULL,
  purpose text NOT NULL,
  user_id integer,
  handle bytea,
  expires_at timestamptz NOT NULL,
  CONSTRAINT passkey_challenges_pkey PRIMARY KEY (hash),
  CONSTRAINT passkey_challenges_purpose CHECK (purpose = ANY (ARRAY['add', 'sign-in', 'second-factor', 'confirm'])),
  CONSTRAINT passkey_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at);

CREATE TABLE passkeys (
  id integer GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  handle bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  rp_id text NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  CONSTRAINT passkeys_pkey PRIMARY KEY (id),
  CONSTRAINT passkeys_credential UNIQUE (credential_id),
  CONSTRAINT passkeys_counter CHECK (counter >= 0),
  CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX passkeys_user ON passkeys (user_id);

CREATE TABLE password_resets (
  email text NOT NULL,
  user_id integer,
  token_hash bytea NOT NULL,
  sent_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT password_resets_token PRIMARY KEY (token_hash),
  CONSTRAINT password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX password_resets_email ON password_resets (email);
CREATE INDEX password_resets_expiry ON password_resets (expires_at);
CREATE INDEX password_resets_user ON password_resets (user_id) WHERE user_id IS NOT NULL;

CREATE TABLE payment_keys (
  user_id integer NOT NULL,
  idempotency_key text NOT NULL,
  payment_id bigint NOT NULL,
  input_hash text NOT NULL,
  at timestamptz NOT NULL,
  CONSTRAINT payment_keys_pkey PRIMARY KEY (user_id, idempotency_key),
  CONSTRAINT payment_keys_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id),
  CONSTRAINT payment_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts(user_id)
);

CREATE TABLE payments (
  id bigint GENERATED ALWAYS AS IDENTITY,
  transaction_id text NOT NULL,
  user_id integer NOT NULL,
  gateway_id integer NOT NULL,
  system text NOT NULL,
  state text NOT NULL,
  amount_micros bigint NOT NULL,
  currency text NOT NULL,
  fee_points integer DEFAULT 0 NOT NULL,
  bonus_points integer DEFAULT 0 NOT NULL,
  provider_id text,
  guidance jsonb,
  confirmations jsonb,
  idempotency_key text,
  input_hash text,
  network text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  paid_at timestamptz,
  next_check_at timestamptz,
  checks integer DEFAULT 0 NOT NULL,
  bonus_rule_id integer,
  rule_bonus_micros bigint DEFAULT 0 NOT NULL,
  payable_until timestamptz,
  press jsonb,
  closed_at timestamptz,
  CONSTRAINT payments_pkey PRIMARY KEY (id),
  CONSTRAINT payments_transaction_once UNIQUE (transaction_id),
  CONSTRAINT payments_amount_positive CHECK (amount_micros > 0),
  CONSTRAINT payments_bonus CHECK (bonus_points >= 0 AND bonus_points <= 10000),
  CONSTRAINT payments_closed_is_over CHECK (closed_at IS NULL OR closed_at = expires_at AND (state <> ALL (ARRAY['created', 'pending']))),
  CONSTRAINT payments_currency CHECK (currency = ANY (ARRAY['rub', 'usd'])),
  CONSTRAINT payments_fee CHECK (fee_points >= 0 AND fee_points <= 9999),
  CONSTRAINT payments_paid_at CHECK ((state <> ALL (ARRAY['paid', 'refunded'])) OR paid_at IS NOT NULL),
  CONSTRAINT payments_rule_bonus CHECK (rule_bonus_micros >= 0 AND (rule_bonus_micros > 0) = (bonus_rule_id IS NOT NULL)),
  CONSTRAINT payments_state CHECK (state = ANY (ARRAY['created', 'pending', 'confirming', 'paid', 'partial', 'expired', 'failed', 'refunded', 'disputed'])),
  CONSTRAINT payments_bonus_rule_id_fkey FOREIGN KEY (bonus_rule_id) REFERENCES bonus_rules(id),
  CONSTRAINT payments_gateway_id_fkey FOREIGN KEY (gateway_id) REFERENCES gateways(id),
  CONSTRAINT payments_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts(user_id)
);
CREATE INDEX payments_check ON payments (gateway_id, next_check_at) WHERE next_check_at IS NOT NULL;
CREATE UNIQUE INDEX payments_idempotency ON payments (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX payments_network ON payments (network, created_at) WHERE network IS NOT NULL;
CREATE INDEX payments_open ON payments (user_id) WHERE state = ANY (ARRAY['created', 'pending', 'confirming']);
CREATE INDEX payments_origin_kept ON payments (created_at) WHERE network IS NOT NULL OR press IS NOT NULL;
CREATE UNIQUE INDEX payments_provider_once ON payments (gateway_id, provider_id) WHERE provider_id IS NOT NULL;
CREATE INDEX payments_user ON payments (user_id, id DESC);

CREATE TABLE pending_logins (
  hash bytea NOT NULL,
  user_id integer NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT pending_logins_pkey PRIMARY KEY (hash),
  CONSTRAINT pending_logins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX pending_logins_expiry ON pending_logins (expires_at);

CREATE TABLE preorders (
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  service_code text NOT NULL,
  country_id integer NOT NULL,
  operator_wanted text,
  max_price_micros bigint NOT NULL,
  currency text NOT NULL,
  state text NOT NULL,
  activation_id bigint,
  idempotency_key text,
  input_hash text,
  created_at timestamptz NOT NULL,
  deadline_at timestamptz NOT NULL,
  tries integer DEFAULT 0 NOT NULL,
  next_try_at timestamptz NOT NULL,
  ended_at timestamptz,
  api_key_id integer,
  CONSTRAINT preorders_pkey PRIMARY KEY (id),
  CONSTRAINT preorders_price_positive CHECK (max_price_micros > 0),
  CONSTRAINT preorders_purchase CHECK ((state <> ALL (ARRAY['buying', 'bought'])) OR activation_id IS NOT NULL),
  CONSTRAINT preorders_state CHECK (state = ANY (ARRAY['waiting', 'buying', 'bought', 'cancelled', 'expired', 'failed'])),
  CONSTRAINT preorders_activation_id_fkey FOREIGN KEY (activation_id) REFERENCES activations(id),
  CONSTRAINT preorders_country_id_fkey FOREIGN KEY (country_id) REFERENCES countries(id),
  CONSTRAINT preorders_service_code_fkey FOREIGN KEY (service_code) REFERENCES services(code),
  CONSTRAINT preorders_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX preorders_activation ON preorders (activation_id) WHERE activation_id IS NOT NULL;
CREATE INDEX preorders_api_key ON preorders (api_key_id, created_at) WHERE api_key_id IS NOT NULL;
CREATE INDEX preorders_buying ON preorders (id) WHERE state = 'buying';
CREATE INDEX preorders_deadline ON preorders (deadline_at) WHERE state = 'waiting';
CREATE UNIQUE INDEX preorders_idempotency ON preorders (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX preorders_next_try ON preorders (next_try_at) WHERE state = 'waiting';
CREATE INDEX preorders_open ON preorders (service_code, country_id, id) WHERE state = 'waiting';
CREATE INDEX preorders_user_open ON preorders (user_id, id DESC) WHERE state = ANY (ARRAY['waiting', 'buying']);

CREATE TABLE price_rules (
  id integer GENERATED ALWAYS AS IDENTITY,
  service_code text,
  country_id integer,
  margin_percent integer,
  price_micros bigint,
  currency text,
  starts_at timestamptz,
  ends_at timestamptz,
  promotion_id integer,
  CONSTRAINT price_rules_pkey PRIMARY KEY (id),
  CONSTRAINT price_rules_currency CHECK (currency = ANY (ARRAY['rub', 'usd'])),
  CONSTRAINT price_rules_margin CHECK (margin_percent >= 0 AND margin_percent <= 10000),
  CONSTRAINT price_rules_one_kind CHECK (margin_percent IS NOT NULL AND price_micros IS NULL AND currency IS NULL OR margin_percent IS NULL AND price_micros IS NOT NULL AND currency IS NOT NULL),
  CONSTRAINT price_rules_period CHECK (ends_at IS NULL OR starts_at IS NOT NULL AND ends_at > starts_at),
  CONSTRAINT price_rules_price CHECK (price_micros > 0),
  CONSTRAINT price_rules_promotion CHECK (promotion_id IS NULL OR num_nonnulls(service_code, country_id, price_micros, ends_at) = 4),
  CONSTRAINT price_rules_country_id_fkey FOREIGN KEY (country_id) REFERENCES countries(id),
  CONSTRAINT price_rules_promotion_id_fkey FOREIGN KEY (promotion_id) REFERENCES promotions(id),
  CONSTRAINT price_rules_service_code_fkey FOREIGN KEY (service_code) REFERENCES services(code)
);
CREATE UNIQUE INDEX price_rules_promotion_once ON price_rules (promotion_id) WHERE promotion_id IS NOT NULL;
CREATE UNIQUE INDEX price_rules_scope ON price_rules (COALESCE(service_code, ''), COALESCE(country_id, '-1'::integer), COALESCE(starts_at, '-infinity'::timestamptz));

CREATE TABLE promotions (
  id integer GENERATED ALWAYS AS IDENTITY,
  service_code text NOT NULL,
  country_id integer NOT NULL,
  currency text NOT NULL,
  sale_limit_micros bigint NOT NULL,
  limit_micros bigint NOT NULL,
  spent_micros bigint DEFAULT 0 NOT NULL,
  created_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  CONSTRAINT promotions_pkey PRIMARY KEY (id),
  CONSTRAINT promotions_currency CHECK (currency = ANY (ARRAY['rub', 'usd'])),
  CONSTRAINT promotions_sale_limit CHECK (sale_limit_micros > 0),
  CONSTRAINT promotions_within_limit CHECK (spent_micros >= 0 AND spent_micros <= limit_micros),
  CONSTRAINT promotions_country_id_fkey FOREIGN KEY (country_id) REFERENCES countries(id),
  CONSTRAINT promotions_service_code_fkey FOREIGN KEY (service_code) REFERENCES services(code)
);

CREATE TABLE purchase_pauses (
  user_id integer NOT NULL,
  service_code text NOT NULL,
  country_id integer NOT NULL,
  purchases integer NOT NULL,
  codes integer NOT NULL,
  began_at timestamptz NOT NULL,
  until timestamptz NOT NULL,
  lifted_at timestamptz,
  CONSTRAINT purchase_pauses_pkey PRIMARY KEY (user_id, service_code, country_id, began_at),
  CONSTRAINT purchase_pauses_country_id_fkey FOREIGN KEY (country_id) REFERENCES countries(id),
  CONSTRAINT purchase_pauses_service_code_fkey FOREIGN KEY (service_code) REFERENCES services(code),
  CONSTRAINT purchase_pauses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX purchase_pauses_until ON purchase_pauses (user_id, until);

CREATE TABLE push_keys (
  id smallint NOT NULL,
  public_key text NOT NULL,
  private_key jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT push_keys_pkey PRIMARY KEY (id),
  CONSTRAINT push_keys_one CHECK (id = 1)
);

CREATE TABLE push_subscriptions (
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  session_id bigint NOT NULL,
  endpoint_hash bytea NOT NULL,
  sealed jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  failing_since timestamptz,
  failed_at timestamptz,
  gone_at timestamptz,
  CONSTRAINT push_subscriptions_pkey PRIMARY KEY (id),
  CONSTRAINT push_subscriptions_endpoint UNIQUE (endpoint_hash),
  CONSTRAINT push_subscriptions_failing CHECK ((failing_since IS NULL) = (failed_at IS NULL)),
  CONSTRAINT push_subscriptions_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  CONSTRAINT push_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX push_subscriptions_session ON push_subscriptions (session_id);
CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id, id);

CREATE TABLE rate_history (
  id bigint GENERATED ALWAYS AS IDENTITY,
  currency text NOT NULL,
  rub_micros bigint NOT NULL,
  source text NOT NULL,
  at timestamptz NOT NULL,
  taken boolean NOT NULL,
  CONSTRAINT rate_history_pkey PRIMARY KEY (id),
  CONSTRAINT rate_history_positive CHECK (rub_micros > 0)
);
CREATE INDEX rate_history_newest ON rate_history (currency, id DESC);
CREATE TRIGGER rate_history_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON rate_history FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE rate_sources (
  currency text NOT NULL,
  kind text NOT NULL,
  url text NOT NULL,
  pointer text NOT NULL,
  every_minutes integer NOT NULL,
  next_at timestamptz NOT NULL,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure text,
  failing_since timestamptz,
  CONSTRAINT rate_sources_pkey PRIMARY KEY (currency),
  CONSTRAINT rate_sources_every CHECK (every_minutes >= 1 AND every_minutes <= 1440),
  CONSTRAINT rate_sources_kind CHECK (kind = ANY (ARRAY['json', 'cbr']))
);

CREATE TABLE recovery_codes (
  user_id integer NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, hash),
  CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES two_factor(user_id) ON DELETE CASCADE
);

CREATE TABLE referral_invitations (
  invited_id integer NOT NULL,
  user_id integer NOT NULL,
  state text DEFAULT 'counted' NOT NULL,
  reasons text[] DEFAULT '{}'::text[] NOT NULL,
  due_micros bigint DEFAULT 0 NOT NULL,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  CONSTRAINT referral_invitations_pkey PRIMARY KEY (invited_id),
  CONSTRAINT referral_invitations_due_not_negative CHECK (due_micros >= 0),
  CONSTRAINT referral_invitations_not_self CHECK (invited_id <> user_id),
  CONSTRAINT referral_invitations_state CHECK (state = ANY (ARRAY['counted', 'suspected', 'cleared', 'barred'])),
  CONSTRAINT referral_invitations_invited_id_fkey FOREIGN KEY (invited_id) REFERENCES users(id),
  CONSTRAINT referral_invitations_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts(user_id)
);
CREATE INDEX referral_invitations_suspected ON referral_invitations (invited_id) WHERE state = 'suspected';
CREATE INDEX referral_invitations_user ON referral_invitations (user_id, invited_id);

CREATE TABLE referral_progress (
  one boolean DEFAULT true NOT NULL,
  through_transfer bigint NOT NULL,
  CONSTRAINT referral_progress_pkey PRIMARY KEY (one),
  CONSTRAINT referral_progress_one CHECK (one)
);

CREATE TABLE referral_shares (
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  invited_id integer NOT NULL,
  activation_id bigint,
  charge_id bigint,
  payment_id bigint,
  gross_micros bigint NOT NULL,
  back_micros bigint DEFAULT 0 NOT NULL,
  base_currency text NOT NULL,
  percent integer NOT NULL,
  currency text NOT NULL,
  rate_micros bigint,
  rate_source text,
  due_micros bigint DEFAULT 0 NOT NULL,
  given_micros bigint DEFAULT 0 NOT NULL,
  moves integer DEFAULT 0 NOT NULL,
  state text DEFAULT 'pending' NOT NULL,
  created_at timestamptz NOT NULL,
  available_at timestamptz NOT NULL,
  look_at timestamptz,
  CONSTRAINT referral_shares_pkey PRIMARY KEY (id),
  CONSTRAINT referral_shares_once UNIQUE NULLS NOT DISTINCT (activation_id, charge_id, payment_id),
  CONSTRAINT referral_shares_back_not_negative CHECK (back_micros >= 0),
  CONSTRAINT referral_shares_base_currency CHECK (base_currency = ANY (ARRAY['rub', 'usd'])),
  CONSTRAINT referral_shares_currency CHECK (currency = ANY (ARRAY['rub', 'usd'])),
  CONSTRAINT referral_shares_due_not_negative CHECK (due_micros >= 0),
  CONSTRAINT referral_shares_given_not_negative CHECK (given_micros >= 0),
  CONSTRAINT referral_shares_given_when_available CHECK (state = 'available' OR given_micros = 0),
  CONSTRAINT referral_shares_gross_positive CHECK (gross_micros > 0),
  CONSTRAINT referral_shares_percent CHECK (percent >= 1 AND percent <= 100),
  CONSTRAINT referral_shares_rate_positive CHECK (rate_micros > 0),
  CONSTRAINT referral_shares_state CHECK (state = ANY (ARRAY['pending', 'available', 'refused'])),
  CONSTRAINT referral_shares_thing CHECK (num_nonnulls(activation_id, charge_id, payment_id) = 1),
  CONSTRAINT referral_shares_activation_id_fkey FOREIGN KEY (activation_id) REFERENCES activations(id),
  CONSTRAINT referral_shares_charge_id_fkey FOREIGN KEY (charge_id) REFERENCES charges(id),
  CONSTRAINT referral_shares_invited_id_fkey FOREIGN KEY (invited_id) REFERENCES referral_invitations(invited_id),
  CONSTRAINT referral_shares_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id),
  CONSTRAINT referral_shares_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts(user_id)
);
CREATE INDEX referral_shares_charge ON referral_shares (charge_id) WHERE charge_id IS NOT NULL;
CREATE INDEX referral_shares_days ON referral_shares (user_id, created_at DESC) WHERE state <> 'refused' AND due_micros > 0;
CREATE INDEX referral_shares_invited ON referral_shares (invited_id, state);
CREATE INDEX referral_shares_look ON referral_shares (look_at, user_id) WHERE look_at IS NOT NULL;
CREATE INDEX referral_shares_payment ON referral_shares (payment_id) WHERE payment_id IS NOT NULL;

CREATE TABLE referral_withdrawals (
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  amount_micros bigint NOT NULL,
  currency text NOT NULL,
  target text NOT NULL,
  network text,
  address text,
  tx text,
  state text NOT NULL,
  idempotency_key text,
  input_hash text,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  CONSTRAINT referral_withdrawals_pkey PRIMARY KEY (id),
  CONSTRAINT referral_withdrawals_address CHECK ((target = 'address') = (address IS NOT NULL) AND (target = 'address') = (network IS NOT NULL)),
  CONSTRAINT referral_withdrawals_amount_positive CHECK (amount_micros > 0),
  CONSTRAINT referral_withdrawals_currency CHECK (currency = ANY (ARRAY['rub', 'usd'])),
  CONSTRAINT referral_withdrawals_state CHECK (((target || ' ') || state) = ANY ('{"balance paid","address asked","address approved","address paid","address refused"}'::text[])),
  CONSTRAINT referral_withdrawals_tx CHECK ((tx IS NOT NULL) = (target = 'address' AND state = 'paid')),
  CONSTRAINT referral_withdrawals_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts(user_id)
);
CREATE UNIQUE INDEX referral_withdrawals_idempotency ON referral_withdrawals (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX referral_withdrawals_one_open ON referral_withdrawals (user_id) WHERE state = ANY (ARRAY['asked', 'approved']);
CREATE UNIQUE INDEX referral_withdrawals_tx_once ON referral_withdrawals (network, tx) WHERE tx IS NOT NULL;
CREATE INDEX referral_withdrawals_user ON referral_withdrawals (user_id, id DESC);

CREATE TABLE refresh_tokens (
  hash bytea NOT NULL,
  session_id bigint NOT NULL,
  expires_at timestamptz NOT NULL,
  spent_at timestamptz,
  CONSTRAINT refresh_tokens_pkey PRIMARY KEY (hash),
  CONSTRAINT refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expires_at);
CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id);

CREATE TABLE registrations (
  email text NOT NULL,
  password_hash text NOT NULL,
  referrer_id integer,
  code_hash bytea NOT NULL,
  code_tries integer DEFAULT 0 NOT NULL,
  code_sent_at timestamptz,
  code_expires_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  browser_hash bytea,
  network text DEFAULT '' NOT NULL,
  utm jsonb DEFAULT '{}'::jsonb NOT NULL,
  CONSTRAINT registrations_pkey PRIMARY KEY (id),
  CONSTRAINT registrations_browser UNIQUE (browser_hash)
);
CREATE INDEX registrations_email ON registrations (email, network, id);
CREATE INDEX registrations_expiry ON registrations (expires_at);
CREATE INDEX registrations_network ON registrations (network, id);

CREATE TABLE rent_offers (
  supplier_id integer NOT NULL,
  service_code text NOT NULL,
  country_id integer NOT NULL,
  operator text NOT NULL,
  hours integer NOT NULL,
  cost_micros bigint NOT NULL,
  currency text NOT NULL,
  stock integer NOT NULL,
  refreshed_at timestamptz NOT NULL,
  CONSTRAINT rent_offers_pkey PRIMARY KEY (supplier_id, service_code, country_id, operator, hours),
  CONSTRAINT rent_offers_cost_not_negative CHECK (cost_micros >= 0),
  CONSTRAINT rent_offers_currency CHECK (currency = ANY (ARRAY['rub', 'usd'])),
  CONSTRAINT rent_offers_hours_positive CHECK (hours > 0),
  CONSTRAINT rent_offers_stock_not_negative CHECK (stock >= 0),
  CONSTRAINT rent_offers_country_id_fkey FOREIGN KEY (country_id) REFERENCES countries(id),
  CONSTRAINT rent_offers_service_code_fkey FOREIGN KEY (service_code) REFERENCES services(code),
  CONSTRAINT rent_offers_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
);

CREATE TABLE rentals (
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  service_code text NOT NULL,
  country_id integer NOT NULL,
  operator_wanted text,
  operator text,
  state text NOT NULL,
  hours integer NOT NULL,
  supplier_id integer NOT NULL,
  attempt integer DEFAULT 1 NOT NULL,
  supplier_reference text,
  cost_limit_micros bigint NOT NULL,
  cost_micros bigint,
  cost_currency text,
  phone text,
  code text,
  sms_count integer DEFAULT 0 NOT NULL,
  channel text NOT NULL,
  idempotency_key text,
  input_hash text,
  created_at timestamptz NOT NULL,
  cancel_until timestamptz NOT NULL,
  captured_at timestamptz,
  expires_at timestamptz NOT NULL,
  extension_id bigint,
  warn_at timestamptz,
  warned_at timestamptz,
  ended_at timestamptz,
  family text,
  senders_known boolean DEFAULT false NOT NULL,
  cost_rate_micros bigint,
  node_id bigint,
  CONSTRAINT rentals_pkey PRIMARY KEY (id),
  CONSTRAINT rentals_captured_fits_state CHECK (
CASE state
    WHEN 'active' THEN captured_at IS NOT NULL OR sms_count = 0
    WHEN 'finished' THEN captured_at IS NOT NULL
    WHEN 'expired' THEN captured_at IS NOT NULL
    ELSE captured_at IS NULL AND sms_count = 0
END),
  CONSTRAINT rentals_extended_while_active CHECK (state = 'active' OR extension_id IS NULL),
  CONSTRAINT rentals_hours_positive CHECK (hours > 0),
  CONSTRAINT rentals_number_known CHECK ((state = ANY (ARRAY['reserving', 'failed'])) OR phone IS NOT NULL),
  CONSTRAINT rentals_state CHECK (state = ANY (ARRAY['reserving', 'active', 'finished', 'expired', 'cancelled', 'revoked', 'failed'])),
  CONSTRAINT rentals_country_id_fkey FOREIGN KEY (country_id) REFERENCES countries(id),
  CONSTRAINT rentals_service_code_fkey FOREIGN KEY (service_code) REFERENCES services(code),
  CONSTRAINT rentals_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES suppliers(id),
  CONSTRAINT rentals_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX rentals_capture ON rentals (cancel_until) WHERE state = 'active' AND captured_at IS NULL;
CREATE INDEX rentals_code_kept ON rentals (ended_at) WHERE code IS NOT NULL AND ended_at IS NOT NULL;
CREATE INDEX rentals_created ON rentals (created_at);
CREATE INDEX rentals_expiry ON rentals (expires_at) WHERE state = 'active' AND expires_at IS NOT NULL;
CREATE INDEX rentals_extending ON rentals (id) WHERE extension_id IS NOT NULL;
CREATE UNIQUE INDEX rentals_idempotency ON rentals (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX rentals_number_ended ON rentals (phone, ended_at) WHERE ended_at IS NOT NULL AND phone IS NOT NULL;
CREATE UNIQUE INDEX rentals_number_once ON rentals (phone) WHERE state = 'active';
CREATE INDEX rentals_phone ON rentals (phone, created_at) WHERE phone IS NOT NULL;
CREATE INDEX rentals_reserving ON rentals (created_at) WHERE state = 'reserving';
CREATE INDEX rentals_user ON rentals (user_id, created_at DESC, id DESC);
CREATE INDEX rentals_user_active ON rentals (user_id, id DESC) WHERE state = 'active';
CREATE INDEX rentals_user_open ON rentals (user_id) WHERE state = ANY (ARRAY['reserving', 'active']);
CREATE INDEX rentals_warning ON rentals (warn_at) WHERE state = 'active' AND warned_at IS NULL;

CREATE TABLE resell_accounts (
  supplier_id integer NOT NULL,
  marker text NOT NULL,
  rating_hundredths integer,
  rating_low boolean DEFAULT false NOT NULL,
  CONSTRAINT resell_accounts_pkey PRIMARY KEY (supplier_id),
  CONSTRAINT resell_accounts_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
);

CREATE TABLE resell_codes (
  supplier_id integer NOT NULL,
  kind text NOT NULL,
  theirs text NOT NULL,
  ours text,
  CONSTRAINT resell_codes_theirs PRIMARY KEY (supplier_id, kind, theirs),
  CONSTRAINT resell_codes_kind CHECK (kind = ANY (ARRAY['service', 'country'])),
  CONSTRAINT resell_codes_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
);

CREATE TABLE resell_unmapped (
  supplier_id integer NOT NULL,
  kind text NOT NULL,
  theirs text NOT NULL,
  offers integer NOT NULL,
  seen_at timestamptz NOT NULL,
  CONSTRAINT resell_unmapped_theirs PRIMARY KEY (supplier_id, kind, theirs),
  CONSTRAINT resell_unmapped_kind CHECK (kind = ANY (ARRAY['service', 'country'])),
  CONSTRAINT resell_unmapped_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
);

CREATE TABLE resold_extensions (
  supplier_id integer NOT NULL,
  extension_reference text NOT NULL,
  reference text NOT NULL,
  state text NOT NULL,
  hours integer NOT NULL,
  cost_micros bigint NOT NULL,
  asked_at timestamptz NOT NULL,
  history_before integer,
  CONSTRAINT resold_extensions_reference PRIMARY KEY (supplier_id, extension_reference),
  CONSTRAINT resold_extensions_state CHECK (state = ANY (ARRAY['asking', 'extended', 'refused'])),
  CONSTRAINT resold_extensions_rent FOREIGN KEY (supplier_id, reference) REFERENCES resold_rents(supplier_id, reference) ON DELETE CASCADE
);
CREATE INDEX resold_extensions_rents ON resold_extensions (supplier_id, reference);

CREATE TABLE resold_orders (
  supplier_id integer NOT NULL,
  reference text NOT NULL,
  state text NOT NULL,
  service text NOT NULL,
  country text NOT NULL,
  cost_micros bigint NOT NULL,
  asked_at timestamptz NOT NULL,
  activation_id text,
  phone text,
  expires_at timestamptz,
  rounds integer DEFAULT 0 NOT NULL,
  round_taken boolean DEFAULT true NOT NULL,
  ending text,
  ended_at timestamptz,
  is_loss boolean DEFAULT false NOT NULL,
  operator text,
  CONSTRAINT resold_orders_reference PRIMARY KEY (supplier_id, reference),
  CONSTRAINT resold_orders_activation_once UNIQUE (supplier_id, activation_id),
  CONSTRAINT resold_orders_bought CHECK ((state <> ALL (ARRAY['open', 'ended'])) OR activation_id IS NOT NULL AND phone IS NOT NULL),
  CONSTRAINT resold_orders_state CHECK (state = ANY (ARRAY['asking', 'open', 'refused', 'none', 'ended'])),
  CONSTRAINT resold_orders_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
);
CREATE INDEX resold_orders_asked ON resold_orders (asked_at);
CREATE INDEX resold_orders_losses ON resold_orders (supplier_id) WHERE is_loss;
CREATE INDEX resold_orders_open ON resold_orders (supplier_id, asked_at) WHERE state = ANY (ARRAY['asking', 'open']);
CREATE INDEX resold_orders_phone ON resold_orders (supplier_id, phone);

CREATE TABLE resold_rents (
  supplier_id integer NOT NULL,
  reference text NOT NULL,
  state text NOT NULL,
  service text NOT NULL,
  country text NOT NULL,
  cost_micros bigint NOT NULL,
  asked_at timestamptz NOT NULL,
  rent_id text,
  phone text,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  strangers text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT resold_rents_reference PRIMARY KEY (supplier_id, reference),
  CONSTRAINT resold_rents_rent_once UNIQUE (supplier_id, rent_id),
  CONSTRAINT resold_rents_rented CHECK ((state <> ALL (ARRAY['open', 'ended'])) OR rent_id IS NOT NULL AND phone IS NOT NULL),
  CONSTRAINT resold_rents_state CHECK (state = ANY (ARRAY['asking', 'open', 'refused', 'none', 'ended'])),
  CONSTRAINT resold_rents_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
);
CREATE INDEX resold_rents_asked ON resold_rents (asked_at);
CREATE INDEX resold_rents_lost ON resold_rents (supplier_id, asked_at) WHERE state = 'asking';
CREATE INDEX resold_rents_open ON resold_rents (supplier_id, asked_at) WHERE state = 'open';

CREATE TABLE reused_message_ids (
  hour timestamptz NOT NULL,
  supplier_id integer NOT NULL,
  messages integer NOT NULL,
  last_at timestamptz NOT NULL,
  CONSTRAINT reused_message_ids_pkey PRIMARY KEY (hour, supplier_id),
  CONSTRAINT reused_message_ids_some CHECK (messages > 0),
  CONSTRAINT reused_message_ids_supplier FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
);

CREATE TABLE reversals (
  id bigint GENERATED ALWAYS AS IDENTITY,
  payment_id bigint NOT NULL,
  gateway_id integer NOT NULL,
  kind text NOT NULL,
  state text NOT NULL,
  provider_id text,
  amount_micros bigint NOT NULL,
  bonus_micros bigint DEFAULT 0 NOT NULL,
  currency text NOT NULL,
  at timestamptz NOT NULL,
  settled_at timestamptz,
  counted_state text,
  fee_micros bigint DEFAULT 0 NOT NULL,
  cancel_at timestamptz,
  idempotency_key text,
  input_hash text,
  is_part boolean DEFAULT false NOT NULL,
  CONSTRAINT reversals_pkey PRIMARY KEY (id),
  CONSTRAINT reversals_amount_positive CHECK (amount_micros > 0),
  CONSTRAINT reversals_bonus_not_negative CHECK (bonus_micros >= 0),
  CONSTRAINT reversals_fee_not_negative CHECK (fee_micros >= 0),
  CONSTRAINT reversals_key_has_input CHECK ((idempotency_key IS NULL) = (input_hash IS NULL)),
  CONSTRAINT reversals_state CHECK (((kind || ' ') || state) = ANY ('{"refund asked","refund done","refund failed","dispute open","dispute won","dispute lost"}'::text[])),
  CONSTRAINT reversals_gateway_id_fkey FOREIGN KEY (gateway_id) REFERENCES gateways(id),
  CONSTRAINT reversals_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id)
);
CREATE INDEX reversals_asked ON reversals (id) WHERE state = 'asked';
CREATE UNIQUE INDEX reversals_idempotency ON reversals (idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX reversals_once ON reversals (gateway_id, kind, provider_id) WHERE provider_id IS NOT NULL;
CREATE INDEX reversals_payment ON reversals (payment_id);
CREATE INDEX reversals_uncounted ON reversals (id) WHERE counted_state IS DISTINCT FROM state;

CREATE TABLE sandbox_payments (
  id text NOT NULL,
  transaction_id text NOT NULL,
  amount_micros bigint NOT NULL,
  currency text NOT NULL,
  state text NOT NULL,
  return_url text NOT NULL,
  deposits jsonb DEFAULT '[]'::jsonb NOT NULL,
  reversals jsonb DEFAULT '[]'::jsonb NOT NULL,
  events integer DEFAULT 0 NOT NULL,
  created_at timestamptz NOT NULL,
  confirmations integer,
  CONSTRAINT sandbox_payments_pkey PRIMARY KEY (id),
  CONSTRAINT sandbox_payments_transaction_id_key UNIQUE (transaction_id)
);

CREATE TABLE schema_migrations (
  name text NOT NULL,
  sha256 text NOT NULL,
  applied_at timestamptz DEFAULT now() NOT NULL,
  needs text,
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (name)
);

CREATE TABLE sender_matches (
  sender text NOT NULL,
  service_code text NOT NULL,
  user_id integer NOT NULL,
  matched_at timestamptz NOT NULL,
  CONSTRAINT sender_matches_pkey PRIMARY KEY (sender, service_code, user_id),
  CONSTRAINT sender_matches_sender CHECK (length(sender) >= 1 AND length(sender) <= 64),
  CONSTRAINT sender_matches_service FOREIGN KEY (service_code) REFERENCES services(code),
  CONSTRAINT sender_matches_user FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX sender_matches_by_age ON sender_matches (matched_at);
CREATE INDEX sender_matches_by_user ON sender_matches (user_id);

CREATE TABLE service_signs (
  service_code text NOT NULL,
  kind text NOT NULL,
  value text NOT NULL,
  strength text NOT NULL,
  source text NOT NULL,
  known boolean NOT NULL,
  removed boolean DEFAULT false NOT NULL,
  CONSTRAINT service_signs_pkey PRIMARY KEY (service_code, kind, value),
  CONSTRAINT service_signs_kind CHECK (kind = ANY (ARRAY['sender', 'word', 'domain', 'hash', 'prefix'])),
  CONSTRAINT service_signs_source CHECK (source = ANY (ARRAY['seed', 'staff', 'learnt'])),
  CONSTRAINT service_signs_strength CHECK (strength = ANY (ARRAY['proven', 'common', 'weak'])),
  CONSTRAINT service_signs_value CHECK (length(value) >= 1 AND length(value) <= 64),
  CONSTRAINT service_signs_service FOREIGN KEY (service_code) REFERENCES services(code)
);
CREATE INDEX service_signs_by_sender ON service_signs (lower(value)) WHERE kind = 'sender';

CREATE TABLE services (
  code text NOT NULL,
  name_en text NOT NULL,
  name_ru text NOT NULL,
  "position" integer NOT NULL,
  blocked_at timestamptz,
  CONSTRAINT services_pkey PRIMARY KEY (code)
);

CREATE TABLE sessions (
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  access_hash bytea NOT NULL,
  access_expires_at timestamptz NOT NULL,
  user_agent text NOT NULL,
  address text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  revoked_at timestamptz,
  device_hash bytea,
  confirmed_at timestamptz,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_access_hash_unique UNIQUE (access_hash),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX sessions_of_user ON sessions (user_id);

CREATE TABLE settings (
  key text NOT NULL,
  value jsonb NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT settings_pkey PRIMARY KEY (key)
);

CREATE TABLE sim_bank_orders (
  supplier_id integer NOT NULL,
  reference text NOT NULL,
  state text NOT NULL,
  service_code text NOT NULL,
  country_id integer,
  operator text NOT NULL,
  cost_micros bigint NOT NULL,
  asked_at timestamptz NOT NULL,
  activation_id text,
  phone text,
  told smallint,
  ended_at timestamptz,
  CONSTRAINT sim_bank_orders_reference PRIMARY KEY (supplier_id, reference),
  CONSTRAINT sim_bank_orders_ended CHECK ((state = 'ended') = (ended_at IS NOT NULL)),
  CONSTRAINT sim_bank_orders_sold CHECK ((state <> ALL (ARRAY['sold', 'ended'])) OR activation_id IS NOT NULL AND phone IS NOT NULL),
  CONSTRAINT sim_bank_orders_state CHECK (state = ANY (ARRAY['asking', 'sold', 'refused', 'none', 'lost', 'ended'])),
  CONSTRAINT sim_bank_orders_supplier FOREIGN KEY (supplier_id) REFERENCES suppliers(id) ON DELETE RESTRICT
);
CREATE UNIQUE INDEX sim_bank_orders_activation_once ON sim_bank_orders (supplier_id, activation_id) WHERE state = 'sold';
CREATE INDEX sim_bank_orders_asked ON sim_bank_orders (asked_at) WHERE state <> ALL (ARRAY['asking', 'sold']);
CREATE INDEX sim_bank_orders_lost ON sim_bank_orders (supplier_id, asked_at) WHERE state = 'lost';

CREATE TABLE sim_bank_trials (
  supplier_id integer NOT NULL,
  phone text NOT NULL,
  until timestamptz NOT NULL,
  refused smallint NOT NULL,
  came integer DEFAULT 0 NOT NULL,
  pushes jsonb DEFAULT '[]'::jsonb NOT NULL,
  CONSTRAINT sim_bank_trials_phone PRIMARY KEY (supplier_id, phone),
  CONSTRAINT sim_bank_trials_supplier FOREIGN KEY (supplier_id) REFERENCES suppliers(id) ON DELETE RESTRICT
);

CREATE TABLE sims (
  phone text NOT NULL,
  supplier_id integer NOT NULL,
  device text NOT NULL,
  slot text NOT NULL,
  state text DEFAULT 'in_use' NOT NULL,
  reason text,
  state_since timestamptz NOT NULL,
  rest_until timestamptz,
  added_at timestamptz NOT NULL,
  CONSTRAINT sims_pkey PRIMARY KEY (phone),
  CONSTRAINT sims_device_length CHECK (length(device) >= 1 AND length(device) <= 64),
  CONSTRAINT sims_rest CHECK ((state = 'resting') = (rest_until IS NOT NULL)),
  CONSTRAINT sims_slot_length CHECK (length(slot) >= 1 AND length(slot) <= 16),
  CONSTRAINT sims_state CHECK (state = ANY (ARRAY['in_use', 'resting', 'retired'])),
  CONSTRAINT sims_number FOREIGN KEY (phone) REFERENCES smpp_numbers(phone) ON DELETE RESTRICT,
  CONSTRAINT sims_supplier FOREIGN KEY (supplier_id) REFERENCES suppliers(id) ON DELETE RESTRICT
);
CREATE UNIQUE INDEX sims_slot_once ON sims (supplier_id, device, slot) WHERE state <> 'retired';

CREATE TABLE smpp_leases (
  supplier_id integer NOT NULL,
  reference text NOT NULL,
  state text NOT NULL,
  phone text,
  service_code text,
  operator text,
  cost_micros bigint,
  currency text,
  ending text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  ended_at timestamptz,
  hours integer,
  buyer_id integer,
  family text,
  senders_known boolean DEFAULT false NOT NULL,
  CONSTRAINT smpp_leases_reference PRIMARY KEY (supplier_id, reference),
  CONSTRAINT smpp_leases_end CHECK ((state = 'ended') = (ending IS NOT NULL AND ended_at IS NOT NULL)),
  CONSTRAINT smpp_leases_ending CHECK (ending = ANY (ARRAY['finished', 'cancelled', 'expired', 'used', 'unsold'])),
  CONSTRAINT smpp_leases_hours_positive CHECK (hours > 0),
  CONSTRAINT smpp_leases_shape CHECK (
CASE
    WHEN state = 'refused' THEN phone IS NULL
    ELSE num_nulls(phone, service_code, operator, cost_micros, currency, expires_at) = 0
END),
  CONSTRAINT smpp_leases_state CHECK (state = ANY (ARRAY['leased', 'ended', 'refused'])),
  CONSTRAINT smpp_leases_supplier FOREIGN KEY (supplier_id) REFERENCES suppliers(id) ON DELETE RESTRICT,
  CONSTRAINT smpp_leases_use FOREIGN KEY (phone, service_code) REFERENCES smpp_number_uses(phone, service_code)
);
CREATE INDEX smpp_leases_ended ON smpp_leases (supplier_id, ended_at) WHERE state = 'ended' AND ending <> 'unsold';
CREATE INDEX smpp_leases_number_ended ON smpp_leases (phone, ended_at) WHERE state = 'ended' AND ending <> 'unsold';
CREATE UNIQUE INDEX smpp_leases_one_holder ON smpp_leases (phone, COALESCE(family, service_code)) WHERE state = 'leased';
CREATE UNIQUE INDEX smpp_leases_one_renter ON smpp_leases (phone) WHERE state = 'leased' AND hours IS NOT NULL;
CREATE INDEX smpp_leases_tried ON smpp_leases (buyer_id, service_code, phone) WHERE state = 'ended' AND (ending = ANY (ARRAY['cancelled', 'expired']));

CREATE TABLE smpp_long_messages (
  id bigint GENERATED ALWAYS AS IDENTITY,
  supplier_id integer NOT NULL,
  sender text NOT NULL,
  phone text NOT NULL,
  reference_kind text NOT NULL,
  reference integer NOT NULL,
  parts_total integer NOT NULL,
  first_part_at timestamptz NOT NULL,
  ready_at timestamptz,
  delivered_at timestamptz,
  attempts integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamptz,
  CONSTRAINT smpp_long_messages_pkey PRIMARY KEY (id),
  CONSTRAINT smpp_long_messages_kind CHECK (reference_kind = ANY (ARRAY['udh8', 'udh16', 'sar'])),
  CONSTRAINT smpp_long_messages_total CHECK (parts_total >= 2 AND parts_total <= 255),
  CONSTRAINT smpp_long_messages_supplier FOREIGN KEY (supplier_id) REFERENCES suppliers(id) ON DELETE RESTRICT
);
CREATE INDEX smpp_long_messages_delivered ON smpp_long_messages (supplier_id, delivered_at) WHERE delivered_at IS NOT NULL;
CREATE INDEX smpp_long_messages_identity ON smpp_long_messages (supplier_id, phone, sender, reference_kind, reference, parts_total);
CREATE INDEX smpp_long_messages_ready ON smpp_long_messages (supplier_id, next_attempt_at) WHERE ready_at IS NOT NULL AND delivered_at IS NULL;
CREATE INDEX smpp_long_messages_waiting ON smpp_long_messages (supplier_id, first_part_at) WHERE ready_at IS NULL;

CREATE TABLE smpp_number_uses (
  phone text NOT NULL,
  service_code text NOT NULL,
  supplier_id integer NOT NULL,
  country_id integer NOT NULL,
  operator text NOT NULL,
  state text NOT NULL,
  times_offered integer NOT NULL,
  changed_at timestamptz NOT NULL,
  silent_at timestamptz,
  restored_at timestamptz,
  CONSTRAINT smpp_number_uses_pkey PRIMARY KEY (phone, service_code),
  CONSTRAINT smpp_number_uses_limit CHECK (times_offered >= 1 AND times_offered <= 4),
  CONSTRAINT smpp_number_uses_state CHECK (state = ANY (ARRAY['leased', 'returned', 'spent'])),
  CONSTRAINT smpp_number_uses_number FOREIGN KEY (phone, country_id, operator) REFERENCES smpp_numbers(phone, country_id, operator) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE INDEX smpp_number_uses_returned ON smpp_number_uses (supplier_id, service_code, country_id, times_offered, changed_at) WHERE state = 'returned';
CREATE INDEX smpp_number_uses_silent ON smpp_number_uses (supplier_id, service_code, phone) WHERE silent_at IS NOT NULL;
CREATE INDEX smpp_number_uses_unavailable ON smpp_number_uses (supplier_id, service_code, country_id, operator, phone) WHERE state <> 'returned';

CREATE TABLE smpp_numbers (
  phone text NOT NULL,
  supplier_id integer NOT NULL,
  country_id integer NOT NULL,
  operator text NOT NULL,
  enabled boolean DEFAULT true NOT NULL,
  "position" bigint GENERATED BY DEFAULT AS IDENTITY,
  rent_state text DEFAULT 'free' NOT NULL,
  silent_sales integer DEFAULT 0 NOT NULL,
  silent_at timestamptz,
  CONSTRAINT smpp_numbers_pkey PRIMARY KEY (phone),
  CONSTRAINT smpp_numbers_place UNIQUE (phone, country_id, operator),
  CONSTRAINT smpp_numbers_phone_digits CHECK (phone ~ '^[1-9][0-9]{6,14}$'),
  CONSTRAINT smpp_numbers_rent_state CHECK (rent_state = ANY (ARRAY['free', 'rented', 'retired'])),
  CONSTRAINT smpp_numbers_silent CHECK (silent_at IS NULL OR NOT enabled),
  CONSTRAINT smpp_numbers_country FOREIGN KEY (country_id) REFERENCES countries(id),
  CONSTRAINT smpp_numbers_supplier FOREIGN KEY (supplier_id) REFERENCES suppliers(id) ON DELETE RESTRICT
);
CREATE INDEX smpp_numbers_by_country ON smpp_numbers (supplier_id, country_id, "position") WHERE enabled AND rent_state = 'free';
CREATE INDEX smpp_numbers_by_operator ON smpp_numbers (supplier_id, country_id, operator, "position") WHERE enabled AND rent_state = 'free';
CREATE INDEX smpp_numbers_silent ON smpp_numbers (supplier_id, phone) WHERE silent_at IS NOT NULL;

CREATE TABLE smpp_parts (
  message_id bigint NOT NULL,
  sequence integer NOT NULL,
  data_coding integer NOT NULL,
  body bytea NOT NULL,
  received_at timestamptz NOT NULL,
  CONSTRAINT smpp_parts_pkey PRIMARY KEY (message_id, sequence),
  CONSTRAINT smpp_parts_sequence CHECK (sequence >= 1 AND sequence <= 255),
  CONSTRAINT smpp_parts_message FOREIGN KEY (message_id) REFERENCES smpp_long_messages(id) ON DELETE CASCADE
);

CREATE TABLE smpp_rent_extensions (
  supplier_id integer NOT NULL,
  reference text NOT NULL,
  lease text NOT NULL,
  hours integer NOT NULL,
  cost_micros bigint,
  created_at timestamptz NOT NULL,
  CONSTRAINT smpp_rent_extensions_reference PRIMARY KEY (supplier_id, reference),
  CONSTRAINT smpp_rent_extensions_supplier FOREIGN KEY (supplier_id) REFERENCES suppliers(id) ON DELETE RESTRICT
);

CREATE TABLE spent_captchas (
  signature bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT spent_captchas_once PRIMARY KEY (signature)
);
CREATE INDEX spent_captchas_expiry ON spent_captchas (expires_at);

CREATE TABLE status_days (
  day date NOT NULL,
  component text NOT NULL,
  working_minutes integer DEFAULT 0 NOT NULL,
  slow_minutes integer DEFAULT 0 NOT NULL,
  partly_minutes integer DEFAULT 0 NOT NULL,
  down_minutes integer DEFAULT 0 NOT NULL,
  unknown_minutes integer DEFAULT 0 NOT NULL,
  CONSTRAINT status_days_pkey PRIMARY KEY (day, component)
);

CREATE TABLE supplier_call_hours (
  hour timestamptz NOT NULL,
  supplier_id integer NOT NULL,
  call text NOT NULL,
  calls integer NOT NULL,
  errors integer NOT NULL,
  milliseconds_counts integer[] NOT NULL,
  CONSTRAINT supplier_call_hours_pkey PRIMARY KEY (hour, supplier_id, call),
  CONSTRAINT supplier_call_hours_supplier FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
);

CREATE TABLE supplier_events (
  id bigint GENERATED ALWAYS AS IDENTITY,
  supplier_id integer NOT NULL,
  at timestamptz NOT NULL,
  kind text NOT NULL,
  reason text NOT NULL,
  CONSTRAINT supplier_events_pkey PRIMARY KEY (id),
  CONSTRAINT supplier_events_supplier FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
);
CREATE INDEX supplier_events_at ON supplier_events (at);
CREATE INDEX supplier_events_supplier ON supplier_events (supplier_id, id DESC);

CREATE TABLE supplier_standings (
  supplier_id integer NOT NULL,
  state text DEFAULT 'sound' NOT NULL,
  cause text,
  reason text,
  since timestamptz,
  try_at timestamptz,
  falls integer DEFAULT 0 NOT NULL,
  version integer DEFAULT 0 NOT NULL,
  judged_from timestamptz,
  last_sms_at timestamptz,
  stock bigint,
  balance_micros bigint,
  balance_currency text,
  balance_at timestamptz,
  CONSTRAINT supplier_standings_pkey PRIMARY KEY (supplier_id),
  CONSTRAINT supplier_standings_aside CHECK ((state = 'aside') = (cause IS NOT NULL) AND (state = 'sound' OR try_at IS NOT NULL)),
  CONSTRAINT supplier_standings_balance CHECK (num_nulls(balance_micros, balance_currency, balance_at) = ANY (ARRAY[0, 3])),
  CONSTRAINT supplier_standings_cause CHECK (cause = ANY (ARRAY['errors', 'share'])),
  CONSTRAINT supplier_standings_currency CHECK (balance_currency = ANY (ARRAY['rub', 'usd'])),
  CONSTRAINT supplier_standings_state CHECK (state = ANY (ARRAY['sound', 'aside'])),
  CONSTRAINT supplier_standings_supplier FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
);

CREATE TABLE suppliers (
  id integer GENERATED ALWAYS AS IDENTITY,
  code text NOT NULL,
  kind text NOT NULL,
  settings jsonb DEFAULT '{}'::jsonb NOT NULL,
  paused_at timestamptz,
  created_at timestamptz NOT NULL,
  settings_version integer DEFAULT 1 NOT NULL,
  link_up boolean,
  link_changed_at timestamptz,
  removed_at timestamptz,
  weight_percent integer DEFAULT 100 NOT NULL,
  purchases_per_minute integer,
  sandbox boolean DEFAULT false NOT NULL,
  link_why text,
  CONSTRAINT suppliers_pkey PRIMARY KEY (id),
  CONSTRAINT suppliers_code_unique UNIQUE (code),
  CONSTRAINT suppliers_per_minute CHECK (purchases_per_minute > 0),
  CONSTRAINT suppliers_sandbox_simulated CHECK (NOT sandbox OR kind = 'simulator' AND removed_at IS NULL AND paused_at IS NULL),
  CONSTRAINT suppliers_weight CHECK (weight_percent >= 1 AND weight_percent <= 1000)
);
CREATE UNIQUE INDEX suppliers_sandbox_one ON suppliers (sandbox) WHERE sandbox;

CREATE TABLE support_answers (
  id integer GENERATED ALWAYS AS IDENTITY,
  title text NOT NULL,
  body_ru text NOT NULL,
  body_en text NOT NULL,
  changed_by integer NOT NULL,
  changed_at timestamptz NOT NULL,
  CONSTRAINT support_answers_pkey PRIMARY KEY (id),
  CONSTRAINT support_answers_body_en CHECK (char_length(body_en) >= 1 AND char_length(body_en) <= 5000),
  CONSTRAINT support_answers_body_ru CHECK (char_length(body_ru) >= 1 AND char_length(body_ru) <= 5000),
  CONSTRAINT support_answers_title CHECK (char_length(title) >= 1 AND char_length(title) <= 80),
  CONSTRAINT support_answers_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id)
);
CREATE UNIQUE INDEX support_answers_title_unique ON support_answers (lower(title));

CREATE TABLE support_files (
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  message_id bigint,
  name text NOT NULL,
  type text NOT NULL,
  width integer,
  height integer,
  content bytea NOT NULL,
  bytes integer NOT NULL,
  received_bytes integer NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT support_files_pkey PRIMARY KEY (id),
  CONSTRAINT support_files_bytes CHECK (bytes = octet_length(content)),
  CONSTRAINT support_files_content CHECK (octet_length(content) >= 1 AND octet_length(content) <= 5242880),
  CONSTRAINT support_files_name CHECK (char_length(name) >= 1 AND char_length(name) <= 120),
  CONSTRAINT support_files_pixels CHECK ((type = 'application/pdf') = (width IS NULL) AND (width IS NULL) = (height IS NULL)),
  CONSTRAINT support_files_type CHECK (type = ANY (ARRAY['image/png', 'image/jpeg', 'image/webp', 'application/pdf'])),
  CONSTRAINT support_files_of_message FOREIGN KEY (message_id) REFERENCES support_messages(id) ON DELETE CASCADE,
  CONSTRAINT support_files_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX support_files_loose ON support_files (created_at) WHERE message_id IS NULL;
CREATE INDEX support_files_message ON support_files (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX support_files_user ON support_files (user_id, created_at);

CREATE TABLE support_messages (
  id bigint GENERATED ALWAYS AS IDENTITY,
  ticket_id bigint NOT NULL,
  author_id integer NOT NULL,
  kind text NOT NULL,
  body text NOT NULL,
  idempotency_key text,
  input_hash text,
  created_at timestamptz NOT NULL,
  CONSTRAINT support_messages_pkey PRIMARY KEY (id),
  CONSTRAINT support_messages_body CHECK (char_length(body) >= 1 AND char_length(body) <= 10000),
  CONSTRAINT support_messages_kind CHECK (kind = ANY (ARRAY['member', 'staff', 'note'])),
  CONSTRAINT support_messages_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id),
  CONSTRAINT support_messages_of_ticket FOREIGN KEY (ticket_id) REFERENCES support_tickets(id) ON DELETE CASCADE
);
CREATE INDEX support_messages_author ON support_messages (author_id, created_at);
CREATE UNIQUE INDEX support_messages_idempotency ON support_messages (author_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX support_messages_ticket ON support_messages (ticket_id, id);

CREATE TABLE support_refunds (
  id bigint GENERATED ALWAYS AS IDENTITY,
  ticket_id bigint,
  staff_id integer NOT NULL,
  user_id integer NOT NULL,
  activation_id bigint,
  rental_id bigint,
  amount_micros bigint NOT NULL,
  currency text NOT NULL,
  at timestamptz NOT NULL,
  CONSTRAINT support_refunds_pkey PRIMARY KEY (id),
  CONSTRAINT support_refunds_amount CHECK (amount_micros > 0),
  CONSTRAINT support_refunds_currency CHECK (currency = ANY (ARRAY['rub', 'usd'])),
  CONSTRAINT support_refunds_order CHECK (num_nonnulls(activation_id, rental_id) = 1),
  CONSTRAINT support_refunds_activation_id_fkey FOREIGN KEY (activation_id) REFERENCES activations(id),
  CONSTRAINT support_refunds_of_ticket FOREIGN KEY (ticket_id) REFERENCES support_tickets(id) ON DELETE SET NULL,
  CONSTRAINT support_refunds_rental_id_fkey FOREIGN KEY (rental_id) REFERENCES rentals(id),
  CONSTRAINT support_refunds_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES users(id),
  CONSTRAINT support_refunds_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX support_refunds_staff ON support_refunds (staff_id, at);
CREATE INDEX support_refunds_ticket ON support_refunds (ticket_id, id);
CREATE INDEX support_refunds_user ON support_refunds (user_id, at);

CREATE TABLE support_tickets (
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  category text NOT NULL,
  subject text NOT NULL,
  activation_id bigint,
  rental_id bigint,
  payment_id bigint,
  state text DEFAULT 'open' NOT NULL,
  waits_since timestamptz,
  answered_by integer,
  unread_member integer DEFAULT 0 NOT NULL,
  unread_staff integer DEFAULT 0 NOT NULL,
  messages_count integer DEFAULT 0 NOT NULL,
  files_count integer DEFAULT 0 NOT NULL,
  files_bytes integer DEFAULT 0 NOT NULL,
  idempotency_key text,
  input_hash text,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  closed_at timestamptz,
  mailed_at timestamptz,
  taken_by integer,
  taken_at timestamptz,
  CONSTRAINT support_tickets_pkey PRIMARY KEY (id),
  CONSTRAINT support_tickets_about CHECK (num_nonnulls(activation_id, rental_id, payment_id) <= 1),
  CONSTRAINT support_tickets_bytes CHECK (files_bytes >= 0 AND files_bytes <= 20971520),
  CONSTRAINT support_tickets_category CHECK (category = ANY (ARRAY['number', 'payment', 'account', 'api', 'other'])),
  CONSTRAINT support_tickets_closed CHECK ((state = 'closed') = (closed_at IS NOT NULL)),
  CONSTRAINT support_tickets_files CHECK (files_count >= 0 AND files_count <= 20),
  CONSTRAINT support_tickets_state CHECK (state = ANY (ARRAY['open', 'answered', 'closed'])),
  CONSTRAINT support_tickets_subject CHECK (char_length(subject) >= 1 AND char_length(subject) <= 120),
  CONSTRAINT support_tickets_taken CHECK ((taken_by IS NULL) = (taken_at IS NULL)),
  CONSTRAINT support_tickets_unread_member CHECK (unread_member >= 0),
  CONSTRAINT support_tickets_unread_staff CHECK (unread_staff >= 0),
  CONSTRAINT support_tickets_waits CHECK ((state = 'open') = (waits_since IS NOT NULL)),
  CONSTRAINT support_tickets_activation_id_fkey FOREIGN KEY (activation_id) REFERENCES activations(id),
  CONSTRAINT support_tickets_answered_by_fkey FOREIGN KEY (answered_by) REFERENCES users(id),
  CONSTRAINT support_tickets_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id),
  CONSTRAINT support_tickets_rental_id_fkey FOREIGN KEY (rental_id) REFERENCES rentals(id),
  CONSTRAINT support_tickets_taken_by_fkey FOREIGN KEY (taken_by) REFERENCES users(id),
  CONSTRAINT support_tickets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX support_tickets_activation ON support_tickets (activation_id) WHERE activation_id IS NOT NULL;
CREATE INDEX support_tickets_changed ON support_tickets (changed_at DESC, id DESC);
CREATE INDEX support_tickets_created ON support_tickets (user_id, created_at);
CREATE UNIQUE INDEX support_tickets_idempotency ON support_tickets (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX support_tickets_payment ON support_tickets (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX support_tickets_queue ON support_tickets (waits_since, id) WHERE state = 'open';
CREATE INDEX support_tickets_rental ON support_tickets (rental_id) WHERE rental_id IS NOT NULL;
CREATE INDEX support_tickets_subject ON support_tickets USING gin (to_tsvector('simple'::regconfig, subject));
CREATE INDEX support_tickets_unread ON support_tickets (user_id) WHERE unread_member > 0;
CREATE INDEX support_tickets_user ON support_tickets (user_id, changed_at DESC, id DESC);

CREATE TABLE telegram_chats (
  user_id integer NOT NULL,
  telegram_id bigint NOT NULL,
  name text NOT NULL,
  wants_codes boolean NOT NULL,
  linked_at timestamptz NOT NULL,
  closed_at timestamptz,
  CONSTRAINT telegram_chats_account PRIMARY KEY (user_id),
  CONSTRAINT telegram_chats_person UNIQUE (telegram_id),
  CONSTRAINT telegram_chats_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE telegram_codes (
  message_id bigint NOT NULL,
  user_id integer NOT NULL,
  job_id bigint NOT NULL,
  queued_at timestamptz NOT NULL,
  sent_at timestamptz,
  CONSTRAINT telegram_codes_once PRIMARY KEY (message_id, user_id),
  CONSTRAINT telegram_codes_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id),
  CONSTRAINT telegram_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX telegram_codes_queued ON telegram_codes (queued_at);

CREATE TABLE telegram_links (
  user_id integer NOT NULL,
  token_hash bytea NOT NULL,
  wants_codes boolean NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT telegram_links_pkey PRIMARY KEY (user_id),
  CONSTRAINT telegram_links_token UNIQUE (token_hash),
  CONSTRAINT telegram_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE telegram_updates (
  update_id bigint NOT NULL,
  body jsonb,
  received_at timestamptz NOT NULL,
  processed_at timestamptz,
  CONSTRAINT telegram_updates_pkey PRIMARY KEY (update_id)
);
CREATE INDEX telegram_updates_received ON telegram_updates (received_at);

CREATE TABLE timelines (
  system_identifier bigint NOT NULL,
  timeline integer NOT NULL,
  found_at timestamptz DEFAULT clock_timestamp() NOT NULL,
  is_fail_over boolean NOT NULL,
  CONSTRAINT timelines_pkey PRIMARY KEY (system_identifier, timeline)
);

CREATE TABLE transfers (
  id bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  user_id integer NOT NULL,
  from_account text NOT NULL,
  to_account text NOT NULL,
  amount_micros bigint NOT NULL,
  currency text NOT NULL,
  activation_id bigint,
  idempotency_key text,
  at timestamptz NOT NULL,
  charge_id bigint,
  payment_id bigint,
  deposit_id bigint,
  reversal_id bigint,
  referral_share_id bigint,
  referral_withdrawal_id bigint,
  loyalty_reward_id bigint,
  channel_reward_id bigint,
  CONSTRAINT transfers_pkey PRIMARY KEY (id),
  CONSTRAINT transfers_amount_positive CHECK (amount_micros > 0),
  CONSTRAINT transfers_currency CHECK (currency = ANY (ARRAY['rub', 'usd'])),
  CONSTRAINT transfers_kind CHECK (is_transfer(transfers.*)),
  CONSTRAINT transfers_activation_id_fkey FOREIGN KEY (activation_id) REFERENCES activations(id),
  CONSTRAINT transfers_channel_reward FOREIGN KEY (channel_reward_id) REFERENCES channel_rewards(id),
  CONSTRAINT transfers_charge_id_fkey FOREIGN KEY (charge_id) REFERENCES charges(id),
  CONSTRAINT transfers_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES deposits(id),
  CONSTRAINT transfers_loyalty_reward_id_fkey FOREIGN KEY (loyalty_reward_id) REFERENCES loyalty_rewards(id),
  CONSTRAINT transfers_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id),
  CONSTRAINT transfers_referral_share FOREIGN KEY (referral_share_id) REFERENCES referral_shares(id),
  CONSTRAINT transfers_referral_withdrawal FOREIGN KEY (referral_withdrawal_id) REFERENCES referral_withdrawals(id),
  CONSTRAINT transfers_reversal_id_fkey FOREIGN KEY (reversal_id) REFERENCES reversals(id),
  CONSTRAINT transfers_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts(user_id)
);
CREATE UNIQUE INDEX transfers_activation_once ON transfers (activation_id, (
CASE kind
    WHEN 'release' THEN 'capture'
    ELSE kind
END)) WHERE activation_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_bonus_once ON transfers (payment_id) WHERE kind = 'bonus' AND reversal_id IS NULL;
CREATE UNIQUE INDEX transfers_channel_reward_once ON transfers (channel_reward_id) WHERE channel_reward_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_charge_once ON transfers (charge_id, (
CASE kind
    WHEN 'release' THEN 'capture'
    ELSE kind
END)) WHERE charge_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_deposit_once ON transfers (deposit_id, kind) WHERE deposit_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_idempotency ON transfers (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX transfers_loyalty_once ON transfers (loyalty_reward_id, idempotency_key) WHERE loyalty_reward_id IS NOT NULL;
CREATE INDEX transfers_payment ON transfers (payment_id) WHERE payment_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_promotion_once ON transfers (activation_id, kind) WHERE kind = ANY (ARRAY['promotion', 'promotion_back']);
CREATE INDEX transfers_referral_share ON transfers (referral_share_id) WHERE referral_share_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_referral_withdrawal_once ON transfers (referral_withdrawal_id, kind) WHERE referral_withdrawal_id IS NOT NULL;
CREATE INDEX transfers_refunds ON transfers (user_id, at) WHERE kind = 'refund';
CREATE INDEX transfers_reversal ON transfers (reversal_id) WHERE reversal_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_reversal_once ON transfers (reversal_id, kind) WHERE kind = ANY (ARRAY['payment_refund', 'payment_refund_failed', 'dispute', 'dispute_won']);
CREATE INDEX transfers_user ON transfers (user_id, id DESC);
CREATE TRIGGER transfers_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE two_factor (
  user_id integer NOT NULL,
  secret jsonb NOT NULL,
  last_step bigint DEFAULT 0 NOT NULL,
  created_at timestamptz NOT NULL,
  confirmed_at timestamptz,
  CONSTRAINT two_factor_pkey PRIMARY KEY (user_id),
  CONSTRAINT two_factor_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE used_reports (
  activation_id bigint NOT NULL,
  user_id integer NOT NULL,
  service_code text NOT NULL,
  country_id integer NOT NULL,
  phone text NOT NULL,
  by_supplier boolean NOT NULL,
  bars_all boolean NOT NULL,
  reported_at timestamptz NOT NULL,
  lifted_at timestamptz,
  weighed boolean NOT NULL,
  message_id bigint,
  CONSTRAINT used_reports_pkey PRIMARY KEY (activation_id),
  CONSTRAINT used_reports_activation_id_fkey FOREIGN KEY (activation_id) REFERENCES activations(id),
  CONSTRAINT used_reports_country_id_fkey FOREIGN KEY (country_id) REFERENCES countries(id),
  CONSTRAINT used_reports_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id),
  CONSTRAINT used_reports_service_code_fkey FOREIGN KEY (service_code) REFERENCES services(code),
  CONSTRAINT used_reports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX used_reports_messages ON used_reports (reported_at) WHERE message_id IS NOT NULL;
CREATE INDEX used_reports_number ON used_reports (phone, service_code) WHERE lifted_at IS NULL;
CREATE INDEX used_reports_user ON used_reports (user_id, reported_at DESC) INCLUDE (service_code, country_id) WHERE NOT by_supplier;
COMMENT ON COLUMN used_reports.message_id IS 'Null: the number was used. Else this message was no code of its order.';

CREATE TABLE user_hours (
  user_id integer NOT NULL,
  hour timestamptz NOT NULL,
  mode text NOT NULL,
  service_code text NOT NULL,
  country_id integer NOT NULL,
  purchases integer NOT NULL,
  codes integer NOT NULL,
  spent_micros bigint NOT NULL,
  seconds_counts integer[] NOT NULL,
  CONSTRAINT user_hours_pkey PRIMARY KEY (user_id, hour, mode, service_code, country_id),
  CONSTRAINT user_hours_mode CHECK (mode = ANY (ARRAY['activation', 'rent'])),
  CONSTRAINT user_hours_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX user_hours_pair ON user_hours (user_id, service_code, country_id, hour) WHERE mode = 'activation';

CREATE TABLE users (
  id integer GENERATED ALWAYS AS IDENTITY,
  email text,
  name text DEFAULT '' NOT NULL,
  password_hash text,
  role text DEFAULT 'user' NOT NULL,
  zone text NOT NULL,
  locale text NOT NULL,
  settings jsonb DEFAULT '{}'::jsonb NOT NULL,
  blocked_at timestamptz,
  created_at timestamptz NOT NULL,
  email_verified_at timestamptz,
  referrer_id integer,
  utm jsonb DEFAULT '{}'::jsonb NOT NULL,
  signed_in_at timestamptz,
  signed_out_at timestamptz,
  erased_at timestamptz,
  sandbox_of integer,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_sandbox_once UNIQUE (sandbox_of),
  CONSTRAINT users_erased_is_nobody CHECK (erased_at IS NULL OR blocked_at IS NOT NULL AND name = '' AND settings = '{}'::jsonb AND utm = '{}'::jsonb AND num_nonnulls(email, password_hash) = 0),
  CONSTRAINT users_role CHECK (role = ANY (ARRAY['user', 'support', 'operator'])),
  CONSTRAINT users_sandbox_bare CHECK (sandbox_of IS NULL OR sandbox_of <> id AND email IS NULL AND password_hash IS NULL AND role = 'user' AND referrer_id IS NULL),
  CONSTRAINT users_referrer_id_fkey FOREIGN KEY (referrer_id) REFERENCES users(id),
  CONSTRAINT users_sandbox_of FOREIGN KEY (sandbox_of) REFERENCES users(id)
);
CREATE INDEX users_email_prefix ON users (lower(email) text_pattern_ops);
CREATE UNIQUE INDEX users_email_unique ON users (lower(email));
CREATE INDEX users_erased ON users (id) WHERE erased_at IS NOT NULL;
CREATE INDEX users_referrer ON users (referrer_id) WHERE referrer_id IS NOT NULL;

CREATE TABLE vouchers (
  id bigint GENERATED ALWAYS AS IDENTITY,
  gateway_id integer NOT NULL,
  code_hash bytea NOT NULL,
  amount_micros bigint NOT NULL,
  currency text NOT NULL,
  batch text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  withdrawn_at timestamptz,
  payment_id bigint,
  CONSTRAINT vouchers_pkey PRIMARY KEY (id),
  CONSTRAINT vouchers_code_once UNIQUE (code_hash),
  CONSTRAINT vouchers_payment_once UNIQUE (payment_id),
  CONSTRAINT vouchers_amount_positive CHECK (amount_micros > 0),
  CONSTRAINT vouchers_currency CHECK (currency = ANY (ARRAY['rub', 'usd'])),
  CONSTRAINT vouchers_gateway_id_fkey FOREIGN KEY (gateway_id) REFERENCES gateways(id),
  CONSTRAINT vouchers_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id)
);
CREATE INDEX vouchers_batch ON vouchers (batch);

CREATE TABLE webhook_deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY,
  endpoint_id integer NOT NULL,
  event text NOT NULL,
  subject text NOT NULL,
  message_id bigint,
  details jsonb NOT NULL,
  at timestamptz NOT NULL,
  state text DEFAULT 'waiting' NOT NULL,
  tries integer DEFAULT 0 NOT NULL,
  round integer DEFAULT 0 NOT NULL,
  next_at timestamptz NOT NULL,
  tried_at timestamptz,
  took_ms integer,
  status integer,
  failure text,
  reply text,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_deliveries_state CHECK (state = ANY (ARRAY['waiting', 'delivered', 'failed'])),
  CONSTRAINT webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_at) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (endpoint_id, id);
CREATE INDEX webhook_deliveries_subject ON webhook_deliveries (endpoint_id, subject, id) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint_id, id) WHERE state = 'waiting';

CREATE TABLE webhook_endpoints (
  id integer GENERATED ALWAYS AS IDENTITY,
  user_id integer NOT NULL,
  api_key_id integer,
  label text NOT NULL,
  url text NOT NULL,
  host text NOT NULL,
  form text NOT NULL,
  events text[] NOT NULL,
  secret jsonb NOT NULL,
  previous_secret jsonb,
  previous_until timestamptz,
  state text DEFAULT 'on' NOT NULL,
  off_reason text,
  failures integer DEFAULT 0 NOT NULL,
  failing_since timestamptz,
  rest_until timestamptz,
  created_at timestamptz NOT NULL,
  idempotency_key text,
  input_hash text,
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_endpoints_once UNIQUE (user_id, idempotency_key),
  CONSTRAINT webhook_endpoints_form CHECK (form = ANY (ARRAY['standard', 'field'])),
  CONSTRAINT webhook_endpoints_off CHECK (off_reason IS NULL OR state = 'off'),
  CONSTRAINT webhook_endpoints_overlap CHECK ((previous_secret IS NULL) = (previous_until IS NULL)),
  CONSTRAINT webhook_endpoints_state CHECK (state = ANY (ARRAY['on', 'off'])),
  CONSTRAINT webhook_endpoints_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
  CONSTRAINT webhook_endpoints_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX webhook_endpoints_user ON webhook_endpoints (user_id);

CREATE TABLE yookassa_orders (
  transaction_id text NOT NULL,
  body text NOT NULL,
  first_sent_at timestamptz NOT NULL,
  last_sent_at timestamptz NOT NULL,
  payment_id text,
  CONSTRAINT yookassa_orders_pkey PRIMARY KEY (transaction_id),
  CONSTRAINT yookassa_orders_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES payments(transaction_id)
);

CREATE AGGREGATE sum_micros(bigint) (SFUNC = int8pl, STYPE = bigint, INITCOND = '0', COMBINEFUNC = int8pl, PARALLEL = SAFE);

CREATE FUNCTION buyer_misses(buyer integer, asked_at timestamp with time zone, giving bigint)
 RETURNS TABLE(activation_id bigint, believed boolean)
 LANGUAGE plpgsql
AS $function$
DECLARE
  free_misses     CONSTANT integer := 2;
  misses_per_code CONSTANT integer := 9;
  among           CONSTANT integer := 1000;
  since           CONSTANT timestamptz := asked_at - interval '7 days';
BEGIN
  RETURN QUERY WITH week AS (
    (SELECT a.id, a.ended_at, a.money = 'captured' AS paid, a.id = giving OR a.state IN ('cancelled', 'expired')
        OR a.state = 'used' AND NOT EXISTS (SELECT FROM used_reports u WHERE u.activation_id = a.id AND u.by_supplier) AS vain
      FROM activations a WHERE a.user_id = buyer AND a.created_at > since
      ORDER BY a.created_at DESC, a.id DESC LIMIT among)
    UNION ALL
    (SELECT NULL, r.ended_at, r.captured_at IS NOT NULL, r.state = 'cancelled'
      FROM rentals r WHERE r.user_id = buyer AND r.created_at > since
      ORDER BY r.created_at DESC, r.id DESC LIMIT among)
  )
  SELECT w.id, row_number() OVER (ORDER BY w.ended_at, w.id)
      <= free_misses + misses_per_code * (SELECT count(*) FROM week p WHERE p.paid)
  FROM week w WHERE w.vain;
END $function$;

CREATE FUNCTION in_currency(micros bigint, paid_in text, wanted text, rub_micros_per_usd bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT CASE WHEN paid_in = wanted THEN micros
    WHEN paid_in = 'usd' THEN ceil(micros::numeric * rub_micros_per_usd / 1000000)::bigint
    ELSE ceil(micros::numeric * 1000000 / rub_micros_per_usd)::bigint END
$function$;

CREATE FUNCTION is_account(a accounts)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
BEGIN
  RETURN LEAST(a.available_micros, a.held_micros, a.debt_micros, a.referral_micros, a.open_numbers_limit, a.day_spend_limit_micros) >= 0
    AND a.currency IN ('rub', 'usd')
    AND (NOT a.sandbox OR (a.debt_micros = 0 AND a.referral_micros = 0));
END $function$;

CREATE FUNCTION is_activation(a activations)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
BEGIN
  RETURN a.price_micros > 0 AND (a.phone IS NOT NULL OR a.state IN ('reserving', 'failed'))
    AND COALESCE(a.money = CASE
      WHEN a.state IN ('reserving', 'waiting') THEN 'held'
      WHEN a.state IN ('received', 'waiting_again', 'finished') THEN 'captured'
      WHEN a.state IN ('cancelled', 'expired', 'used', 'failed') THEN 'released' END, false);
END $function$;

CREATE FUNCTION is_message(m messages)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
BEGIN
  IF num_nonnulls(m.activation_id, m.rental_id) = 0 THEN
    RETURN m.given IN ('unmatched', 'operator', 'junk');
  END IF;
  RETURN num_nonnulls(m.activation_id, m.rental_id) = 1
    AND m.given IN ('reference', 'named', 'only-holder', 'hinted', 'by-hand', 'late', 'notice', 'opened', 'folded');
END $function$;

CREATE FUNCTION is_transfer(t transfers)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
DECLARE
  subjects integer := num_nonnulls(t.activation_id, t.charge_id) + 10 * num_nonnulls(t.payment_id)
    + 100 * num_nonnulls(t.referral_share_id) + 1000 * num_nonnulls(t.referral_withdrawal_id)
    + 10000 * num_nonnulls(t.loyalty_reward_id) + 100000 * num_nonnulls(t.channel_reward_id);
BEGIN
  IF t.kind = 'hold' THEN
    RETURN subjects = 1 AND t.from_account = 'available' AND t.to_account = 'held';
  ELSIF t.kind = 'capture' THEN
    RETURN subjects = 1 AND t.from_account = 'held' AND t.to_account = 'revenue';
  ELSIF t.kind = 'release' THEN
    RETURN subjects = 1 AND t.from_account = 'held' AND t.to_account = 'available';
  END IF;
  RETURN subjects = ANY (CASE
      WHEN t.kind IN ('refund', 'promotion', 'promotion_back') THEN '{1}'
      WHEN t.kind IN ('credit', 'debit', 'repayment', 'forfeit', 'referral_forfeit', 'sandbox_credit') THEN '{0}'
      WHEN t.kind IN ('referral', 'referral_back', 'referral_recall') THEN '{100}'
      WHEN t.kind IN ('referral_withdrawal', 'referral_payout', 'referral_payout_back') THEN '{1000}'
      WHEN t.kind IN ('loyalty', 'loyalty_back') THEN '{10000}'
      WHEN t.kind = 'channel_reward' THEN '{100000}'
      WHEN t.kind = 'debt' THEN '{10,100,10000}'
      ELSE '{10}' END::integer[])
    AND t.kind || ' ' || t.from_account || ' ' || t.to_account IN (
      'refund revenue available', 'credit adjustments available', 'debit available adjustments', 'topup cash available',
      'fee available fees', 'fee_back fees available', 'bonus bonuses available', 'voucher promotions available',
      'rounding rounding available', 'payment_refund available refunds', 'payment_refund_failed refunds available',
      'dispute available disputes', 'dispute_won disputes available', 'bonus_back available bonuses', 'debt debt available',
      'repayment available debt', 'referral referrals referral', 'referral_back referral referrals',
      'referral_recall available referral', 'referral_withdrawal referral available', 'referral_payout referral payouts',
      'referral_payout_back payouts referral', 'loyalty loyalty available', 'loyalty_back available loyalty',
      'forfeit available forfeits', 'referral_forfeit referral forfeits', 'channel_reward promotions available',
      'promotion promotions revenue', 'promotion_back revenue promotions', 'sandbox_credit sandbox available');
END $function$;

CREATE FUNCTION keep_promotion()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE promotions SET spent_micros = spent_micros + sale_limit_micros
    WHERE id = NEW.promotion_id AND ends_at > NEW.created_at;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'promotion % has ended', NEW.promotion_id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'promotions_within_limit';
    END IF;
    RETURN NULL;
  END IF;
  INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
  SELECT 'promotion', NEW.user_id, 'promotions', 'revenue', lost, NEW.currency, NEW.id, NEW.first_code_at
  FROM sale_loss(NEW, NEW.currency) AS lost WHERE NEW.money = 'captured' AND lost > 0;
  UPDATE promotions SET spent_micros = spent_micros - sale_limit_micros
    + CASE NEW.money WHEN 'captured' THEN LEAST(sale_limit_micros, sale_loss(NEW, currency)) ELSE 0 END
  WHERE id = NEW.promotion_id;
  RETURN NULL;
END
$function$;

CREATE FUNCTION key_refuses(key integer, price bigint, asked_at timestamp with time zone, besides bigint)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE FUNCTION key_spent(key integer, asked_at timestamp with time zone, besides bigint)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
DECLARE
  day timestamptz := date_trunc('day', asked_at, 'UTC');
  buyer integer := (SELECT CASE WHEN k.sandbox THEN (SELECT s.id FROM users s WHERE s.sandbox_of = k.user_id) ELSE k.user_id END
    FROM api_keys k WHERE k.id = key);
BEGIN
  RETURN (SELECT COALESCE(sum(price_micros), 0) FROM activations
      WHERE api_key_id = key AND created_at >= day AND money <> 'released' AND id IS DISTINCT FROM besides)
    + (SELECT COALESCE(sum(price_micros), 0) FROM charges
      WHERE api_key_id = key AND created_at >= day AND money <> 'released')
    + (SELECT COALESCE(sum(CASE WHEN p.state IN ('waiting', 'buying') THEN p.max_price_micros
        WHEN p.state = 'bought' AND a.money <> 'released' THEN a.price_micros ELSE 0 END), 0)
      FROM preorders p LEFT JOIN activations a ON a.id = p.activation_id WHERE p.api_key_id = key AND p.created_at >= day)
    - (SELECT COALESCE(sum(t.amount_micros), 0) FROM transfers t
      LEFT JOIN activations a ON a.id = t.activation_id AND a.id IS DISTINCT FROM besides
      LEFT JOIN charges c ON c.id = t.charge_id LEFT JOIN preorders p ON p.activation_id = a.id
      -- Nothing is given back before it is bought.
      WHERE t.kind = 'refund' AND t.user_id = buyer AND t.at >= day
        AND ((a.api_key_id = key AND a.created_at >= day) OR (c.api_key_id = key AND c.created_at >= day)
          OR (p.api_key_id = key AND p.created_at >= day)));
END $function$;

CREATE FUNCTION note_timeline()
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  cluster bigint;
  line integer;
  promoted boolean;
BEGIN
  BEGIN
    SELECT system_identifier, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer
      INTO cluster, line FROM pg_control_system();
  EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR object_not_in_prerequisite_state THEN
    RETURN NULL;
  END;
  IF EXISTS (SELECT FROM timelines WHERE system_identifier = cluster AND timeline = line) THEN RETURN NULL; END IF;
  promoted := EXISTS (SELECT FROM timelines WHERE system_identifier = cluster);
  INSERT INTO timelines (system_identifier, timeline, is_fail_over) VALUES (cluster, line, promoted)
    ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass,
      COALESCE(last_value, start_value) + CASE WHEN data_type = 'bigint'::regtype THEN 1000000 ELSE 10000 END)
    FROM pg_sequences WHERE schemaname = current_schema();
  RETURN CASE WHEN promoted THEN 'fail-over' ELSE 'copied' END;
END $function$;

CREATE FUNCTION number_closed(wanted text, buyer integer, wanted_family text, known boolean, rents boolean, asked_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 COST 1000
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(wanted, 56));
  RETURN EXISTS (SELECT FROM activations a
      WHERE a.phone = wanted AND a.state IN ('waiting', 'received', 'waiting_again')
        AND (rents OR COALESCE(a.family, a.service_code) = wanted_family OR NOT (known AND a.senders_known)))
    OR EXISTS (SELECT FROM rentals r WHERE r.phone = wanted AND r.state = 'active')
    OR EXISTS (SELECT FROM activations a
      WHERE a.phone = wanted AND a.ended_at > asked_at - interval '20 minutes' AND a.user_id <> buyer
        AND (COALESCE(a.family, a.service_code) = wanted_family OR NOT (known AND a.senders_known)))
    OR EXISTS (SELECT FROM rentals r
      WHERE r.phone = wanted AND r.ended_at > asked_at - interval '20 minutes' AND r.user_id <> buyer
        AND (COALESCE(r.family, r.service_code) = wanted_family OR NOT (known AND r.senders_known)));
END $function$;

CREATE FUNCTION purchase_limit_reached(buyer integer, price bigint, asked_at timestamp with time zone, open_limit integer, day_limit bigint, besides bigint)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE FUNCTION queue_job(task text, data json, most_tries integer, at_priority integer DEFAULT 0, in_queue text DEFAULT NULL::text)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
DECLARE
  made bigint;
BEGIN
  IF in_queue IS NULL THEN
    INSERT INTO graphile_worker._private_jobs (task_id, payload, max_attempts, priority)
    SELECT id, data, most_tries, at_priority FROM graphile_worker._private_tasks WHERE identifier = task
    RETURNING id INTO made;
  ELSE
    INSERT INTO graphile_worker._private_jobs (task_id, job_queue_id, payload, max_attempts, priority)
    SELECT t.id, q.id, data, most_tries, at_priority
    FROM graphile_worker._private_tasks t, graphile_worker._private_job_queues q
    WHERE t.identifier = task AND q.queue_name = in_queue
    RETURNING id INTO made;
  END IF;
  IF made IS NULL THEN
    made := (graphile_worker.add_job(task, data, queue_name := in_queue, max_attempts := most_tries, priority := at_priority)).id;
  END IF;
  RETURN made;
END $function$;

CREATE FUNCTION raise_hooks(buyer integer, told_event text, about text, message bigint, told jsonb, told_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (SELECT FROM webhook_endpoints w WHERE w.user_id = buyer AND w.state = 'on') THEN
    INSERT INTO webhook_deliveries (endpoint_id, event, subject, message_id, details, at, next_at)
    SELECT w.id, told_event, about, message, told, told_at, told_at FROM webhook_endpoints w
    WHERE w.user_id = buyer AND w.state = 'on' AND told_event = ANY (w.events)
      AND (w.api_key_id IS NULL OR EXISTS (SELECT FROM api_keys k
        WHERE k.id = w.api_key_id AND k.revoked_at IS NULL AND 'read' = ANY (k.scopes)));
  END IF;
  RETURN true;
END $function$;

CREATE FUNCTION refuse_all_but_redaction()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF (NEW.id, NEW.at, NEW.actor, NEW.command, NEW.subject, NEW.reason, NEW.tells) IS DISTINCT FROM
      (OLD.id, OLD.at, OLD.actor, OLD.command, OLD.subject, OLD.reason, OLD.tells)
    OR NEW.detail IS DISTINCT FROM OLD.detail - 'email' THEN
    RAISE EXCEPTION '% is append-only: a mail address may be taken out', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $function$;

CREATE FUNCTION refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$function$;

CREATE FUNCTION sale_loss(sale activations, wanted text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT GREATEST(0, in_currency(sale.cost_micros, sale.cost_currency, wanted, sale.cost_rate_micros)
    - in_currency(sale.price_micros, sale.currency, wanted, sale.cost_rate_micros))
$function$;

CREATE FUNCTION smpp_number_closed(wanted text, buyer integer, service text, wanted_family text, known boolean, alone boolean, asked_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 COST 1000
AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM smpp_leases l WHERE l.phone = wanted AND l.state = 'leased'
      AND (alone OR COALESCE(l.family, l.service_code) = wanted_family OR NOT (known AND l.senders_known)))
    OR EXISTS (SELECT FROM smpp_leases l
      WHERE l.phone = wanted AND l.state = 'ended' AND l.ending <> 'unsold' AND l.ended_at > asked_at - interval '20 minutes'
        AND l.buyer_id IS DISTINCT FROM buyer
        AND (alone OR COALESCE(l.family, l.service_code) = wanted_family OR NOT (known AND l.senders_known)))
    OR EXISTS (SELECT FROM used_reports u
      WHERE u.phone = wanted AND u.service_code = service AND u.user_id = buyer AND u.lifted_at IS NULL);
END $function$;

CREATE FUNCTION spent_since(buyer integer, since timestamp with time zone, besides bigint)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
BEGIN
  RETURN (SELECT COALESCE(sum(price_micros), 0) FROM activations
      WHERE user_id = buyer AND created_at > since AND money <> 'released' AND id IS DISTINCT FROM besides)
    + (SELECT COALESCE(sum(price_micros), 0) FROM charges
      WHERE user_id = buyer AND created_at > since AND money <> 'released' AND purpose IN ('rental', 'extension'))
    - (SELECT COALESCE(sum(t.amount_micros), 0) FROM transfers t
      LEFT JOIN activations a ON a.id = t.activation_id LEFT JOIN charges c ON c.id = t.charge_id
      WHERE t.kind = 'refund' AND t.user_id = buyer AND t.at > since AND COALESCE(a.created_at, c.created_at) > since);
END $function$;

CREATE FUNCTION store_message_id()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO message_ids (supplier_id, supplier_message_id, message_id, received_at)
  VALUES (NEW.supplier_id, NEW.supplier_message_id, NEW.id, NEW.received_at) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RAISE unique_violation USING MESSAGE = 'a supplier repeats a message', CONSTRAINT = 'messages_supplier_id_unique';
  END IF;
  RETURN NULL;
END $function$;

CREATE FUNCTION tell_code(message bigint, buyer integer, told_event text, about text, told jsonb, told_at timestamp with time zone, OUT queued boolean, OUT hooked boolean)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
DECLARE
  has_chat    boolean;
  has_browser boolean;
BEGIN
  SELECT EXISTS (SELECT FROM telegram_chats c WHERE c.user_id = buyer AND c.wants_codes AND c.closed_at IS NULL),
    EXISTS (SELECT FROM push_subscriptions p WHERE p.user_id = buyer AND p.gone_at IS NULL),
    EXISTS (SELECT FROM webhook_endpoints w WHERE w.user_id = buyer AND w.state = 'on')
  INTO has_chat, has_browser, hooked;
  queued := has_chat OR has_browser;
  IF has_chat THEN
    INSERT INTO telegram_codes (message_id, user_id, job_id, queued_at)
    VALUES (message, buyer, queue_job('telegram-code', json_build_object('messageId', message::text, 'userId', buyer), 12, 0,
      'telegram-' || buyer % 2), told_at)
    ON CONFLICT ON CONSTRAINT telegram_codes_once DO NOTHING;
  END IF;
  IF has_browser THEN
    -- Before notices: news are told to hundreds at once.
    PERFORM queue_job('push-message', json_build_object('messageId', message::text, 'userId', buyer, 'at', told_at), 10, -10);
  END IF;
  IF hooked THEN
    PERFORM raise_hooks(buyer, told_event, about, message, told, told_at);
  END IF;
END $function$;

CREATE FUNCTION used_is_free(buyer integer, service text, country integer, asked_at timestamp with time zone, free_reports integer, free_percent integer, in_a_row integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
  since    timestamptz := asked_at - interval '24 hours';
  first_at timestamptz;
  reports  bigint;
  needed   bigint;
BEGIN
  SELECT reported_at INTO first_at FROM used_reports
  WHERE user_id = buyer AND NOT by_supplier AND reported_at > since
  ORDER BY reported_at DESC OFFSET in_a_row - 1 LIMIT 1;
  -- No number is its buyer's for longer than a day, so an earlier purchase had no code since.
  IF FOUND AND NOT EXISTS (SELECT FROM activations
    WHERE user_id = buyer AND created_at > first_at - interval '24 hours' AND first_code_at > first_at
      AND NOT EXISTS (SELECT FROM used_reports WHERE activation_id = activations.id))
  THEN
    RETURN false;
  END IF;
  SELECT count(*) INTO reports FROM used_reports
  WHERE user_id = buyer AND NOT by_supplier AND reported_at > since AND service_code = service AND country_id = country;
  IF reports < free_reports THEN
    RETURN true;
  END IF;
  IF free_percent = 0 THEN
    RETURN false;
  END IF;
  -- Counted no further than it matters.
  needed := ((reports + 1) * 100 + free_percent - 1) / free_percent;
  RETURN needed <= (SELECT count(*) FROM (SELECT FROM activations
    WHERE user_id = buyer AND created_at > since AND service_code = service AND country_id = country
      AND state NOT IN ('reserving', 'failed') LIMIT needed) purchases);
END $function$;

CREATE FUNCTION word_weighs(buyer integer, asked_at timestamp with time zone, giving bigint)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  RETURN NOT EXISTS (SELECT FROM buyer_misses(buyer, asked_at, giving) m WHERE NOT m.believed);
END $function$;
