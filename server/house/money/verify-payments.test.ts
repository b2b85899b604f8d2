import { expect, test } from 'vitest'
import { fillBooks, openTestPool } from '#test/books/books.ts'
import { fillChain } from '#test/books/books-chain.ts'
import { fillPayments } from '#test/books/books-payments.ts'
import { type Damage, expectFound } from '#test/books/damaged-books.ts'
import { checkBooks } from './verify.ts'

const CREDITED = 'what arrived for a payment was credited once, to the account that asked for it'
const ROUNDED = 'what arrived for a payment was rounded down to whole cents once, and nothing else was'
const STATE = 'the state of a payment fits what arrived for it'
const REVERSED =
  'what went back of a payment left its account once, with its share of bonus and fee, and came back where it failed'
const WITHIN = 'no more than what arrived was refunded, and no bonus was taken back that was not given'
const SHARES =
  'a payment has the share of its bonus for what is left of what was asked for, and bears the fee of what is left'
const CASH = 'money in by each gateway is the sum of its deposits, less what was refunded and lost in disputes'
const LOST = 'a deposit of a chain that is in no block any more is taken back, and one that is in a block is not'
const SUM = 'every account is the sum of its transfers'

const paymentIn = (state: string) => `(SELECT min(id) FROM payments WHERE state = '${state}')`

