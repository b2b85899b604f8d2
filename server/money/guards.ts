const GUARDS = [
  ['trigger', 'transfers', 'transfers_append_only'],
  ['trigger', 'events', 'events_append_only'],
  ['trigger', 'audit_log', 'audit_log_append_only'],
  ['trigger', 'audit_log', 'audit_log_redacted'],
  ['trigger', 'deposits', 'deposits_append_only'],
  ['trigger', 'bonus_grants', 'bonus_grants_append_only'],
  ['trigger', 'channel_rewards', 'channel_rewards_append_only'],
  ['trigger', 'ledger_checkpoints', 'ledger_checkpoints_append_only'],
  ['trigger', 'activations', 'activations_promotion_begins'],
  ['trigger', 'activations', 'activations_promotion_settles'],
  ['index', 'transfers', 'transfers_activation_once'],
  ['index', 'transfers', 'transfers_charge_once'],
  ['index', 'transfers', 'transfers_idempotency'],
  ['index', 'transfers', 'transfers_deposit_once'],
  ['index', 'transfers', 'transfers_reversal_once'],
  ['index', 'transfers', 'transfers_bonus_once'],
  ['index', 'transfers', 'transfers_referral_withdrawal_once'],
  ['index', 'transfers', 'transfers_loyalty_once'],
  ['index', 'transfers', 'transfers_channel_reward_once'],
  ['index', 'transfers', 'transfers_promotion_once'],
  ['index', 'channel_rewards', 'channel_rewards_account_once'],
  ['index', 'channel_rewards', 'channel_rewards_person_once'],
  ['index', 'bonus_grants', 'bonus_grants_once'],
  ['index', 'bonus_grants', 'bonus_grants_payment_once'],
  ['index', 'loyalty_rewards', 'loyalty_rewards_once'],
  ['index', 'payments', 'payments_transaction_once'],
  ['index', 'payments', 'payments_provider_once'],
  ['index', 'payments', 'payments_idempotency'],
  ['index', 'deposits', 'deposits_once'],
  ['index', 'coin_deposits', 'coin_deposits_once'],
  ['index', 'reversals', 'reversals_once'],
  ['index', 'vouchers', 'vouchers_code_once'],
  ['index', 'vouchers', 'vouchers_payment_once'],
  ['index', 'gateway_events', 'gateway_events_once'],
  ['index', 'referral_shares', 'referral_shares_once'],
  ['index', 'referral_withdrawals', 'referral_withdrawals_one_open'],
  ['index', 'referral_withdrawals', 'referral_withdrawals_idempotency'],
  ['index', 'referral_withdrawals', 'referral_withdrawals_tx_once'],
  ['index', 'activations', 'activations_idempotency'],
  ['index', 'activations', 'activations_number_once'],
  ['index', 'charges', 'charges_rental_once'],
  ['index', 'charges', 'charges_one_extension'],
  ['index', 'charges', 'charges_one_preorder'],
  ['index', 'charges', 'charges_idempotency'],
  ['index', 'rentals', 'rentals_idempotency'],
  ['index', 'rentals', 'rentals_number_once'],
  ['index', 'preorders', 'preorders_idempotency'],
  ['index', 'preorders', 'preorders_activation'],
  ['constraint', 'accounts', 'accounts_fit'],
  ['constraint', 'transfers', 'transfers_amount_positive'],
  ['constraint', 'transfers', 'transfers_kind'],
  ['constraint', 'transfers', 'transfers_activation_id_fkey'],
  ['constraint', 'transfers', 'transfers_charge_id_fkey'],
  ['constraint', 'transfers', 'transfers_referral_share'],
  ['constraint', 'transfers', 'transfers_referral_withdrawal'],
  ['constraint', 'activations', 'activations_fit'],
  ['constraint', 'promotions', 'promotions_within_limit'],
  ['constraint', 'price_rules', 'price_rules_promotion'],
  ['constraint', 'charges', 'charges_price_positive'],
  ['constraint', 'charges', 'charges_money'],
  ['constraint', 'charges', 'charges_subject'],
  ['constraint', 'charges', 'charges_settled'],
  ['constraint', 'rentals', 'rentals_state'],
  ['constraint', 'rentals', 'rentals_captured_fits_state'],
  ['constraint', 'rentals', 'rentals_extended_while_active'],
  ['constraint', 'preorders', 'preorders_state'],
  ['constraint', 'preorders', 'preorders_price_positive'],
  ['constraint', 'preorders', 'preorders_purchase'],
  ['constraint', 'payments', 'payments_state'],
  ['constraint', 'payments', 'payments_amount_positive'],
  ['constraint', 'deposits', 'deposits_amount_not_negative'],
  ['constraint', 'deposits', 'deposits_worth_positive'],
  ['constraint', 'deposits', 'deposits_rest_below_a_cent'],
  ['constraint', 'reversals', 'reversals_state'],
  ['constraint', 'reversals', 'reversals_amount_positive'],
  ['constraint', 'vouchers', 'vouchers_amount_positive'],
  ['constraint', 'referral_invitations', 'referral_invitations_not_self'],
  ['constraint', 'referral_shares', 'referral_shares_state'],
  ['constraint', 'referral_shares', 'referral_shares_thing'],
  ['constraint', 'referral_withdrawals', 'referral_withdrawals_state'],
  ['constraint', 'referral_withdrawals', 'referral_withdrawals_amount_positive'],
  ['constraint', 'transfers', 'transfers_loyalty_reward_id_fkey'],
  ['constraint', 'transfers', 'transfers_channel_reward'],
  ['constraint', 'channel_rewards', 'channel_rewards_amount_positive'],
  ['constraint', 'payments', 'payments_rule_bonus'],
  ['constraint', 'loyalty_periods', 'loyalty_periods_apart'],
  ['constraint', 'loyalty_rewards', 'loyalty_rewards_reward_not_negative'],
  ['index', 'account_deletions', 'account_deletions_one'],
  ['constraint', 'users', 'users_erased_is_nobody'],
  ['constraint', 'users', 'users_sandbox_bare'],
  ['index', 'users', 'users_sandbox_once'],
  ['constraint', 'suppliers', 'suppliers_sandbox_simulated'],
  ['index', 'suppliers', 'suppliers_sandbox_one'],
] as const

