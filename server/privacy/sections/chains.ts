import { GATEWAY, INNER, RATE } from './reasons.ts'
import { OF_ACCOUNT, OF_PAYMENT, ofPayments, ownRows, type Section } from './section.ts'

/** Coins that were sent to addresses of the person. */
export const CHAIN_SECTIONS: readonly Section[] = [
  {
    ...ownRows('chain_addresses', 'created_at, address'),
    columns: ['address', 'created_at'],
    leftOut: { branch: INNER, place: INNER },
  },
  {
    ...ownRows('chain_deposits'),
    currency: OF_ACCOUNT,
    columns: [
      ...[
        'id',
        'chain',
        'tx_hash',
        'asset',
        'address',
        'units',
        'sender',
        'block_number',
        'block_at',
        'seen_at',
        'state',
        'lost_at',
      ],
      ...['transaction_id', 'quoted_units', 'value_micros', 'valued_at'],
    ],
    leftOut: {
      ...{ gateway_id: GATEWAY, place: INNER, life: INNER, block_hash: INNER, is_told: INNER },
      ...{ rub_micros: RATE, usd_rub_micros: RATE, rate_source: RATE, rate_at: RATE },
    },
  },
  {
    ...ownRows('chain_findings'),
    columns: ['id', 'kind', 'address', 'asset', 'units', 'height', 'at', 'settled_at'],
    leftOut: { gateway_id: GATEWAY, subject: INNER },
  },
  {
    table: 'chain_losses',
    rows: 'chain_losses t WHERE t.deposit_id IN (SELECT id FROM chain_deposits WHERE user_id = $1) ORDER BY id',
    columns: ['id', 'deposit_id', 'state', 'at', 'ended_at'],
  },
  {
    ...ofPayments('chain_quotes', 'transaction_id', 'transaction_id'),
    columns: ['transaction_id', 'address', 'asset', 'units'],
    leftOut: { gateway_id: GATEWAY, rub_micros: RATE, usd_rub_micros: RATE, rate_source: RATE, rate_at: RATE },
  },
  {
    ...ofPayments('coin_deposits', 'transaction_id', 'id'),
    currency: OF_PAYMENT,
    columns: [
      ...[
        'id',
        'transaction_id',
        'invoice',
        'provider_id',
        'coins',
        'quoted_coins',
        'quoted_micros',
        'asset',
        'rest_micros',
      ],
      ...['seen_at', 'valued_at', 'gone_at', 'given_up_at', 'dropped_at'],
    ],
    leftOut: { gateway_id: GATEWAY, rub_micros: RATE, usd_rub_micros: RATE, rate_source: RATE, rate_at: RATE },
  },
  {
    ...ofPayments('coin_sights', 'transaction_id', 'transaction_id'),
    columns: ['transaction_id', 'asset', 'coins', 'firm_coins', 'txid', 'seen_at'],
    leftOut: { gateway_id: GATEWAY, looked_at: INNER },
  },
]
