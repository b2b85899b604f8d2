import { DAY } from '#contract/time.ts'
import type { Rule } from './rule.ts'

const REFUSED_EVENT_KEEP_MS = 7 * DAY
/** Only this many of the oldest events are checked, because ids follow the order of time. */
const OLDEST_EVENTS = 5_000

const BOOKS = 'the books, which the law asks for'
const CHAIN = 'proves what arrived on a chain, and is counted by the books'

const passing = (state: 'refused' | 'repeated') => ({
  // The state is a constant in the SQL, because each state has its own index by time.
  rows: `state = '${state}' AND received_at < $before`,
  keepMs: () => REFUSED_EVENT_KEEP_MS,
})

export const MONEY_RULES: Readonly<Record<string, Rule>> = {
  gateway_events: {
    why: 'evidence in a dispute',
    person: 'kept',
    steps: [
      passing('refused'),
      passing('repeated'),
      {
        rows: `id IN (SELECT id FROM (SELECT id, state, received_at FROM gateway_events ORDER BY id LIMIT ${OLDEST_EVENTS}) oldest
          WHERE state <> 'stored' AND received_at < $before)`,
        keepMs: ({ gatewayEventKeepDays }) => gatewayEventKeepDays * DAY,
      },
    ],
  },
  yookassa_orders: {
    why: 'receipts are needed while a payment can be paid back',
    person: 'kept',
    steps: [{ rows: 'first_sent_at < $before', keepMs: ({ receiptKeepDays }) => receiptKeepDays * DAY }],
  },
  payments: {
    why: `${BOOKS}; the network and the address that it was begun with go`,
    person: 'blanked',
    steps: [
      {
        rows: '(network IS NOT NULL OR press IS NOT NULL) AND created_at < $before',
        keepMs: ({ gatewayEventKeepDays }) => gatewayEventKeepDays * DAY,
        blank: 'network = NULL, press = NULL',
      },
    ],
  },
  accounts: { why: BOOKS, person: 'kept' },
  transfers: { why: BOOKS, person: 'kept' },
  charges: { why: BOOKS, person: 'kept' },
  deposits: { why: BOOKS, person: 'kept' },
  reversals: { why: BOOKS, person: 'kept' },
  payment_keys: { why: 'a press that is repeated pays once', person: 'kept' },
  bonus_grants: { why: BOOKS, person: 'kept' },
  bonus_rules: { why: 'bonuses were given by them' },
  vouchers: { why: BOOKS, person: 'kept' },
  referral_invitations: { why: `${BOOKS}: shares were paid for it`, person: 'kept' },
  referral_shares: { why: BOOKS, person: 'kept' },
  referral_withdrawals: { why: `${BOOKS}: where a payout went`, person: 'kept' },
  referral_progress: { why: 'one row' },
  loyalty_periods: { why: 'rewards were paid for them' },
  loyalty_ranks: { why: 'rewards were counted by them' },
  loyalty_rewards: { why: BOOKS, person: 'kept' },
  chain_addresses: { why: 'coins may arrive at an address at any time', person: 'kept' },
  chain_deposits: { why: CHAIN, person: 'kept' },
  chain_findings: { why: CHAIN, person: 'kept' },
  chain_losses: { why: CHAIN, person: 'kept' },
  chain_quotes: { why: CHAIN, person: 'kept' },
  chain_balances: { why: CHAIN },
  chain_blocks: { why: 'gateways/chain/ forgets blocks that are final' },
  chain_branches: { why: 'one row for each xpub' },
  chain_watches: { why: 'one row for each gateway' },
  coin_deposits: { why: CHAIN, person: 'kept' },
  coin_sights: { why: CHAIN, person: 'kept' },
  ledger_checkpoints: { why: 'the chain of proofs of the books' },
  delivery_checkpoints: { why: 'the chain of proofs of deliveries' },
  gateways: { why: 'payments name theirs' },
  exchange_rates: { why: 'one row for each currency' },
  rate_history: { why: 'what a purchase cost is counted at the rate of its day' },
  rate_sources: { why: 'one row for each currency' },
}