const guardRows = GUARDS.map((words) => `(${words.map((word) => `'${word}'`).join(', ')})`).join(', ')

/** Triggers are enabled, indexes unique and valid, constraints enforced. */
export const guards = {
  name: 'the append-only triggers, unique indexes and constraints of the books are in force',
  counted: `SELECT count(*) FROM (VALUES ${guardRows}) AS guard`,
  problems: `SELECT format('the %s %s on %s is missing or not in force', kind, name, relation) AS problem
    FROM (VALUES ${guardRows}) AS guard (kind, relation, name)
    WHERE NOT CASE kind
      WHEN 'trigger' THEN EXISTS (SELECT FROM pg_trigger WHERE tgrelid = to_regclass(relation) AND tgname = name
        AND tgenabled IN ('O', 'A') AND NOT tgisinternal)
      WHEN 'index' THEN EXISTS (SELECT FROM pg_index WHERE indrelid = to_regclass(relation)
        AND indexrelid = to_regclass(name) AND indisunique AND indisvalid)
      ELSE EXISTS (SELECT FROM pg_constraint WHERE conrelid = to_regclass(relation) AND conname = name AND convalidated)
    END`,
}

const COUNTED_TABLES = [
  ...['users', 'activations', 'rentals', 'preorders', 'charges', 'transfers', 'messages', 'events', 'audit_log'],
  ...['payments', 'deposits', 'reversals', 'gateway_events', 'vouchers'],
  ...['referral_shares', 'referral_withdrawals', 'loyalty_rewards', 'channel_rewards'],
] as const

/** After a restore or manual inserts a sequence may lag and repeat an id. */
export const sequences = {
  name: 'no number of a row will be given out a second time',
  counted: `SELECT ${COUNTED_TABLES.length}::bigint AS count`,
  problems: COUNTED_TABLES.map(
    (
      table,
    ) => `SELECT format('%s: the newest row is %s, the sequence stands at %s', '${table}', newest, reached) AS problem
      FROM (SELECT (SELECT max(id)::bigint FROM ${table}) AS newest,
        pg_sequence_last_value(pg_get_serial_sequence('${table}', 'id')::regclass) AS reached) counter
      WHERE newest > COALESCE(reached, 0)`,
  ).join(' UNION ALL '),
}
