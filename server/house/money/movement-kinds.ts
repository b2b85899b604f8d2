type Subject =
  | 'order'
  | 'payment'
  | 'referral-share'
  | 'referral-withdrawal'
  | 'loyalty-reward'
  | 'channel-reward'
  | 'none'

/**
 * Every kind of transfer with its two accounts. Users have `available`, `held`, `debt` and `referral`; all other
 * accounts are the service's. A test compares the table with the constraint `transfers_kind`
 * (migrations/0285_quiet_jobs.sql).
 */
export const MOVEMENTS = {
  hold: { from: 'available', to: 'held', of: 'order' },
  capture: { from: 'held', to: 'revenue', of: 'order' },
  release: { from: 'held', to: 'available', of: 'order' },
  refund: { from: 'revenue', to: 'available', of: 'order' },
  credit: { from: 'adjustments', to: 'available', of: 'none' },
  debit: { from: 'available', to: 'adjustments', of: 'none' },
  topup: { from: 'cash', to: 'available', of: 'payment' },
  fee: { from: 'available', to: 'fees', of: 'payment' },
  fee_back: { from: 'fees', to: 'available', of: 'payment' },
  bonus: { from: 'bonuses', to: 'available', of: 'payment' },
  voucher: { from: 'promotions', to: 'available', of: 'payment' },
  rounding: { from: 'rounding', to: 'available', of: 'payment' },
  payment_refund: { from: 'available', to: 'refunds', of: 'payment' },
  payment_refund_failed: { from: 'refunds', to: 'available', of: 'payment' },
  dispute: { from: 'available', to: 'disputes', of: 'payment' },
  dispute_won: { from: 'disputes', to: 'available', of: 'payment' },
  bonus_back: { from: 'available', to: 'bonuses', of: 'payment' },
  debt: { from: 'debt', to: 'available', of: ['payment', 'referral-share', 'loyalty-reward'] },
  repayment: { from: 'available', to: 'debt', of: 'none' },
  referral: { from: 'referrals', to: 'referral', of: 'referral-share' },
  referral_back: { from: 'referral', to: 'referrals', of: 'referral-share' },
  referral_recall: { from: 'available', to: 'referral', of: 'referral-share' },
  referral_withdrawal: { from: 'referral', to: 'available', of: 'referral-withdrawal' },
  referral_payout: { from: 'referral', to: 'payouts', of: 'referral-withdrawal' },
  referral_payout_back: { from: 'payouts', to: 'referral', of: 'referral-withdrawal' },
  forfeit: { from: 'available', to: 'forfeits', of: 'none' },
  referral_forfeit: { from: 'referral', to: 'forfeits', of: 'none' },
  loyalty: { from: 'loyalty', to: 'available', of: 'loyalty-reward' },
  loyalty_back: { from: 'available', to: 'loyalty', of: 'loyalty-reward' },
  channel_reward: { from: 'promotions', to: 'available', of: 'channel-reward' },
  promotion: { from: 'promotions', to: 'revenue', of: 'order' },
  promotion_back: { from: 'revenue', to: 'promotions', of: 'order' },
  sandbox_credit: { from: 'sandbox', to: 'available', of: 'none' },
} as const satisfies Record<string, { from: string; to: string; of: Subject | readonly Subject[] }>

const SANDBOX_KINDS: readonly string[] = [
  'sandbox_credit',
  'hold',
  'capture',
  'release',
  'refund',
] satisfies MovementKind[]

/** SQL that is true if a transfer `t` of account `a` mixes play money with real money. */
export const STRAYED = `CASE WHEN a.sandbox THEN t.kind NOT IN (${SANDBOX_KINDS.map((kind) => `'${kind}'`).join(', ')}) ELSE t.kind = 'sandbox_credit' END`

export type MovementKind = keyof typeof MOVEMENTS
export type UserAccount = 'available' | 'held' | 'debt' | 'referral'

/** SQL for the subject of a transfer, as a number of `SUBJECTS`. */
export const SUBJECT = `num_nonnulls(activation_id, charge_id) + 10 * num_nonnulls(payment_id)
  + 100 * num_nonnulls(referral_share_id) + 1000 * num_nonnulls(referral_withdrawal_id) + 10000 * num_nonnulls(loyalty_reward_id)
  + 100000 * num_nonnulls(channel_reward_id)`
const SUBJECTS: Record<Subject, number> = {
  none: 0,
  order: 1,
  payment: 10,
  'referral-share': 100,
  'referral-withdrawal': 1000,
  'loyalty-reward': 10000,
  'channel-reward': 100000,
}
const subjectsOf = (of: Subject | readonly Subject[]) => [of].flat().map((subject) => SUBJECTS[subject])

const entries = Object.entries(MOVEMENTS)

export const KIND_ROWS = entries
  .flatMap(([kind, { from, to, of }]) => subjectsOf(of).map((subject) => `('${kind}', '${from}', '${to}', ${subject})`))
  .join(', ')

/** SQL for the branches of `CASE kind`, which are true if the transfer's accounts and subject fit its kind. */
export const KINDS_AS_CASES = entries
  .map(
    ([kind, { from, to, of }]) =>
      `WHEN '${kind}' THEN from_account = '${from}' AND to_account = '${to}' AND ${SUBJECT} IN (${subjectsOf(of).join(', ')})`,
  )
  .join(' ')

/**
 * SQL for the change that a transfer makes to one account of a user, by its kind only. Other checks must prove that the
 * transfer's accounts fit its kind.
 */
export function deltaByKind(account: UserAccount): string {
  const kinds = (side: 'from' | 'to') =>
    entries.filter(([, movement]) => movement[side] === account).map(([kind]) => `WHEN '${kind}' THEN`)
  return `CASE kind ${kinds('to')
    .map((when) => `${when} amount_micros`)
    .join(' ')} ${kinds('from')
    .map((when) => `${when} -amount_micros`)
    .join(' ')} ELSE 0 END`
}

export function kindsFrom(account: UserAccount): string {
  return entries.flatMap(([kind, { from }]) => (from === account ? [`'${kind}'`] : [])).join(', ')
}

export function kindsOf(account: UserAccount): string {
  return entries.flatMap(([kind, { from, to }]) => (from === account || to === account ? [`'${kind}'`] : [])).join(', ')
}

export const CREDITS = entries.flatMap(([kind, { from, to }]) =>
  to === 'available' && from !== 'held' ? [`'${kind}'`] : [],
)

export function changeOf(kind: MovementKind, account: UserAccount, micros: bigint): bigint {
  const { from, to } = MOVEMENTS[kind]
  if (to === account) return micros
  return from === account ? -micros : 0n
}
