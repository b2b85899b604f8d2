import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { fillBooks, openTestPool } from '#test/books/books.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { commands } from './commands.ts'

type Row = Record<string, unknown>

async function rowsOf(database: { connectionString: string }, ...argv: string[]): Promise<Row[]> {
  const { code, out, err } = await typed(database, ...argv, '--json')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]))
}

test('order:list finds by phone, buyer, state and time, page by page; numbers are masked unless asked for', async () => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  const stored = await pool.query<{ id: bigint; usd: boolean }>({
    text: `SELECT id, currency = 'usd' AS usd FROM activations ORDER BY id DESC`,
  })
  const newestFirst = stored.rows.map(({ id }) => Number(id))
  const list = (...argv: string[]) => rowsOf(pool, 'order:list', ...argv)
  const idsOf = (rows: Row[]) => rows.map(({ id }) => id)

  const first = await list('--limit', '5')
  const second = await list('--limit', '5', '--after', String(first.at(-1)?.id))
  expect(idsOf([...first, ...second])).toEqual(newestFirst.slice(0, 10))
  expect((await typed(pool, 'order:list', '--limit', '5')).out).toContain(
    `There may be more: --after ${newestFirst[4]}\n`,
  )
  expect(idsOf(await list('--user', 'usd@ringpost.test'))).toEqual(
    stored.rows.flatMap(({ id, usd }) => (usd ? [Number(id)] : [])),
  )
  expect(await list('--user', 'usd@ringpost.test', '--state', 'waiting')).toMatchObject([
    { kind: 'activation', state: 'waiting', price: '12.50', currency: 'usd', phone: '7700***0002', service_id: 'tg' },
  ])
  const open = (await list('--state', 'open')).map(({ state }) => state)
  expect(new Set(open)).toEqual(new Set(['reserving', 'waiting', 'received', 'waiting_again']))
  for (const [place, state] of [
    [2, 'waiting'],
    [6, 'cancelled'],
  ] as const) {
    expect(await list('--phone', `+7 700 100-000-${place}`)).toMatchObject([{ state, phone: `7700100000${place}` }])
  }
  expect(await list('--since', '2026-01-11')).toEqual([])
  expect(await list('--since', '2026-01-10')).toHaveLength(newestFirst.length)
  expect(await list('--service', 'wa')).toEqual([])
  expect((await list('--kind', 'rental', '--state', 'active')).length).toBeGreaterThan(0)
  expect((await typed(pool, 'order:list', '--service', 'wa')).out).toBe('There is none.\n')
  for (const wrong of [
    ['--limit', '0'],
    ['--after', 'x'],
    ['--since', 'yesterday'],
    ['--phone', '12'],
    ['--kind', 'x'],
  ]) {
    expect(await typed(pool, 'order:list', ...wrong)).toMatchObject({ code: 2 })
  }
})

async function prepareOrder(t: TestApp) {
  const refusing = await t.addFake('first')
  refusing.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  const supplier = await t.addFake('second')
  const buyer = await t.makeUser({ balance: '100.00', email: 'anna@example.test' })
  const bought = await buyOne(t, buyer)
  t.clock.advance(MINUTE)
  await pushSms(t, supplier, { phone: bought.phone, text: 'Telegram code: 24680' })
  return bought
}

test('order:show tells what happened to an order in time, attempts at other suppliers included, and no words of messages', async () => {
  await using t = await startTestApp()
  const { id, phone } = await prepareOrder(t)
  await typed(t.database, 'order:refund', String(id), ...WHY)
  const [shown] = await rowsOf(t.database, 'order:show', String(id))
  expect(shown).toMatchObject({
    id,
    phone,
    email: 'anna@example.test',
    state: 'finished',
    supplier: 'second',
    attempt: 2,
  })
  const timeline = shown?.timeline as { at: string; what: string; data: Row }[]
  expect(timeline.map(({ what }) => what)).toEqual(
    expect.arrayContaining([
      'activation.attempt-left',
      'activation.waiting',
      'money.hold',
      'message',
      'activation.received',
      'money.capture',
      'activation.refunded',
      'activation.finished',
      'money.refund',
      'staff.order:refund',
    ]),
  )
  expect(timeline.map(({ at }) => at)).toEqual(timeline.map(({ at }) => at).toSorted())
  expect(timeline.find(({ what }) => what === 'activation.attempt-left')?.data).toEqual({
    attempt: 1,
    supplier: 'first',
    unknown: false,
  })
  expect(timeline.find(({ what }) => what === 'money.capture')?.data).toMatchObject({ currency: 'rub' })
  const sentences = await typed(t.database, 'order:show', String(id))
  expect(sentences.out).toContain('staff.order:refund: by anna, audit 1, reason because')
  for (const told of [sentences.out, JSON.stringify(shown)]) expect(told).not.toContain('24680')
  expect(await typed(t.database, 'order:show', '5')).toMatchObject({ code: 1, err: 'There is no activation 5\n' })
  expect(await typed(t.database, 'order:show', 'rental:5')).toMatchObject({ code: 1, err: 'There is no rental 5\n' })
  expect(await typed(t.database, 'order:show', 'x')).toMatchObject({ code: 2 })
})

