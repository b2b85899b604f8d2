import { expect, test } from 'vitest'
import { BOOKS_ENDINGS, BOOKS_START, fillBooks, openTestPool } from '#test/books/books.ts'
import { fillChain } from '#test/books/books-chain.ts'
import { BOOKS_RENTALS } from '#test/books/books-charges.ts'
import { fillPayments } from '#test/books/books-payments.ts'
import { fillBonus, fillChannelReward, fillLoyalty, fillPromotion } from '#test/books/books-programmes.ts'
import { fillReferral } from '#test/books/books-referral.ts'
import { fillSandbox } from '#test/books/books-sandbox.ts'

import { type Damage, expectFound, takeOffGuards } from '#test/books/damaged-books.ts'
import { adjustBalance } from './credit.ts'
import { INVARIANTS } from './invariants.ts'
import { refundActivation } from './refund.ts'
import { refundCharges } from './refund-charges.ts'
import { verifyLedger } from './verify.ts'

test('books with an activation, a rental and a pre-order in every state, credits, debits and refunds are right', async () => {
  await using pool = await openTestPool()
  const { buyers, ids, rentals, supplierId } = await fillBooks(pool)
  const userId = buyers[0] ?? 0
  await adjustBalance(pool, { userId, amountMicros: -1_000_000n, idempotencyKey: 'debit', at: BOOKS_START })
  const finished = ids[2 * BOOKS_ENDINGS.indexOf('finished')] ?? 0n
  const refund = await refundActivation(pool, { activationId: finished, at: BOOKS_START })
  expect(refund.outcome).toBe('refunded')
  const rental = rentals[BOOKS_RENTALS.indexOf('extended')] ?? 0n
  expect(await refundCharges(pool, { of: { rentalId: rental }, at: BOOKS_START })).toMatchObject({
    outcome: 'refunded',
  })

  await fillPayments(pool, userId)
  await fillChain(pool)
  await fillReferral(pool, userId)
  await fillBonus(pool, userId)
  await fillLoyalty(pool, userId)
  await fillChannelReward(pool, userId)
  await fillPromotion(pool, { supplierId, userId })
  await fillSandbox(pool, userId)

  const report = await verifyLedger(pool)

  expect(report.checks.flatMap((check) => check.problems)).toEqual([])
  expect(report.ok).toBe(true)
  expect(report.checks.map((check) => check.name)).toEqual(INVARIANTS.map((invariant) => invariant.name))
  for (const check of report.checks) expect(check.checked, check.name).toBeGreaterThan(0)
})

test('an empty database has right books', async () => {
  await using pool = await openTestPool()
  expect((await verifyLedger(pool)).ok).toBe(true)
})

