import { expect, test } from 'vitest'
import { insertSandbox } from '#server/core/catalog/offers/sandbox-queries.ts'
import { checkBooks, verifyFromCheckpoint } from '#server/house/money/verify.ts'
import { addActivation, BOOKS_START, fillBooks, openTestPool } from '#test/books/books.ts'
import { fillSandbox } from '#test/books/books-sandbox.ts'
import { type Damage, expectFound } from '#test/books/damaged-books.ts'
import { creditPlayMoney } from './play-money.ts'

const KINDS = 'play money is given to sandbox accounts alone, and moves there by purchases alone'
const ORDERS = 'an order of a sandbox account is of the supplier of the sandbox and by a sandbox key, and no other is'
const SHADOWS = 'the account of each shadow is a sandbox, in the currency of its owner, and no other account is'
const SUM = 'the play money that was given is what sandboxes have, hold and have spent, less what came back'
const OF_ACCOUNT = 'every account is the sum of its transfers'
const PLAY = '(SELECT user_id FROM accounts WHERE sandbox)'

const damages: Damage[] = [
  {
    invariant: KINDS,
    sql: `INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, at)
      VALUES ('sandbox_credit', 1, 'sandbox', 'available', 1, 'rub', now());
      UPDATE accounts SET available_micros = available_micros + 1 WHERE user_id = 1`,
    says: /^transfer \d+ of user 1 is a sandbox_credit, and the account is none of a sandbox$/,
  },
  {
    invariant: KINDS,
    sql: `INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, at)
      SELECT 'credit', user_id, 'adjustments', 'available', 1, 'rub', now() FROM accounts WHERE sandbox;
      UPDATE accounts SET available_micros = available_micros + 1 WHERE sandbox`,
    says: /^transfer \d+ of user 3 is a credit, and the account is a sandbox$/,
    also: [SUM],
  },
  {
    invariant: ORDERS,
    sql: `UPDATE activations SET supplier_id = (SELECT id FROM suppliers WHERE NOT sandbox) WHERE user_id = ${PLAY} AND state = 'waiting'`,
    says: /^activation \d+: the account of user 3 is play, supplier \d+ real, key none real$/,
  },
  {
    invariant: ORDERS,
    sql: `UPDATE activations SET supplier_id = (SELECT id FROM suppliers WHERE sandbox) WHERE user_id = 1 AND state = 'finished'`,
    says: /^activation \d+: the account of user 1 is real, supplier \d+ play, key none real$/,
  },
  {
    invariant: ORDERS,
    sql: `UPDATE rentals SET supplier_id = (SELECT id FROM suppliers WHERE sandbox)`,
    says: /^rental \d+: the account of user 1 is real, supplier \d+ play, key none real$/,
  },
  {
    invariant: ORDERS,
    sql: `INSERT INTO api_keys (id, user_id, key_hash, created_at, name, by_staff, scopes, addresses, sandbox) OVERRIDING SYSTEM VALUE
        VALUES (77, 1, '\\x01', now(), 'x', false, '{buy}', '{}', true);
      UPDATE activations SET api_key_id = 77 WHERE user_id = 1 AND state = 'finished'`,
    says: /^activation \d+: the account of user 1 is real, supplier \d+ real, key 77 play$/,
  },
  {
    invariant: ORDERS,
    sql: `UPDATE preorders SET user_id = ${PLAY}`,
    says: /^pre-order \d+ is of user 3, whose account is a sandbox$/,
  },
  {
    invariant: SHADOWS,
    sql: `UPDATE accounts SET sandbox = false WHERE sandbox`,
    says: /^user 3 is the shadow of user 1, and the account none in rub$/,
    also: [KINDS],
  },
  {
    invariant: SHADOWS,
    sql: `UPDATE accounts SET sandbox = true WHERE user_id = 2`,
    says: /^user 2 is no shadow, and the account a sandbox in usd$/,
  },
  {
    invariant: SHADOWS,
    sql: `UPDATE users SET sandbox_of = 2 WHERE sandbox_of = 1`,
    says: /^user 3 is the shadow of user 2, and the account a sandbox in rub$/,
  },
  {
    invariant: SUM,
    sql: `UPDATE accounts SET available_micros = available_micros + 7 WHERE sandbox`,
    says: /^rub: 10000000000 were given, sandboxes have and hold 9987500007, and have spent 12500000$/,
    also: [OF_ACCOUNT],
  },
]

test('17.6: every way in which the two worlds could touch is found, and said in words', async () => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  await fillSandbox(pool, 1)
  await expectFound(pool, damages)
})

test('17.6: what crosses is found where nobody has a sandbox key', async () => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  await insertSandbox(pool, BOOKS_START)
  const crossed = damages.filter(({ sql }) =>
    /^UPDATE (rentals|activations) SET supplier_id = \(SELECT id FROM suppliers WHERE sandbox/.test(sql),
  )
  expect(crossed).toHaveLength(2)
  await expectFound(pool, crossed)
  expect((await checkBooks(pool)).ok).toBe(true)
})

test('17.6: after a checkpoint too, what crosses is found', async () => {
  await using pool = await openTestPool()
  const { supplierId } = await fillBooks(pool)
  const userId = await fillSandbox(pool, 1)
  const check = { full: false, now: BOOKS_START, told: () => undefined }
  expect((await verifyFromCheckpoint(pool, { ...check, full: true })).ok).toBe(true)
  await creditPlayMoney(pool, { userId, now: BOOKS_START })
  expect(await verifyFromCheckpoint(pool, check)).toMatchObject({ ok: true })
  await addActivation(pool, { supplierId, userId, currency: 'rub', phone: '79990000001', ending: 'waiting' })
  const report = await verifyFromCheckpoint(pool, check)
  expect(report.checks.filter(({ wrong }) => wrong > 0).map(({ name }) => name)).toEqual([ORDERS])
  expect((await checkBooks(pool)).ok).toBe(false)
})
