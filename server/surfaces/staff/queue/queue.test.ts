import { expect, test } from 'vitest'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { makeStaff } from '#test/builders/staff.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestUser } from '#test/harness/harness.ts'
import { countRowsRead } from '#test/harness/rows-read.ts'
import { countQueue, listQueue } from '../queries/queue.ts'
import { readSearch } from './search-terms.ts'

const QUEUE = 'GET /api/v1/staff/tickets'
const OPEN = 'POST /api/v1/support/tickets'

test('staff find a ticket by phone, order, account, e-mail and words of the subject, and whole phones of nothing else', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const [anna, boris] = [
    await t.makeUser({ balance: '500.00', email: 'anna.k@example.test' }),
    await t.makeUser({ balance: '500.00', email: 'boris@example.test' }),
  ]
  const [support, operator] = [await makeStaff(t, 'support'), await makeStaff(t, 'operator')]
  const bought = await buyOne(t, anna)
  await pushSms(t, supplier, { phone: bought.phone })
  const other = await buyOne(t, anna)
  const rented = await rentOne(t, boris)
  const open = async (user: TestUser, change: object) =>
    (await call(t, OPEN, { category: 'number', subject: 'x', text: 'y', ...change }, user)).data.id
  const first = await open(anna, { subject: 'Код не пришёл', about: { kind: 'activation', id: String(bought.id) } })
  const second = await open(boris, { subject: 'Wrong sum 100%', about: { kind: 'rental', id: String(rented.id) } })
  const found = async (search: string) =>
    (await call(t, QUEUE, { state: 'all', search }, support)).tickets.data.map(({ id }) => id)

  const { phone } = bought
  const written = `+${phone.slice(0, 1)} (${phone.slice(1, 4)}) ${phone.slice(4, 7)}-${phone.slice(7)}`
  for (const search of [phone, `+${phone}`, written, `8${phone.slice(1)}`]) {
    expect({ search, found: await found(search) }).toEqual({ search, found: [first] })
  }
  expect(await found(String(bought.id))).toEqual([first])
  expect(await found(`+${rented.phone}`)).toEqual([second])
  expect(await found(String(rented.id))).toEqual([second])
  expect(await found(`#${boris.id}`)).toEqual([second])
  expect(await found(`#${first}`)).toEqual([first])
  for (const search of ['anna.k@example.test', 'ANNA.K@', 'anna.']) expect(await found(search)).toEqual([first])
  for (const search of ['КОД приш', 'пришёл']) expect(await found(search)).toEqual([first])
  expect(await found('sum 100')).toEqual([second])
  const nothing = [
    other.phone,
    String(other.id),
    phone.slice(0, -1),
    '%',
    '_',
    "' OR 1=1",
    '!!!',
    '<->',
    '+',
    '@',
    'key in text y',
  ]
  for (const search of nothing) expect({ search, found: await found(search) }).toEqual({ search, found: [] })
  for (const search of ['a & b | !', "it's", String.fromCodePoint(92).repeat(5)]) await found(search)

  // Only staff with the role operator see the supplier's code, and only for the number that the ticket is about.
  const card = async (staff: TestUser) =>
    (await call(t, 'GET /api/v1/staff/tickets/{id}', { id: first }, staff)).data.buyer.numbers.map(
      ({ id, supplier: code }) => [id, code],
    )
  expect(await card(support)).toEqual([
    [bought.id, null],
    [other.id, null],
  ])
  expect(await card(operator)).toEqual([
    [bought.id, 'fake'],
    [other.id, null],
  ])
})

test('no search reads all tickets, and the count of waiting ones is for staff alone', async () => {
  await using t = await startTestApp()
  const anna = await t.makeUser({ email: 'anna@example.test' })
  const staff = await makeStaff(t, 'support')
  const MANY = 3_000
  await t.ctx.db.query({
    text: `WITH people AS (
        INSERT INTO users (email, name, role, zone, locale, created_at)
        SELECT 'person' || n || '@example.test', '', 'user', 'ru', 'ru', now() FROM generate_series(1, 300) n RETURNING id
      ), numbered AS (SELECT id, row_number() OVER () AS place FROM people)
      INSERT INTO support_tickets (user_id, category, subject, waits_since, created_at, changed_at)
      SELECT id, 'other', 'Question number ' || n, now(), now(), now()
      FROM generate_series(1, $1) n JOIN numbered ON place = n % 300 + 1`,
    values: [MANY],
  })
  const { id } = (await call(t, OPEN, { category: 'other', subject: 'Sunflower', text: 'x' }, anna)).data
  await t.ctx.db.query({ text: 'ANALYZE support_tickets' })
  await t.ctx.db.query({ text: 'ANALYZE users' })
  const read = (search: string) =>
    countRowsRead(t.ctx.db, async (db) => {
      const wanted = { state: 'all' as const, category: null, takenBy: null, terms: readSearch(search) }
      await Promise.all([listQueue(db, { ...wanted, offset: 0, limit: 20 }), countQueue(db, wanted)])
    })
  for (const search of [
    String(id),
    `#${anna.id}`,
    'anna@example.test',
    '+7 705 123 45 67',
    'sunflower',
    'pi_1234567890',
  ]) {
    expect({ search, few: (await read(search)) < 200 }).toEqual({ search, few: true })
  }
  const waiting = 'GET /api/v1/staff/waiting'
  expect((await call(t, waiting, {}, staff)).waiting).toBe(1_000)
  expect((await refused(t, waiting, {}, anna)).status).toBe(404)
})
