import { expect, test } from 'vitest'
import { findAccount } from '#server/house/money/accounts.ts'
import { verifyLedger } from '#server/house/money/verify.ts'
import { BOOKS_ENDINGS, fillBooks, openTestPool } from '#test/books/books.ts'
import { BOOKS_RENTALS } from '#test/books/books-charges.ts'
import { auditOf, typed, WHY } from '#test/harness/typed.ts'

test('money is given once for a key, taken back, and never more than there is', async () => {
  await using pool = await openTestPool()
  const [userId = 0] = (await fillBooks(pool)).buyers
  const before = (await findAccount(pool, userId))?.availableMicros ?? 0n
  const credit = (amount: string, key: string) =>
    typed(pool, 'user:credit', 'RUB@ringpost.test', amount, '--key', key, ...WHY)

  expect(await credit('12.5', 'gift')).toMatchObject({
    code: 0,
    out: expect.stringContaining('12.50 rub, now available are'),
  })
  expect(await credit('12.50', 'gift')).toMatchObject({
    code: 0,
    out: expect.stringContaining('was used before, nothing moved'),
  })
  expect(await credit('13', 'gift')).toMatchObject({
    code: 1,
    err: 'This key was used for 12.50 rub: nothing moved, take another key\n',
  })
  expect(await credit('-2.5', 'back')).toMatchObject({ code: 0, out: expect.stringContaining('-2.50 rub') })
  expect(await credit('-1000', 'more')).toMatchObject({ code: 1, err: expect.stringContaining('nothing was taken') })

  expect((await findAccount(pool, userId))?.availableMicros).toBe(before + 10_000_000n)
  expect(await auditOf(pool)).toMatchObject([
    {
      actor: 'anna',
      command: 'user:credit',
      subject: `user:${userId}`,
      reason: 'because',
      detail: { amount: '12.50', key: 'gift' },
    },
    {
      actor: 'anna',
      command: 'user:credit',
      subject: `user:${userId}`,
      reason: 'because',
      detail: { amount: '-2.50', key: 'back' },
    },
  ])
  expect((await verifyLedger(pool)).ok).toBe(true)
})

test('twenty credits with one key at the same time give once', async () => {
  await using pool = await openTestPool()
  const [userId = 0] = (await fillBooks(pool)).buyers
  const before = (await findAccount(pool, userId))?.availableMicros ?? 0n
  const credit = () => typed(pool, 'user:credit', 'rub@ringpost.test', '1', '--key', 'k', ...WHY)
  const said = await Promise.all(Array.from({ length: 20 }, credit))
  expect(said.filter(({ out }) => out.includes('now available are'))).toHaveLength(1)
  expect((await findAccount(pool, userId))?.availableMicros).toBe(before + 1_000_000n)
  expect(await auditOf(pool)).toHaveLength(1)
})

test('a captured activation is refunded once; one that is not captured never', async () => {
  await using pool = await openTestPool()
  const { buyers, ids } = await fillBooks(pool)
  const of = (ending: (typeof BOOKS_ENDINGS)[number]) => String(ids[2 * BOOKS_ENDINGS.indexOf(ending)])
  const [userId = 0] = buyers
  const before = (await findAccount(pool, userId))?.availableMicros ?? 0n
  const refund = (id: string) => typed(pool, 'order:refund', id, ...WHY)

  expect(await refund(of('finished'))).toMatchObject({ code: 0, out: expect.stringContaining('Refunded 12.50 rub') })
  expect(await refund(of('finished'))).toMatchObject({ code: 1, err: expect.stringContaining('was refunded before') })
  for (const ending of ['waiting', 'reserving', 'cancelled', 'used', 'expired', 'failed'] as const) {
    expect(await refund(of(ending)), ending).toMatchObject({
      code: 1,
      err: expect.stringContaining('Nothing was taken'),
    })
  }
  expect(await refund('1')).toMatchObject({ code: 1, err: 'There is no activation 1\n' })

  const said = await Promise.all(Array.from({ length: 10 }, () => refund(of('received'))))
  expect(said.filter(({ code }) => code === 0)).toHaveLength(1)
  expect((await findAccount(pool, userId))?.availableMicros).toBe(before + 25_000_000n)
  expect(await auditOf(pool)).toHaveLength(2)
  expect((await verifyLedger(pool)).ok).toBe(true)
})

test('a rental is refunded with its extensions, or charge by charge, each once; what is held or went back never', async () => {
  await using pool = await openTestPool()
  const { buyers, rentals } = await fillBooks(pool)
  const of = (ending: (typeof BOOKS_RENTALS)[number]) => `rental:${rentals[BOOKS_RENTALS.indexOf(ending)]}`
  const [userId = 0] = buyers
  const before = (await findAccount(pool, userId))?.availableMicros ?? 0n
  const refund = (order: string) => typed(pool, 'order:refund', order, ...WHY)

  const extended = await refund(of('extended'))
  expect(extended).toMatchObject({ code: 0, out: expect.stringContaining('Refunded 17.00 rub for rental') })
  expect(await refund(of('extended'))).toMatchObject({ code: 1, err: expect.stringContaining('was refunded before') })
  const { rows } = await pool.query<{ id: bigint }>({
    text: `SELECT c.id FROM charges c JOIN rentals r ON r.id = c.rental_id WHERE r.state = 'expired'`,
  })
  const charge = `charge:${rows[0]?.id}`
  const said = await Promise.all(Array.from({ length: 6 }, () => refund(charge)))
  expect(said.filter(({ code }) => code === 0)).toHaveLength(1)
  expect(await refund(of('expired'))).toMatchObject({ code: 1, err: expect.stringContaining('was refunded before') })
  for (const ending of ['reserving', 'failed', 'active', 'cancelled', 'revoked', 'extending'] as const) {
    expect(await refund(of(ending)), ending).toMatchObject({
      code: 1,
      err: expect.stringContaining('Nothing was taken'),
    })
  }
  expect(await refund('rental:1')).toMatchObject({ code: 1, err: 'There is no rental 1\n' })
  expect(await refund('charge:999')).toMatchObject({ code: 1, err: 'There is no charge 999\n' })
  expect((await findAccount(pool, userId))?.availableMicros).toBe(before + 25_000_000n)
  expect(await auditOf(pool)).toMatchObject([
    {
      subject: of('extended'),
      detail: { userId, amount: '17.00', currency: 'rub', charges: [expect.any(Number), expect.any(Number)] },
    },
    { subject: charge, detail: { userId, amount: '8.00', charges: [Number(rows[0]?.id)] } },
  ])
  const events = await pool.query({ text: `SELECT subject_id FROM events WHERE kind = 'rental.refunded' ORDER BY id` })
  expect(events.rowCount).toBe(2)
  expect((await verifyLedger(pool)).ok).toBe(true)
})

test('ledger:verify says what it checked, and fails on wrong books', async () => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  const right = await typed(pool, 'ledger:verify')
  expect(right).toMatchObject({ code: 0, err: '' })
  expect(right.out).toMatch(/^ok {5}every account is the sum of its transfers \(2 checked\)$/m)
  expect(right.out).toMatch(/The books are right\.\n$/)
  await pool.query({ text: 'UPDATE accounts SET available_micros = available_micros + 1 WHERE user_id = 1' })
  const wrong = await typed(pool, 'ledger:verify')
  expect(wrong.code).toBe(1)
  expect(wrong.out).toMatch(
    /^WRONG {2}every account is the sum of its transfers \(1 wrong, 2 checked\)\n {9}user 1: the account says/m,
  )
})
