/** For what a transfer is: one activation or charge, one payment, or nothing. */
type Subject = 'order' | 'payment' | 'none'

/**
 * Every kind of transfer with its two accounts. A user has `available`, `held` and `debt`; the others are the house's.
 * The same as the constraint `transfers_kind`.
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
  bonus: { from: 'bonuses', to: 'available', of: 'payment' },
  voucher: { from: 'promotions', to: 'available', of: 'payment' },
  payment_refund: { from: 'available', to: 'refunds', of: 'payment' },
  payment_refund_failed: { from: 'refunds', to: 'available', of: 'payment' },
  dispute: { from: 'available', to: 'disputes', of: 'payment' },
  dispute_won: { from: 'disputes', to: 'available', of: 'payment' },
  bonus_back: { from: 'available', to: 'bonuses', of: 'payment' },
  debt: { from: 'debt', to: 'available', of: 'payment' },
  repayment: { from: 'available', to: 'debt', of: 'none' },
} as const satisfies Record<string, { from: string; to: string; of: Subject }>

export type MovementKind = keyof typeof MOVEMENTS
export type UserAccount = 'available' | 'held' | 'debt'

/** SQL: which subject a row of transfers has, as a number of `SUBJECTS`. */
export const SUBJECT = 'num_nonnulls(activation_id, charge_id) + 10 * num_nonnulls(payment_id)'
const SUBJECTS: Record<Subject, number> = { none: 0, order: 1, payment: 10 }

const entries = Object.entries(MOVEMENTS)

/** SQL: the rows of this table, to compare transfers with. */
export const KIND_ROWS = entries
  .map(([kind, { from, to, of }]) => `('${kind}', '${from}', '${to}', ${SUBJECTS[of]})`)
  .join(', ')

/** SQL, for `CASE kind`: whether the accounts and the subject are those of the kind. */
export const KINDS_AS_CASES = entries
  .map(
    ([kind, { from, to, of }]) =>
      `WHEN '${kind}' THEN from_account = '${from}' AND to_account = '${to}' AND ${SUBJECT} = ${SUBJECTS[of]}`,
  )
  .join(' ')

/** SQL: the change of one account, by the kind alone. Needs transfers whose accounts are those of their kind. */
export function deltaByKind(account: UserAccount): string {
  const kinds = (side: 'from' | 'to') =>
    entries.filter(([, movement]) => movement[side] === account).map(([kind]) => `WHEN '${kind}' THEN`)
  return `CASE kind ${kinds('to')
    .map((when) => `${when} amount_micros`)
    .join(' ')} ${kinds('from')
    .map((when) => `${when} -amount_micros`)
    .join(' ')} ELSE 0 END`
}

/** SQL: the kinds that move money from this account of a user. */
export function kindsFrom(account: UserAccount): string {
  return entries.flatMap(([kind, { from }]) => (from === account ? [`'${kind}'`] : [])).join(', ')
}

/** Those that bring money from outside. */
export const CREDITS = entries.flatMap(([kind, { from, to }]) =>
  to === 'available' && from !== 'held' ? [`'${kind}'`] : [],
)

/** Positive, negative or 0: what the movement adds to this account. */
export function changeOf(kind: MovementKind, account: UserAccount, micros: bigint): bigint {
  const { from, to } = MOVEMENTS[kind]
  if (to === account) return micros
  return from === account ? -micros : 0n
}