const damages: Damage[] = [
  {
    invariant: 'every account is the sum of its transfers',
    sql: `UPDATE accounts SET available_micros = available_micros + 1 WHERE user_id = 1`,
    says: /^user 1: the account says available \d+, held \d+, debt 0; its transfers say/,
    also: ['all accounts of a currency, those of the house included, add up to zero'],
  },
  {
    invariant: 'all accounts of a currency, those of the house included, add up to zero',
    sql: `UPDATE accounts SET available_micros = available_micros - 5 WHERE user_id = 2`,
    says: /^usd: all accounts add up to -5$/,
    also: ['every account is the sum of its transfers'],
  },
  {
    invariant: 'no account is negative',
    sql: `UPDATE accounts SET available_micros = -1 WHERE user_id = 1`,
    says: /^user 1: available -1, held/,
  },
  {
    invariant: 'no account was negative after any of its transfers',
    sql: `UPDATE transfers SET id = id + 1000 WHERE kind = 'credit' AND user_id = 1`,
    says: /^user 1: after transfer \d+ available is -12500000, held is 12500000$/,
  },
  {
    invariant: 'no account was negative after any of its transfers',
    sql: `UPDATE transfers SET id = id + 1000 WHERE kind = 'credit' AND user_id = 1;
      UPDATE transfers SET amount_micros = amount_micros - 1000000
        WHERE id = (SELECT min(id) FROM transfers WHERE kind = 'credit' AND user_id = 1);
      INSERT INTO transfers (id, kind, user_id, from_account, to_account, amount_micros, currency, idempotency_key, at)
        OVERRIDING SYSTEM VALUE VALUES (1, 'credit', 1, 'adjustments', 'available', 1000000, 'rub', 'early', now())`,
    says: /^user 1: after transfer \d+ available is -11500000, held is 12500000$/,
  },
  {
    invariant: 'what a user has held is the price of his activations and charges whose money is held',
    sql: `UPDATE activations SET money = 'held' WHERE state = 'finished' AND user_id = 1`,
    says: /^user 1: held is 89000000, what he has open costs 108500000$/,
  },
  {
    invariant:
      'every transfer is of a known kind, between the accounts of that kind, above zero, for one thing or by hand',
    sql: `UPDATE transfers SET kind = 'debit' WHERE kind = 'credit' AND user_id = 1`,
    says: /^transfer \d+: debit of 500000000 from adjustments to available, activation none, charge none, payment none$/,
  },
  {
    invariant: 'every transfer is in the currency of its account',
    sql: `UPDATE accounts SET currency = 'usd' WHERE user_id = 1`,
    says: /^transfer \d+ of user 1 is in rub, the account in usd$/,
  },
  {
    invariant: 'an activation is held once, settled at most once and refunded at most once',
    sql: `INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
      SELECT 'capture', user_id, 'held', 'revenue', price_micros, currency, id, created_at FROM activations WHERE state = 'cancelled' AND user_id = 1`,
    says: /^activation \d+: 1 holds, 1 captures, 1 releases, 0 refunds$/,
    also: ['every account is the sum of its transfers'],
  },
  {
    invariant: 'an activation holds its own price, of its buyer, in its currency',
    sql: `UPDATE activations SET price_micros = 1 WHERE state = 'finished' AND user_id = 1`,
    says: /^activation \d+ of user 1 costs 1 rub, but its hold is (12500000|7000000) rub of user 1$/,
  },
  {
    invariant:
      'captured means one capture of an activation, released one release, held neither; each of the price, to its buyer',
    sql: `UPDATE transfers SET kind = 'capture', to_account = 'revenue'
      WHERE kind = 'release' AND user_id = 1 AND activation_id = (SELECT id FROM activations WHERE state = 'cancelled' AND user_id = 1)`,
    says: /^activation \d+ of user 1 costs 12500000 rub and is released, but its settlement is capture of 12500000 rub of user 1$/,
  },
  {
    invariant:
      'captured means one capture of an activation, released one release, held neither; each of the price, to its buyer',
    sql: `DELETE FROM transfers WHERE kind = 'release' AND user_id = 2`,
    says: /but its settlement is missing of/,
  },
  {
    invariant: 'the money of an activation is held before it is settled, and captured before it is refunded',
    sql: `UPDATE transfers SET id = id + 1000 WHERE kind = 'hold' AND user_id = 1`,
    says: /^activation \d+: transfer \d+ \((capture|release)\) is not after transfer \d+ \(hold\)$/,
  },
  {
    invariant: 'only an activation that was captured is refunded, to its buyer, never more than its price',
    sql: `INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
      SELECT 'refund', user_id, 'revenue', 'available', 1, currency, id, created_at FROM activations WHERE state = 'expired' AND user_id = 1`,
    says: /^activation \d+ of user 1 is released for 12500000 rub, but 1 rub was refunded to user 1$/,
  },
  {
    invariant: 'where the money is fits the state of the activation',
    sql: `UPDATE activations SET state = 'cancelled' WHERE state = 'finished' AND user_id = 1`,
    says: /^activation \d+ is cancelled, its money captured$/,
  },
  {
    invariant: 'a message was given exactly where the money was captured',
    sql: `UPDATE messages SET activation_id = (SELECT id FROM activations WHERE state = 'cancelled' AND user_id = 1) WHERE id = 1`,
    says: /^activation \d+: its money is released, 0 messages are counted, 1 are stored$/,
  },
  {
    invariant: 'a number that had a code is not for sale again for that service',
    sql: `DELETE FROM burnt_numbers WHERE phone = ANY (SELECT phone FROM activations WHERE state = 'finished' AND user_id = 1)`,
    says: /^activation \d+ is finished, but \d+ can be sold again for tg$/,
  },
  {
    invariant:
      'an activation ended as used by a report of its number, which is not for sale where the report bars it for all',
    sql: `DELETE FROM burnt_numbers WHERE phone = (SELECT phone FROM activations WHERE state = 'used' AND user_id = 1)`,
    says: /^activation \d+ was reported as used for all, but \d+ can be sold again for tg$/,
  },
  {
    invariant:
      'an activation ended as used by a report of its number, which is not for sale where the report bars it for all',
    sql: `DELETE FROM used_reports WHERE user_id = 1`,
    says: /^activation \d+ is used, but nobody reported it$/,
  },
  {
    invariant:
      'an activation ended as used by a report of its number, which is not for sale where the report bars it for all',
    sql: `UPDATE used_reports SET user_id = 2 WHERE user_id = 1`,
    says: /^activation \d+ of user 1 is used with \d+ for tg, but user 2 reported \d+ as used for tg$/,
  },
  {
    invariant:
      'a number is held by several only for services of different families that their messages name for certain',
    sql: `UPDATE activations SET family = 'other', senders_known = false, phone = (SELECT min(phone) FROM activations
      WHERE state = 'waiting' AND user_id = 1) WHERE id = (SELECT min(id) FROM activations WHERE state = 'waiting_again' AND user_id = 1)`,
    says: /^activations \d+ and \d+ have \d+ together, for tg and tg$/,
  },
  {
    invariant: 'a number is bought once more only by the one who paid for it, for the same service',
    sql: `UPDATE activations SET phone = '1' WHERE repeat_of IS NOT NULL`,
    says: /^activation \d+ of user 1 has 1 for tg, as a repeat of activation \d+: 78009999999 of user 1 for tg, captured$/,
  },
]

