import { expect, test } from 'vitest'
import { fillBooks, openTestPool } from '#test/books/books.ts'
import { fillPayments } from '#test/books/books-payments.ts'
import { fillLoyalty } from '#test/books/books-programmes.ts'
import { type Damage, expectFound } from '#test/books/damaged-books.ts'
import { checkBooks } from './verify.ts'

const GIVEN = 'a loyalty reward was given once, to the account that topped up'
const RANK = 'a loyalty reward is the share of its rank, and of no more than was topped up in its period'
const APART = 'no top-up counts in two periods of loyalty'
const SUM = 'every account is the sum of its transfers'

const loyalty: Damage[] = [
  {
    invariant: GIVEN,
    sql: `INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, loyalty_reward_id, idempotency_key, at)
      SELECT kind, user_id, from_account, to_account, amount_micros, currency, loyalty_reward_id, 'again', at FROM transfers
      WHERE kind = 'loyalty'`,
    says: /^loyalty reward \d+ of user 1 is 102000000: its transfers say 204000000, 0 of them are of others or have no key$/,
    also: [SUM],
  },
  {
    invariant: GIVEN,
    sql: `UPDATE transfers SET idempotency_key = NULL WHERE kind = 'loyalty'`,
    says: /^loyalty reward \d+ of user 1 is 102000000: its transfers say 102000000, 1 of them are of others or have no key$/,
  },
  {
    invariant: GIVEN,
    sql: `UPDATE transfers SET user_id = 2 WHERE kind = 'loyalty'`,
    says: /^loyalty reward \d+ of user 1 is 102000000: its transfers say 102000000, 1 of them are of others or have no key$/,
    also: [SUM],
  },
  {
    invariant: RANK,
    sql: `UPDATE loyalty_rewards SET points = 400`,
    says: /^loyalty reward \d+ of user 1 is 102000000, by 400 hundredths of a per cent of 1200000000: its period says 850 of 2200000000 at most$/,
  },
  {
    invariant: RANK,
    sql: `UPDATE loyalty_ranks SET points = points + 1`,
    says: /^loyalty reward \d+ of user 1 is 102000000, by 850 hundredths of a per cent of 1200000000: its period says 851 of 2200000000 at most$/,
  },
  {
    invariant: RANK,
    sql: `UPDATE loyalty_rewards SET reward_micros = reward_micros + 10000`,
    says: /^loyalty reward \d+ of user 1 is 102010000, by 850 /,
    also: [GIVEN],
  },
  {
    invariant: RANK,
    sql: `UPDATE loyalty_periods SET begins_at = ends_at - interval '1 minute'`,
    says: /^loyalty reward \d+ of user 1 is 102000000, by 850 hundredths of a per cent of 1200000000: its period says 850 of 0 at most$/,
  },
  {
    invariant: APART,
    sql: `ALTER TABLE loyalty_periods DROP CONSTRAINT loyalty_periods_apart;
      INSERT INTO loyalty_periods (kind, time_zone, begins_at, ends_at)
        SELECT 'month', 'UTC', begins_at + interval '1 hour', ends_at + interval '30 days' FROM loyalty_periods`,
    says: /^loyalty periods \d+ and \d+ overlap$/,
  },
]

test('every way to break the books of loyalty is found, and said in words', async () => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  await fillPayments(pool, 1)
  await fillLoyalty(pool, 1)
  await expectFound(pool, loyalty)
  // Each was undone.
  expect((await checkBooks(pool)).ok).toBe(true)
})