test('people, prices, numbers, countries, services and changes are listed with what is asked for at night', async () => {
  await using pool = await openTestPool()
  const { supplierId } = await fillBooks(pool)
  const list = (...argv: string[]) => rowsOf(pool, ...argv)
  await typed(pool, 'user:limit', 'rub@ringpost.test', '--open', '7', ...WHY)
  const [user] = await list('user:show', 'RUB@ringpost.test')
  expect(user).toMatchObject({
    id: 1,
    email: 'rub@ringpost.test',
    currency: 'rub',
    open_numbers_limit: '7',
    day_spend_limit: 'default',
    activations: expect.any(Number),
    blocked_at: null,
    two_factor: false,
    pauses: [],
  })
  expect(await list('user:show', '1')).toEqual([user])
  expect(JSON.stringify(user)).not.toContain('password')
  expect(await typed(pool, 'user:show', '99')).toMatchObject({ code: 1, err: 'There is no user 99\n' })

  await typed(pool, 'price:set', '--service', 'tg', '--price', '42', '--currency', 'rub', ...WHY)
  await typed(pool, 'price:set', '--margin', '45', ...WHY)
  expect(await list('price:list')).toMatchObject([
    { service_id: 'tg', country_id: null, price: '42.00', currency: 'rub', margin_percent: null },
    { service_id: null, country_id: null, price: null, margin_percent: 45 },
  ])
  expect(await list('price:list', '--service', 'tg')).toHaveLength(1)

  await pool.query({
    text: `INSERT INTO smpp_numbers (phone, supplier_id, country_id, operator, enabled)
      SELECT '7705000000' || n, $1, 2, 'altel', n <> 3 FROM generate_series(1, 4) n`,
    values: [supplierId],
  })
  const phones = async (...argv: string[]) => (await list('numbers:list', ...argv)).map(({ phone }) => phone)
  expect(await phones('--limit', '2')).toEqual(['77050000001', '77050000002'])
  expect(await phones('--after', '77050000002')).toEqual(['77050000003', '77050000004'])
  expect(await phones('--state', 'disabled')).toEqual(['77050000003'])
  expect(await phones('--phone', '77050000004')).toEqual(['77050000004'])
  expect(await phones('--state', 'sold')).toEqual([])

  expect(await list('country:list', '--search', 'KZ')).toMatchObject([{ id: 2, name_en: 'Kazakhstan', dial: '7' }])
  expect(await list('country:list', '--limit', '2', '--after', '1')).toMatchObject([{ id: 2 }, {}])
  await typed(pool, 'service:block', 'tg', ...WHY)
  expect(await list('service:list', '--blocked')).toMatchObject([{ id: 'tg', name_en: 'Telegram' }])
  const [, third] = await list('service:list', '--limit', '2')
  expect(await list('service:list', '--limit', '1', '--after', String(third?.id))).not.toMatchObject([third])

  expect((await list('audit:list')).map(({ command }) => command)).toEqual([
    'service:block',
    'price:set',
    'price:set',
    'user:limit',
  ])
  const [newest] = await list('audit:list', '--limit', '1')
  expect(newest).toMatchObject({ by: 'anna', subject: 'service:tg', reason: 'because' })
  expect(await list('audit:list', '--after', String(newest?.id), '--command', 'price:set')).toHaveLength(2)
  expect(await list('audit:list', '--subject', 'user:1')).toMatchObject([{ detail: { after: expect.any(String) } }])
  expect(await list('audit:list', '--by', 'boris')).toEqual([])
})

test('a list that is empty says so, and that of erased users can be given back', async () => {
  await using database = await createTestDatabase()
  await using folder = await temporaryFolder()
  const lists = commands.map(({ name }) => name).filter((name) => /:(?:list|erased|findings|silent)$/.test(name))
  expect(lists).toContain('notice:list')
  const said: Record<string, string> = {}
  for (const list of lists) said[list] = (await typed(database, list)).out
  expect(Object.entries(said).filter(([, out]) => out === '')).toEqual([])
  expect(said).toMatchObject({ 'notice:list': 'There is none.\n', 'user:erased': 'There is none.\n' })
  await writeFile(folder.path('erased.txt'), said['user:erased'] ?? '')
  expect(await typed(database, 'user:erase-again', folder.path('erased.txt'), ...WHY)).toMatchObject({
    code: 0,
    out: '',
  })
})
