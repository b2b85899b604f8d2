import { expect, test } from 'vitest'
import { addActivation, BOOKS_START, fillBooks, openTestPool } from '#test/books/books.ts'
import { fillPayments } from '#test/books/books-payments.ts'
import { fillBonus, fillChannelReward, fillLoyalty, fillPromotion } from '#test/books/books-programmes.ts'
import { type Damage, expectFound } from '#test/books/damaged-books.ts'
import { checkBooks, verifyFromCheckpoint } from './verify.ts'

const GIVEN = 'a loyalty reward was given once, to the account that topped up'
const RANK = 'a loyalty reward is the share of its rank, and of no more than was topped up in its period'
const PROMISED = 'the bonus of a payment is what its system and its rule promised'
const ONCE = 'a bonus rule gives an account one bonus, for a payment of its own that has arrived whole'
const APART = 'no top-up counts in two periods of loyalty'
const CHANNEL = 'a reward for the channel was given once, to its account'
const SUM = 'every account is the sum of its transfers'

const loyalty: Damage[] = [
  {
    invariant: GIVEN,
    sql: `INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, loyalty_reward_id, idempotency_key, at)
      SELECT kind, user_id, from_account, to_account, amount_micros, currency, loyalty_reward_id, 'again', at FROM transfers
      WHERE kind = 'loyalty'`,
    says: /^loyalty reward \d+ of user 1 is 144500000: its transfers say 289000000, 0 of them are of others or have no key$/,
    also: [SUM],
  },
  {
    invariant: GIVEN,
    sql: `UPDATE transfers SET idempotency_key = NULL WHERE kind = 'loyalty'`,
    says: /^loyalty reward \d+ of user 1 is 144500000: its transfers say 144500000, 1 of them are of others or have no key$/,
  },
  {
    invariant: GIVEN,
    sql: `UPDATE transfers SET user_id = 2 WHERE kind = 'loyalty'`,
    says: /^loyalty reward \d+ of user 1 is 144500000: its transfers say 144500000, 1 of them are of others or have no key$/,
    also: [SUM],
  },
  {
    invariant: RANK,
    sql: `UPDATE loyalty_rewards SET points = 400`,
    says: /^loyalty reward \d+ of user 1 is 144500000, by 400 hundredths of a per cent of 1700000000: its period says 850 of 2700000000 at most$/,
  },
  {
    invariant: RANK,
    sql: `UPDATE loyalty_ranks SET points = points + 1`,
    says: /^loyalty reward \d+ of user 1 is 144500000, by 850 hundredths of a per cent of 1700000000: its period says 851 of 2700000000 at most$/,
  },
  {
    invariant: RANK,
    sql: `UPDATE loyalty_rewards SET reward_micros = reward_micros + 10000`,
    says: /^loyalty reward \d+ of user 1 is 144510000, by 850 /,
    also: [GIVEN],
  },
  {
    invariant: RANK,
    sql: `UPDATE loyalty_periods SET begins_at = ends_at - interval '1 minute'`,
    says: /^loyalty reward \d+ of user 1 is 144500000, by 850 hundredths of a per cent of 1700000000: its period says 850 of 0 at most$/,
  },
  {
    invariant: APART,
    sql: `ALTER TABLE loyalty_periods DROP CONSTRAINT loyalty_periods_apart;
      INSERT INTO loyalty_periods (kind, time_zone, begins_at, ends_at)
        SELECT 'month', 'UTC', begins_at + interval '1 hour', ends_at + interval '30 days' FROM loyalty_periods`,
    says: /^loyalty periods \d+ and \d+ overlap$/,
  },
]

const GRANTED = '(SELECT payment_id FROM bonus_grants)'
const bonuses: Damage[] = [
  {
    invariant: PROMISED,
    sql: `UPDATE transfers SET amount_micros = amount_micros - 1 WHERE kind = 'bonus' AND payment_id = ${GRANTED}`,
    says: /^payment \d+ has a bonus of 99999999: its system promised 50000000, its rule gives 50000000 of the 50000000 it promised$/,
    also: [SUM],
  },
  {
    invariant: PROMISED,
    sql: `ALTER TABLE bonus_grants DISABLE TRIGGER bonus_grants_append_only;
      UPDATE bonus_grants SET amount_micros = 7`,
    says: /^payment \d+ has a bonus of 100000000: its system promised 50000000, its rule gives 7 of the 50000000 it promised$/,
  },
  {
    invariant: ONCE,
    sql: `ALTER TABLE bonus_grants DISABLE TRIGGER bonus_grants_append_only;
      UPDATE bonus_grants SET user_id = 2`,
    says: /^payment \d+ of user 1 has the bonus of rule 1 of user 2, and was promised that of rule 1: 1 have it, 500000000 of 500000000 arrived$/,
  },
  {
    invariant: ONCE,
    sql: `ALTER TABLE bonus_grants DROP CONSTRAINT bonus_grants_once;
      UPDATE payments SET bonus_rule_id = 1, rule_bonus_micros = 5 WHERE state = 'partial';
      INSERT INTO bonus_grants SELECT user_id, 1, id, 5, created_at FROM payments WHERE state = 'partial'`,
    says: /^payment \d+ of user 1 has the bonus of rule 1 of user 1, and was promised that of rule 1: 2 have it, 200000000 of 500000000 arrived$/,
  },
]

