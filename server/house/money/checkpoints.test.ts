import { expect, test } from 'vitest'
import { BOOKS_START, fillBooks, openTestPool } from '#test/books/books.ts'
import { typed } from '#test/harness/typed.ts'
import { adjustBalance } from './credit.ts'
import { verifyFromCheckpoint } from './verify.ts'

test('O-1: what was proved is not recounted, what came since is; a full check finds what was changed before it', async () => {
  await using pool = await openTestPool()
  const { buyers } = await fillBooks(pool)
  const userId = buyers[0] ?? 0
  const verify = (full = false) => verifyFromCheckpoint(pool, { full, now: BOOKS_START, told: () => undefined })
  const problems = async (full = false) => (await verify(full)).checks.flatMap((check) => check.problems)
  const first = await verify()
  expect({ ok: first.ok, from: first.from }).toEqual({ ok: true, from: null })

  await adjustBalance(pool, { userId, amountMicros: 5_000_000n, idempotencyKey: 'later', at: BOOKS_START })
  const second = await verify()
  expect(second).toMatchObject({ ok: true, from: { at: BOOKS_START } })
  const transfersOf = (report: typeof first) => report.checks.find(({ name }) => name.includes('known kind'))?.checked
  expect(transfersOf(second)).toBe(1)
  expect(transfersOf(first)).toBeGreaterThan(20)

  await pool.query({ text: `UPDATE accounts SET available_micros = available_micros + 1 WHERE user_id = ${userId}` })
  expect(await problems()).toContainEqual(expect.stringMatching(/^user \d+: the account says available/))
  await pool.query({ text: `UPDATE accounts SET available_micros = available_micros - 1 WHERE user_id = ${userId}` })
  await pool.query({
    text: `UPDATE activations SET sms_count = 9 WHERE state = 'finished' AND user_id = ${userId}`,
  })
  const named = expect.stringMatching(/^activation \d+: its money is captured, 9 messages are counted, 1 are stored$/)
  expect(await problems()).toEqual([])
  expect(await problems(true)).toContainEqual(named)
})

test('O-1: a transfer that is committed late is in no checkpoint before it', async () => {
  await using pool = await openTestPool()
  const { buyers } = await fillBooks(pool)
  const verify = () => verifyFromCheckpoint(pool, { full: false, now: BOOKS_START, told: () => undefined })
  const client = await pool.pg.connect()
  await client.query('BEGIN')
  await client.query(`UPDATE accounts SET available_micros = available_micros + 7 WHERE user_id = ${buyers[0]}`)
  await client.query(`INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, at)
    SELECT 'credit', user_id, 'adjustments', 'available', 7, currency, now() FROM accounts WHERE user_id = ${buyers[0]}`)
  const report = verify()
  await adjustBalance(pool, { userId: buyers[1] ?? 0, amountMicros: 1n, idempotencyKey: 'quick', at: BOOKS_START })
  await client.query('COMMIT')
  client.release()
  expect((await report).ok).toBe(true)
  expect(await verify()).toMatchObject({ ok: true, from: {} })
})

test('checkpoints cannot be changed, and one that was is told; the command says what it went on from', async () => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  expect((await typed(pool, 'ledger:verify')).out).toMatch(/The books are right\.\n$/)
  const again = await typed(pool, 'ledger:verify')
  expect(again.out).toMatch(
    /\nEverything through transfer \d+ was proved at .* and not recounted\.\nThe books are right\.\n$/,
  )
  expect((await typed(pool, 'ledger:verify', '--full')).out).not.toContain('not recounted')
  const change = { text: 'UPDATE ledger_checkpoints SET through_transfer = 1 WHERE id = 2' }
  await expect(pool.query(change)).rejects.toThrow('ledger_checkpoints is append-only')
  await pool.query({ text: 'ALTER TABLE ledger_checkpoints DISABLE TRIGGER ledger_checkpoints_append_only' })
  await pool.query(change)
  await pool.query({ text: 'ALTER TABLE ledger_checkpoints ENABLE TRIGGER ledger_checkpoints_append_only' })
  expect(await typed(pool, 'ledger:verify')).toMatchObject({
    code: 1,
    out: expect.stringContaining('checkpoint 2 is not what it was'),
  })
})
