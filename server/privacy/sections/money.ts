import { BATCH, COSTS, FOREIGN, GATEWAY, INNER, PAYER, PLAY, REPEATS, SPENT_CODE } from './reasons.ts'
import { OF_ACCOUNT, ofPayments, ownRows, type Section } from './section.ts'

/** The account, and what went in and out of it. */
export const MONEY_SECTIONS: readonly Section[] = [
  {
    ...ownRows('accounts', 'user_id'),
    columns: [
      ...['currency', 'available_micros', 'held_micros', 'debt_micros', 'referral_micros', 'open_numbers_limit'],
      'day_spend_limit_micros',
    ],
    leftOut: { sandbox: PLAY },
  },
  {
    table: 'transfers',
    // What a promotion paid would tell the cost of a number.
    rows: `transfers t WHERE t.user_id = $1 AND t.kind NOT IN ('promotion', 'promotion_back') ORDER BY id`,
    columns: [
      ...[
        'id',
        'kind',
        'from_account',
        'to_account',
        'amount_micros',
        'currency',
        'activation_id',
        'charge_id',
        'payment_id',
      ],
      ...[
        'deposit_id',
        'reversal_id',
        'referral_share_id',
        'referral_withdrawal_id',
        'loyalty_reward_id',
        'channel_reward_id',
        'idempotency_key',
        'at',
      ],
    ],
  },
  {
    ...ownRows('charges'),
    columns: [
      ...['id', 'purpose', 'rental_id', 'preorder_id', 'hours', 'price_micros', 'currency', 'money', 'idempotency_key'],
      ...['api_key_id', 'created_at', 'settled_at'],
    ],
    leftOut: { input_hash: REPEATS, late_cost_micros: COSTS },
  },
  {
    ...ownRows('payments'),
    columns: [
      ...[
        'id',
        'transaction_id',
        'system',
        'state',
        'amount_micros',
        'currency',
        'fee_points',
        'bonus_points',
        'provider_id',
      ],
      ...['guidance', 'confirmations', 'idempotency_key', 'network', 'created_at', 'expires_at', 'paid_at'],
      ...['bonus_rule_id', 'rule_bonus_micros', 'payable_until', 'press', 'closed_at'],
    ],
    leftOut: { gateway_id: GATEWAY, input_hash: REPEATS, next_check_at: INNER, checks: INNER },
  },
  {
    ...ownRows('payment_keys', 'at, idempotency_key'),
    columns: ['idempotency_key', 'payment_id', 'at'],
    leftOut: { input_hash: REPEATS },
  },
  {
    ...ofPayments('deposits', 'id', 'id'),
    columns: ['id', 'payment_id', 'provider_id', 'amount_micros', 'rest_micros', 'currency', 'at'],
    leftOut: { gateway_id: GATEWAY, payer_hash: PAYER },
  },
  {
    ...ofPayments('reversals', 'id', 'id'),
    columns: [
      ...[
        'id',
        'payment_id',
        'kind',
        'state',
        'provider_id',
        'amount_micros',
        'bonus_micros',
        'fee_micros',
        'currency',
        'is_part',
      ],
      ...['at', 'settled_at', 'cancel_at', 'idempotency_key'],
    ],
    leftOut: { gateway_id: GATEWAY, counted_state: INNER, input_hash: REPEATS },
  },
  {
    ...ofPayments('yookassa_orders', 'transaction_id', 'transaction_id'),
    columns: ['transaction_id', 'body', 'first_sent_at', 'last_sent_at', 'payment_id'],
  },
  {
    ...ofPayments('vouchers', 'id', 'id'),
    columns: ['id', 'payment_id', 'amount_micros', 'currency', 'created_at', 'expires_at'],
    leftOut: {
      code_hash: SPENT_CODE,
      gateway_id: GATEWAY,
      batch: BATCH,
      withdrawn_at: INNER,
    },
  },
  {
    ...ownRows('bonus_grants', 'payment_id'),
    currency: OF_ACCOUNT,
    columns: ['rule_id', 'payment_id', 'amount_micros', 'at'],
  },
  {
    ...ownRows('loyalty_rewards'),
    columns: ['id', 'period_id', 'currency', 'top_up_micros', 'points', 'reward_micros', 'changed_at'],
    leftOut: { changes: INNER },
  },
  {
    ...ownRows('referral_invitations', 'invited_id'),
    currency: OF_ACCOUNT,
    columns: ['state', 'due_micros', 'created_at', 'changed_at'],
    leftOut: { invited_id: FOREIGN, reasons: FOREIGN },
  },
  {
    ...ownRows('referral_shares'),
    columns: [...['id', 'percent', 'currency', 'due_micros', 'given_micros', 'state', 'created_at', 'available_at']],
    leftOut: {
      ...{
        invited_id: FOREIGN,
        activation_id: FOREIGN,
        charge_id: FOREIGN,
        payment_id: FOREIGN,
        gross_micros: FOREIGN,
      },
      ...{ back_micros: FOREIGN, base_currency: FOREIGN, rate_micros: FOREIGN, rate_source: FOREIGN },
      ...{ moves: INNER, look_at: INNER },
    },
  },
  {
    ...ownRows('referral_withdrawals'),
    columns: [
      ...['id', 'amount_micros', 'currency', 'target', 'network', 'address', 'tx', 'state', 'idempotency_key'],
      ...['created_at', 'changed_at'],
    ],
    leftOut: { input_hash: REPEATS },
  },
]
