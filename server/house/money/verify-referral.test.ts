import { expect, test } from 'vitest'
import { BOOKS_START, fillBooks, openTestPool } from '#test/books/books.ts'
import { fillReferral } from '#test/books/books-referral.ts'
import { type Damage, expectFound } from '#test/books/damaged-books.ts'
import { checkBooks, verifyFromCheckpoint } from './verify.ts'

const SUM = 'every account is the sum of its transfers'
const GIVEN = 'what was given for a share is what it is worth once it is available, and moved as often as it says'
const REAL = 'a share is of what an invited person paid, for the one who invited them'
const INVITED = 'what an invited person has brought is the sum of the shares'
const ONCE = 'a withdrawal of referral money left its account once, and came back where it was refused'

const withdrawalIn = (state: string) =>
  `(SELECT min(id) FROM referral_withdrawals WHERE state = '${state}' AND target = 'address')`

const damages: Damage[] = [
  {
    invariant: SUM,
    sql: 'UPDATE accounts SET referral_micros = referral_micros + 5 WHERE user_id = 3',
    says: /^user 3: the account says available \d+, held 0, debt 0, referral \d+; its transfers say .* referral \d+$/,
    also: ['all accounts of a currency, those of the house included, add up to zero'],
  },
  {
    invariant: 'no account was negative after any of its transfers',
    sql: `INSERT INTO transfers (id, kind, user_id, from_account, to_account, amount_micros, currency, referral_withdrawal_id, at)
      OVERRIDING SYSTEM VALUE SELECT -1, 'referral_withdrawal', user_id, 'referral', 'available', amount_micros, currency,
        referral_withdrawal_id, at FROM transfers WHERE referral_withdrawal_id = ${withdrawalIn('asked')}`,
    says: /^user 3: after transfer -1 available is 100000, held is 0, referral -100000$/,
    also: [SUM, ONCE],
  },
  {
    invariant: GIVEN,
    sql: `INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, referral_share_id, at)
      SELECT kind, user_id, from_account, to_account, amount_micros, currency, referral_share_id, at FROM transfers
      WHERE kind = 'referral' LIMIT 1`,
    says: /^share \d+ of user 3 \(available\): worth at most 1250000, due 1250000, given 1250000, its transfers say 2500000$/,
    also: [SUM],
  },
  {
    invariant: GIVEN,
    sql: 'UPDATE referral_shares SET back_micros = gross_micros',
    says: /^share \d+ of user 3 \(available\): worth at most 0, due 1250000, given 1250000, its transfers say 1250000$/,
  },
  {
    invariant: GIVEN,
    sql: 'UPDATE referral_shares SET due_micros = 1, given_micros = 1',
    says: /^share \d+ of user 3 \(available\): worth at most 1250000, due 1, given 1, its transfers say 1250000$/,
    also: [INVITED],
  },
  {
    invariant: REAL,
    sql: 'UPDATE users SET referrer_id = NULL',
    says: /^share \d+ of user 3 for user 1, whom user nobody invited: counted 12500000 rub, paid by user 1 12500000 rub$/,
  },
  {
    invariant: REAL,
    sql: 'UPDATE referral_shares SET gross_micros = gross_micros + 1 WHERE activation_id IS NOT NULL',
    says: /^share \d+ of user 3 for user 1, whom user 3 invited: counted 12500001 rub, paid by user 1 12500000 rub$/,
  },
  {
    invariant: INVITED,
    sql: 'UPDATE referral_invitations SET due_micros = 0',
    says: /^invited user 1: due 0, the shares say \d+$/,
  },
  {
    invariant: ONCE,
    sql: `UPDATE referral_withdrawals SET state = 'refused' WHERE state = 'asked'`,
    says: /^withdrawal \d+ of user 3 \(address refused\) of 100000: its transfers say to the balance 0, paid out 100000, back 0$/,
  },
  {
    invariant: ONCE,
    sql: 'UPDATE referral_withdrawals SET amount_micros = 7',
    says: /^withdrawal \d+ of user 3 \(balance paid\) of 7: its transfers say to the balance 100000, paid out 0, back 0$/,
  },
]

test('every way to break the books of referrals is found, and said in words', async () => {
  await using pool = await openTestPool()
  const { buyers } = await fillBooks(pool)
  expect((await fillReferral(pool, buyers[0] ?? 0)).referrerId).toBe(3)
  await expectFound(pool, damages)
  expect((await checkBooks(pool)).ok).toBe(true)
})

test('a checkpoint of before there was referral money is gone on from, and so is one of after', async () => {
  await using pool = await openTestPool()
  const { buyers } = await fillBooks(pool)
  const verify = () => verifyFromCheckpoint(pool, { full: false, now: BOOKS_START, told: () => undefined })
  await verify()
  await fillReferral(pool, buyers[0] ?? 0)
  expect(await verify()).toMatchObject({ ok: true, from: { at: BOOKS_START } })
  expect(await verify()).toMatchObject({ ok: true, from: { at: BOOKS_START } })
  await pool.query({
    text: `UPDATE accounts SET referral_micros = referral_micros - 1, available_micros = available_micros + 1 WHERE user_id = 3`,
  })
  expect((await verify()).ok).toBe(false)
})
