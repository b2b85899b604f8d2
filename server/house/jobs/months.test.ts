import { expect, test, vi } from 'vitest'
import { DAY } from '#contract/time.ts'
import { listHappenings } from '#server/core/numbers/listing/queries/happenings.ts'
import { openConnection } from '#server/house/db/own-connection.ts'
import { buyOne, count, expectBooksRight } from '#test/builders/activation-rows.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { cleanUp } from './clean-up.ts'

const KEPT_DAYS = 4 * 366

/** Returns the end of the part that the migration made. It depends on the day of the test. */
async function firstEnd(t: TestApp): Promise<Date> {
  const { rows } = await t.ctx.db.query<{ end: Date }>({
    text: `SELECT substring(pg_get_expr(relpartbound, oid) FROM $$TO \\('([^']+)$$)::timestamptz AS end
      FROM pg_class WHERE relname = 'events_first'`,
  })
  return rows[0]?.end ?? new Date(Number.NaN)
}

async function partsOf(t: TestApp): Promise<string[]> {
  const { rows } = await t.ctx.db.query<{ name: string }>({
    text: `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'events'::regclass ORDER BY 1`,
  })
  return rows.map(({ name }) => name)
}

/** Returns the partitions that hold events of the purchase. */
async function placesOf(t: TestApp, id: number): Promise<string[]> {
  const { rows } = await t.ctx.db.query<{ place: string }>({
    text: 'SELECT DISTINCT tableoid::regclass::text AS place FROM events WHERE subject_id = $1 ORDER BY 1',
    values: [id],
  })
  return rows.map(({ place }) => place)
}

/** Each purchase has a buyer of its own, because sessions end while the clock moves. */
const buy = async (t: TestApp) => buyOne(t, await t.makeUser({ balance: '100.00' }))
const moveTo = (t: TestApp, at: Date) => t.clock.advance(at.getTime() - t.clock.now().getTime())
const monthsAfter = (at: Date, months: number) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months))
/** Returns how PostgreSQL carried out the statement that `read` sends. */
async function planOf(t: TestApp, read: () => Promise<unknown>): Promise<string[]> {
  const asked = vi.spyOn(t.ctx.db, 'query')
  await read()
  const [query] = asked.mock.calls[0] ?? []
  asked.mockRestore()
  const { rows } = await t.ctx.db.query<{ 'QUERY PLAN': string }>({
    ...(query?.values && { values: query.values }),
    text: `EXPLAIN (ANALYZE, COSTS OFF) ${query?.text}`,
  })
  return rows.map((row) => row['QUERY PLAN'])
}

const nameOf = (at: Date) => `events_${at.toISOString().slice(0, 7).replace('-', '_')}`

test('the two months ahead are made, once, also by two nodes at a time; a purchase goes to its month', async () => {
  await using t = await startTestApp()
  await t.addFake()
  expect(await partsOf(t)).toEqual(['events_first', 'events_other'])
  const start = await firstEnd(t)
  // The last day of the month before: two months are made, and the first part still takes events.
  moveTo(t, new Date(start.getTime() - DAY))
  await Promise.all([cleanUp(t.ctx), cleanUp(t.ctx)])
  await cleanUp(t.ctx)
  const made = [nameOf(start), nameOf(monthsAfter(start, 1))]
  expect(await partsOf(t)).toEqual([...made, 'events_first', 'events_other'])
  const { id: before } = await buy(t)
  t.clock.advance(DAY)
  const { id: after } = await buy(t)
  expect(await placesOf(t, before)).toEqual(['events_first'])
  expect(await placesOf(t, after)).toEqual([nameOf(start)])
  const { rows } = await t.ctx.db.query<{ ids: string[] }>({ text: 'SELECT array_agg(DISTINCT id) AS ids FROM events' })
  expect(rows[0]?.ids).toHaveLength(await count(t.ctx, 'events'))
  expect(t.log.lines.filter(({ level }) => level === 'error')).toEqual([])
  await expectBooksRight(t.ctx)
})