test('every way to break the books is found, and said in words', async () => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  await expectFound(pool, damages)
})

test('damage is described in at most twenty lines, and counted in full', async () => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  await takeOffGuards(pool)
  await pool.query({ text: `UPDATE transfers SET currency = CASE currency WHEN 'usd' THEN 'rub' ELSE 'usd' END` })

  const report = await verifyLedger(pool)

  const check = report.checks.find(({ name }) => name === 'every transfer is in the currency of its account')
  expect(check?.wrong).toBe(check?.checked)
  expect(check?.wrong).toBeGreaterThan(20)
  expect(check?.problems).toHaveLength(20)
})

test.each([
  ['ALTER TABLE transfers DISABLE TRIGGER transfers_append_only', 'the trigger transfers_append_only on transfers'],
  ['DROP TRIGGER audit_log_append_only ON audit_log', 'the trigger audit_log_append_only on audit_log'],
  ['DROP INDEX transfers_activation_once', 'the index transfers_activation_once on transfers'],
  ['DROP INDEX charges_one_preorder', 'the index charges_one_preorder on charges'],
  ['ALTER TABLE accounts DROP CONSTRAINT accounts_fit', 'the constraint accounts_fit on accounts'],
])('a guard that is gone is found: %s', async (sql, subject) => {
  await using pool = await openTestPool()
  await pool.query({ text: sql })
  const report = await verifyLedger(pool)
  const problems = report.checks.flatMap((check) => check.problems)
  expect(problems).toEqual([`${subject} is missing or not in force`])
})

test('a sequence that would give a number out again is found', async () => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  await pool.query({ text: `SELECT setval('transfers_id_seq', 3)` })
  const report = await verifyLedger(pool)
  expect(report.checks.flatMap((check) => check.problems)).toEqual([
    expect.stringMatching(/^transfers: the newest row is \d+, the sequence stands at 3$/),
  ])
})