const damages: Damage[] = [
  {
    invariant: CREDITED,
    sql: `INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, payment_id, deposit_id, at)
      SELECT kind, user_id, from_account, to_account, amount_micros, currency, payment_id, deposit_id, at FROM transfers
      WHERE kind = 'topup' AND payment_id = ${paymentIn('paid')}`,
    says: /^payment \d+ of user 1: deposit \d+ of 500000000 rub has 2 credits of 1000000000 in all$/,
    also: [SUM, CASH],
  },
  {
    invariant: CREDITED,
    sql: `UPDATE transfers SET amount_micros = amount_micros + 1 WHERE kind = 'topup' AND payment_id = ${paymentIn('paid')}`,
    says: /^payment \d+ of user 1: deposit \d+ of 500000000 rub has 1 credits of 500000001 in all$/,
    also: [SUM, CASH],
  },
  {
    invariant: CREDITED,
    sql: `UPDATE transfers SET user_id = 2 WHERE kind = 'topup' AND payment_id = ${paymentIn('paid')}`,
    says: /^payment \d+ of user 1: deposit \d+ of 500000000 rub has 1 credits of 500000000 in all$/,
    also: ['every transfer is in the currency of its account'],
  },
  {
    invariant: CREDITED,
    sql: `UPDATE transfers SET deposit_id = NULL WHERE kind = 'topup' AND payment_id = ${paymentIn('paid')}`,
    says: /^payment \d+: 500000000 was credited without a deposit$/,
  },
  {
    invariant: ROUNDED,
    sql: `UPDATE deposits SET amount_micros = 500001234 WHERE rest_micros = 1234;
      UPDATE transfers SET amount_micros = 500001234 WHERE kind = 'topup'
        AND deposit_id = (SELECT id FROM deposits WHERE rest_micros = 1234)`,
    says: /^payment \d+: deposit \d+ of 500001234 was rounded by 0$/,
    also: [SUM],
  },
  {
    invariant: ROUNDED,
    sql: `UPDATE deposits SET rest_micros = -1 WHERE rest_micros = 1234`,
    says: /^payment \d+: deposits leave -1 in parts of a cent$/,
  },
  {
    invariant: ROUNDED,
    sql: `INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, payment_id, at)
      SELECT 'rounding', user_id, 'rounding', 'available', 8766, currency, payment_id, at FROM transfers
      WHERE kind = 'topup' AND payment_id = ${paymentIn('paid')}`,
    says: /^payment \d+: 8766 were rounded without a deposit$/,
    also: [SUM],
  },
  ...(
    [
      ['paid', 'pending', '500000000'],
      ['partial', 'paid', '200000000'],
      ['pending', 'partial', '0'],
      ['expired', 'disputed', '0'],
    ] as const
  ).map(([from, to, arrived]) => ({
    invariant: STATE,
    sql: `UPDATE payments SET state = '${to}', paid_at = created_at WHERE id = ${paymentIn(from)}`,
    says: new RegExp(`^payment \\d+ is ${to}: asked 500000000, arrived ${arrived}$`),
  })),
  {
    invariant: REVERSED,
    sql: `UPDATE reversals SET state = 'won' WHERE state = 'open'`,
    says: /^reversal \d+ of payment \d+ \(dispute won\) of 500000000 with a bonus of 50000000 and a fee of 5000000: its transfers say 500000000, 50000000, 5000000$/,
    also: [CASH],
  },
  {
    invariant: REVERSED,
    sql: `UPDATE reversals SET bonus_micros = 0 WHERE state = 'asked'`,
    says: /^reversal \d+ of payment \d+ \(refund asked\) of 500000000 with a bonus of 0 and a fee of 5000000: its transfers say 500000000, 50000000, 5000000$/,
  },
  {
    invariant: SHARES,
    sql: `UPDATE reversals SET bonus_micros = 0 WHERE state = 'asked';
      UPDATE transfers SET reversal_id = NULL WHERE kind = 'bonus_back' AND payment_id = ${paymentIn('refunded')}`,
    says: /^payment \d+: asked 500000000, arrived 500000000, left 0: of a bonus of 50000000 were taken back 0, of a fee of 5000000 given back 5000000$/,
  },
  {
    invariant: SHARES,
    sql: `UPDATE reversals SET fee_micros = fee_micros - 1 WHERE state = 'open';
      UPDATE transfers SET amount_micros = amount_micros - 1 WHERE kind = 'fee_back' AND payment_id = ${paymentIn('disputed')}`,
    says: /^payment \d+: asked 500000000, arrived 500000000, left 0: of a bonus of 50000000 were taken back 50000000, of a fee of 5000000 given back 4999999$/,
    also: [SUM],
  },
  {
    invariant: WITHIN,
    sql: `INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, payment_id, at)
      SELECT 'payment_refund', user_id, 'available', 'refunds', 1, currency, payment_id, at FROM transfers
      WHERE kind = 'payment_refund'`,
    says: /^payment \d+: arrived 500000000, refunded 500000001, bonus 50000000, taken back 50000000$/,
    also: [SUM, CASH],
  },
  {
    invariant: CASH,
    sql: `UPDATE deposits SET gateway_id = (SELECT max(id) FROM gateways), amount_micros = 70000 WHERE provider_id = 'deposit-paid'`,
    says: /^gateway \d+ in rub: the books say \d+, its payments \d+70000$/,
    also: [CREDITED],
  },
  {
    invariant: LOST,
    sql: `UPDATE chain_deposits SET lost_at = seen_at WHERE tx_hash = '0xkept'`,
    says: /^deposit \d+ of user 1 in 0xkept: lost, and not taken back$/,
  },
  {
    invariant: LOST,
    sql: `UPDATE chain_deposits SET lost_at = NULL WHERE tx_hash = '0xlost'`,
    says: /^deposit \d+ of user 1 in 0xlost: in a block, and taken back$/,
  },
  {
    invariant: SUM,
    sql: `UPDATE accounts SET debt_micros = 5 WHERE user_id = 1`,
    says: /^user 1: the account says available \d+, held \d+, debt 5; its transfers say available \d+, held \d+, debt 0$/,
    also: ['all accounts of a currency, those of the house included, add up to zero'],
  },
]

test('every way to break the books of payments is found, and said in words', async () => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  await fillPayments(pool, 1)
  await fillChain(pool)
  expect((await checkBooks(pool)).ok).toBe(true)
  await expectFound(pool, damages)
  expect((await checkBooks(pool)).ok).toBe(true)
})