test('every way to break the books of bonus rules is found, and said in words', async () => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  await fillPayments(pool, 1)
  await fillBonus(pool, 1)
  await expectFound(pool, bonuses)
  expect((await checkBooks(pool)).ok).toBe(true)
})

test('every way to break the books of loyalty is found, and said in words', async () => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  await fillPayments(pool, 1)
  await fillLoyalty(pool, 1)
  await expectFound(pool, loyalty)
  expect((await checkBooks(pool)).ok).toBe(true)
})

const channel: Damage[] = [
  {
    invariant: CHANNEL,
    sql: `INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, channel_reward_id, idempotency_key, at)
      SELECT kind, user_id, from_account, to_account, amount_micros, currency, channel_reward_id, 'again', at FROM transfers
      WHERE kind = 'channel_reward'`,
    says: /^channel reward \d+ of user 1 is 25000000 rub: its transfers say 50000000 of 1$/,
    also: [SUM],
  },
  {
    invariant: CHANNEL,
    sql: `DELETE FROM transfers WHERE kind = 'channel_reward'`,
    says: /^channel reward \d+ of user 1 is 25000000 rub: its transfers say 0 of nobody$/,
    also: [SUM],
  },
  {
    invariant: CHANNEL,
    sql: 'UPDATE channel_rewards SET user_id = 2',
    says: /^channel reward \d+ of user 2 is 25000000 rub: its transfers say 25000000 of 1$/,
  },
]

test('every way to break the books of the reward for the channel is found, and said in words', async () => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  await fillChannelReward(pool, 1)
  expect((await checkBooks(pool)).ok).toBe(true)
  await expectFound(pool, channel)
  expect((await checkBooks(pool)).ok).toBe(true)
})

const BOOKED = 'what a sale of a promotion cost beyond its price is booked once, and taken back with its refund'
const WITHIN = 'a promotion has spent what its open sales may lose and its captured ones lost, within its limit'

const promotion: Damage[] = [
  {
    invariant: BOOKED,
    sql: `DELETE FROM transfers WHERE kind = 'promotion'`,
    says: /^activation \d+ is captured, refunded f, and lost 2000000 rub by promotion 1: 0 was booked, 0 taken back$/,
  },
  {
    invariant: BOOKED,
    sql: `UPDATE transfers SET amount_micros = 1 WHERE kind = 'promotion'`,
    says: /^activation \d+ is captured, refunded f, and lost 2000000 rub by promotion 1: 1 was booked, 0 taken back$/,
  },
  {
    invariant: BOOKED,
    sql: `INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
      SELECT 'refund', user_id, 'revenue', 'available', 7000000, currency, activation_id, at FROM transfers WHERE kind = 'promotion'`,
    says: /refunded t, and lost 2000000 rub by promotion 1: 2000000 was booked, 0 taken back$/,
  },
  {
    invariant: BOOKED,
    sql: `INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
      SELECT 'promotion', user_id, 'promotions', 'revenue', 5, currency, id, created_at FROM activations
      WHERE promotion_id IS NULL AND money = 'captured' LIMIT 1`,
    says: /^activation \d+ is captured, refunded f, and lost 0 (rub|usd) by promotion none: 5 was booked, 0 taken back$/,
  },
  {
    invariant: WITHIN,
    sql: 'UPDATE promotions SET spent_micros = 0',
    says: /^promotion 1 says 0 rub of 50000000 are spent, its sales say 5000000$/,
  },
]

test('every way to break the books of a promotion is found, and said in words', async () => {
  await using pool = await openTestPool()
  const { supplierId } = await fillBooks(pool)
  await fillPromotion(pool, { supplierId, userId: 1 })
  expect((await checkBooks(pool)).ok).toBe(true)
  await expectFound(pool, promotion)
  const told: string[] = []
  const check = {
    full: false,
    now: BOOKS_START,
    told: ({ name, wrong }: { name: string; wrong: number }) => {
      if (wrong > 0) told.push(name)
    },
  }
  expect((await verifyFromCheckpoint(pool, check)).ok).toBe(true)
  const sale = { supplierId, userId: 1, currency: 'rub', promotion: { id: 1, priceMicros: 7_000_000n } } as const
  await addActivation(pool, { ...sale, phone: '77093333333', ending: 'finished' })
  expect((await verifyFromCheckpoint(pool, check)).ok).toBe(true)
  expect(told).toEqual([])
})

test('from a checkpoint on, what programmes have given since is checked', async () => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  await fillPayments(pool, 1)
  const told: string[] = []
  const verify = () =>
    verifyFromCheckpoint(pool, {
      full: false,
      now: BOOKS_START,
      told: ({ name, wrong }) => {
        if (wrong > 0) told.push(name)
      },
    })
  expect(await verify()).toMatchObject({ ok: true, from: null })
  await fillBonus(pool, 1)
  await fillLoyalty(pool, 1)
  await fillChannelReward(pool, 1)
  expect(await verify()).toMatchObject({ ok: true, from: expect.anything() })
  await pool.query({ text: 'UPDATE loyalty_rewards SET points = points + 1' })
  expect((await checkBooks(pool)).ok).toBe(false)
  expect(told).toEqual([])
})
