import { expect, test } from 'vitest'
import { DAY } from '#contract/time.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { HOLDERS } from '#server/programs/cli/queries/lookups.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { auditOf, typed, WHY } from '#test/harness/typed.ts'

const dayOf = (t: TestApp, ms = 0) => new Date(t.clock.now().getTime() + ms).toISOString().slice(0, 10)

test('O-11: who had a number, when and from whom messages came; never their words, and each request is in the register', async () => {
  await using t = await startTestApp()
  const [anna, boris] = [await t.makeUser({ email: 'anna@example.test' }), await t.makeUser({ balance: '900.00' })]
  const supplier = await addRenting(t)
  const { id, phone } = await buyOne(t, anna)
  await pushSms(t, supplier, { phone, text: 'Telegram code: 48213' })
  const rented = await rentOne(t, boris)
  const look = (number: string, ...more: string[]) =>
    typed(t.database, 'abuse:lookup', number, '--from', dayOf(t, -DAY), '--to', dayOf(t, DAY), ...more)
  const said = await look(`+${phone}`, ...WHY)
  expect(said.out).toContain(`activation ${id}, tg, received: user ${anna.id}, anna@example.test`)
  expect(said.out).toContain(`a message from Telegram for activation ${id}`)
  expect(said.out).not.toContain('48213')
  expect((await look(rented.phone, ...WHY)).out).toContain(`rental ${rented.id}`)
  expect(await look(phone)).toMatchObject({ code: 2, out: '' })
  for (const form of [[], ['--json']]) {
    const { out } = await look(phone, '--dry-run', ...form, ...WHY)
    expect(out).not.toContain('anna@example.test')
    const unknown = await look('77059999999', '--dry-run', ...form, ...WHY)
    expect(out.replaceAll(phone, '')).toBe(unknown.out.replaceAll('77059999999', ''))
  }
  const audit = await auditOf(t.ctx.db)
  expect(audit.map(({ subject, reason, actor }) => [subject, reason, actor])).toEqual([
    [`phone:${phone}`, 'because', 'anna'],
    [`phone:${rented.phone}`, 'because', 'anna'],
  ])
  const { out } = await typed(t.database, 'abuse:list', '--json')
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { by: 'anna', phone: rented.phone, holders: 1, messages: 0 },
    { by: 'anna', phone, holders: 1, messages: 1, reason: 'because' },
  ])
})

test.each([
  ['no time', []],
  ['a time that ends before it begins', ['--from', '2026-02-01', '--to', '2026-01-01']],
  ['more than a year', ['--from', '2025-01-01', '--to', '2026-06-01']],
  ['a time that is none', ['--from', 'yesterday', '--to', '2026-01-01']],
])('%s is refused, and nothing is noted', async (_what, range) => {
  await using t = await startTestApp()
  expect(await typed(t.database, 'abuse:lookup', '77051234567', ...range, ...WHY)).toMatchObject({ code: 2, out: '' })
  expect(await auditOf(t.ctx.db)).toEqual([])
})

test('O-11: a number is looked up by its index, in activations and in rentals', async () => {
  await using t = await startTestApp()
  const { db } = t.ctx
  await t.addFake()
  await buyOne(t, await t.makeUser())
  await db.query({
    text: `INSERT INTO activations (user_id, service_code, country_id, state, money, price_micros, currency, supplier_id, attempt, phone,
        sms_count, channel, created_at, expires_at, ended_at, excluded_prefixes, senders_known)
      SELECT user_id, service_code, country_id, 'cancelled', 'released', price_micros, currency, supplier_id, attempt,
        (77060000000 + n)::text, 0, channel, created_at, expires_at, created_at, excluded_prefixes, senders_known
      FROM activations, generate_series(1, 5000) n`,
  })
  await db.query({ text: 'ANALYZE activations' })
  const range = { phone: '77060000042', from: new Date(0), to: t.clock.now(), limit: 10 }
  const explain = async (of: Db) => {
    const plan = await of.query<Record<string, string>>({ text: `EXPLAIN ${HOLDERS}`, values: range })
    return plan.rows.map((row) => Object.values(row)[0]).join('\n')
  }
  expect(await explain(db)).toMatch(/activations_(phone|number_ended)/)
  // Sequential scans are disabled, because the planner prefers them on the empty table of rentals.
  const forced = await transaction(db, async (tx) => {
    await tx.query({ text: 'SET LOCAL enable_seqscan = off' })
    return explain(tx)
  })
  expect(forced).toMatch(/rentals_(phone|number_ended)/)
})