test('a service that made no month for a quarter sells, and its next months are made around what it sold', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const now = monthsAfter(await firstEnd(t), 3)
  moveTo(t, new Date(now.getTime() + 5 * DAY))
  const { id } = await buy(t)
  expect(await placesOf(t, id)).toEqual(['events_other'])
  await cleanUp(t.ctx)
  const made = [1, 2].map((months) => nameOf(monthsAfter(now, months)))
  expect(await partsOf(t)).toEqual(['events_first', 'events_other', ...made].sort())
  const kinds = async (order: number) =>
    (await listHappenings(t.ctx.db, { kind: 'activation', id: BigInt(order) })).map(({ what }) => what)
  expect(await kinds(id)).toEqual(expect.arrayContaining(['activation.waiting']))
  moveTo(t, monthsAfter(now, 1))
  const { id: next } = await buy(t)
  expect(await placesOf(t, next)).toEqual(made.slice(0, 1))
  const first = (await planOf(t, () => kinds(next))).find((line) => line.includes('events_first'))
  expect(first).toContain('never executed')
  expect(t.log.lines.filter(({ level }) => level === 'error')).toEqual([])
})

test('a month is dropped once its last event is four years old, and so is what no month took', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const start = await firstEnd(t)
  const { id: first } = await buy(t)
  moveTo(t, new Date(start.getTime() + DAY))
  const { id: other } = await buy(t)
  await cleanUp(t.ctx)
  moveTo(t, monthsAfter(start, 1))
  const { id: month } = await buy(t)
  const heldAfter = async (at: Date) => {
    moveTo(t, at)
    await cleanUp(t.ctx)
    return Promise.all([first, other, month].map((id) => count(t.ctx, 'events WHERE subject_id = $1', [id])))
  }
  const held = await heldAfter(new Date(start.getTime() + KEPT_DAYS * DAY - 1))
  expect(held.every((events) => events > 0)).toBe(true)
  expect(await heldAfter(new Date(start.getTime() + KEPT_DAYS * DAY))).toEqual([0, ...held.slice(1)])
  expect(await heldAfter(new Date(start.getTime() + (KEPT_DAYS + 1) * DAY))).toEqual([0, 0, held[2]])
  expect(await heldAfter(new Date(monthsAfter(start, 2).getTime() + KEPT_DAYS * DAY))).toEqual([0, 0, 0])
  expect(await partsOf(t)).toContain('events_other')
  const { id: last } = await buy(t)
  expect(await placesOf(t, last)).toHaveLength(1)
  expect(t.log.lines.filter(({ level }) => level === 'error')).toEqual([])
})

test('an event of no month that comes while the old ones are about to be dropped stays', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const start = await firstEnd(t)
  moveTo(t, new Date(start.getTime() + DAY))
  await buy(t)
  // The first part is dropped by a clean-up of its own, because a drop waits for the same lock.
  moveTo(t, new Date(start.getTime() + KEPT_DAYS * DAY))
  await cleanUp(t.ctx)
  const now = new Date(start.getTime() + (KEPT_DAYS + 2) * DAY)
  moveTo(t, now)
  await using writer = await openConnection(t.database.connectionString, 'writer')
  await writer.client.query('BEGIN')
  await writer.client.query(`INSERT INTO events (at, kind) VALUES ($1, 'late')`, [now])
  const cleaning = cleanUp(t.ctx)
  const waits = () =>
    count(
      t.ctx,
      `pg_locks WHERE NOT granted AND relation = 'events'::regclass
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
  await expect.poll(waits).toBe(1)
  await writer.client.query('COMMIT')
  await cleaning
  expect(await count(t.ctx, `events WHERE kind = 'late'`)).toBe(1)
})

test('no event is changed or deleted, whatever its month', async () => {
  await using t = await startTestApp()
  await t.addFake()
  moveTo(t, await firstEnd(t))
  await buy(t)
  await cleanUp(t.ctx)
  for (const part of ['events', ...(await partsOf(t))]) {
    const change = (text: string) => t.ctx.db.query({ text })
    await expect(change(`UPDATE ${part} SET kind = 'other'`)).rejects.toThrow('append-only')
    await expect(change(`DELETE FROM ${part}`)).rejects.toThrow('append-only')
    await expect(change(`TRUNCATE ${part}`)).rejects.toThrow('append-only')
  }
})
