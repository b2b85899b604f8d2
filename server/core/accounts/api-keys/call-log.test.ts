import { expect, test } from 'vitest'
import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { call } from '#test/harness/calls.ts'
import type { TestApp } from '#test/harness/harness.ts'
import { startProtocolTest } from '#test/services/handler-api-service.ts'
import { ADDRESS_REFUSED, KeyCallLog, keyCallLogOf } from './call-log.ts'
import { flushKeyCalls } from './flush-calls.ts'

const CALLS = 'GET /api/v1/keys/{id}/calls'

function listWrites(t: TestApp): string[] {
  const writes: string[] = []
  const query = t.ctx.db.query.bind(t.ctx.db)
  t.ctx.db.query = async (given) => {
    if (/\b(INSERT|UPDATE|DELETE)\b/.test(given.text)) writes.push(given.name ?? given.text)
    return query(given)
  }
  return writes
}

async function keyOf(t: TestApp, userId: number): Promise<{ id: number; last_used_at: Date | null }> {
  const { rows } = await t.ctx.db.query<{ id: number; last_used_at: Date | null }>({
    text: 'SELECT id, last_used_at FROM api_keys WHERE user_id = $1 AND revoked_at IS NULL',
    values: [userId],
  })
  const [row] = rows
  if (row === undefined) throw new Error('there is no key')
  return row
}

test('1.11: a call costs no write; calls alike are one line, and codes stand in none', async () => {
  await using p = await startProtocolTest()
  const { id: keyId } = await keyOf(p.t, p.buyer.id)
  const { id, phone } = await p.buy()
  p.t.clock.advance(SECOND)
  await p.buy()
  await p.sms(phone, 'Telegram code: 48213')
  const writes = listWrites(p.t)
  for (let poll = 0; poll < 40; poll += 1) {
    p.t.clock.advance(SECOND)
    expect(await p.ask('getStatus', { id })).toBe('STATUS_OK:48213')
    await p.ask('getFullSms', { id })
  }
  await p.ask('getNumber', { service: 'wa', country: '2' })
  await p.ask('getNumber', { service: 'wa', country: '2' })
  await p.ask('<script>')
  await p.t.fetch('/api/v1/history', { token: p.key })
  expect(writes).toEqual([])
  await flushKeyCalls(p.t.ctx)
  expect(writes).toEqual(['api-key-add-calls', 'api-key-trim-calls'])

  const { data } = await call(p.t, CALLS, { id: keyId }, p.buyer)
  expect(data.map(({ call: name, result, count }) => [name, result, count]).toSorted()).toEqual([
    ['BAD_ACTION', 'BAD_ACTION', 1],
    ['GET /api/v1/history', 'OK', 1],
    ['getFullSms', 'FULL_SMS', 40],
    ['getNumber', 'ACCESS_NUMBER', 2],
    ['getNumber', 'NO_NUMBERS', 2],
    ['getStatus', 'STATUS_OK', 40],
  ])
  expect((await keyOf(p.t, p.buyer.id)).last_used_at).toEqual(p.t.clock.now())
  const { rows } = await p.t.ctx.db.query<{ text: string }>({ text: 'SELECT c::text AS text FROM api_key_calls c' })
  for (const secret of [p.key, '48213', phone, 'script', `${id}`]) expect(JSON.stringify(rows)).not.toContain(secret)

  await p.ask('getStatus', { id })
  p.t.clock.advance(10 * MINUTE)
  await p.ask('getStatus', { id })
  const later = (await call(p.t, CALLS, { id: keyId }, p.buyer)).data.filter(({ call: name }) => name === 'getStatus')
  expect(later.map(({ result, count }) => [result, count])).toEqual([
    ['STATUS_OK', 1],
    ['STATUS_OK', 41],
  ])
})

test('the list of keys tells of a use that is not written yet, without a write; a refused address is no use', async () => {
  await using p = await startProtocolTest()
  const { id: keyId } = await keyOf(p.t, p.buyer.id)
  const writes = listWrites(p.t)
  const usedAt = async () => (await call(p.t, 'GET /api/v1/keys', {}, p.buyer)).data[0]?.last_used_at ?? null
  const refused = { call: 'getBalance', result: ADDRESS_REFUSED, address: '::1', now: p.t.clock.now() }
  keyCallLogOf(p.t.ctx).note(keyId, refused)
  expect(await usedAt()).toBeNull()
  p.t.clock.advance(SECOND)
  await p.ask('getBalance')
  const first = p.t.clock.now().toISOString()
  p.t.clock.advance(SECOND)
  keyCallLogOf(p.t.ctx).note(keyId, { ...refused, now: p.t.clock.now() })
  expect([await usedAt(), writes]).toEqual([first, []])

  await flushKeyCalls(p.t.ctx)
  expect(await usedAt()).toBe(first)
  await p.ask('getBalance')
  expect(await usedAt()).toBe(p.t.clock.now().toISOString())
})

test('calls alike from two addresses are two lines, in memory and in the table', async () => {
  await using p = await startProtocolTest()
  const { id: keyId } = await keyOf(p.t, p.buyer.id)
  const poll = (address: string) => {
    p.t.clock.advance(SECOND)
    keyCallLogOf(p.t.ctx).note(keyId, { call: 'getStatus', result: 'STATUS_OK', address, now: p.t.clock.now() })
  }
  for (const address of ['192.0.2.1', '198.51.100.7', '192.0.2.1']) poll(address)
  await flushKeyCalls(p.t.ctx)
  for (const address of ['198.51.100.7', '192.0.2.1']) poll(address)
  const { data } = await call(p.t, CALLS, { id: keyId }, p.buyer)
  expect(data.map(({ address, count }) => [address, count])).toEqual([
    ['192.0.2.1', 3],
    ['198.51.100.7', 2],
  ])
})

test('a flush that fails moves no time of what was called meanwhile, and loses nothing of its later lines', async () => {
  await using p = await startProtocolTest()
  const { id: keyId } = await keyOf(p.t, p.buyer.id)
  const note = (key: number) => {
    const now = p.t.clock.now()
    keyCallLogOf(p.t.ctx).note(key, { call: 'getStatus', result: 'STATUS_OK', address: '192.0.2.1', now })
    return now.toISOString()
  }
  const poll = () => {
    p.t.clock.advance(SECOND)
    return note(keyId)
  }
  const query = p.t.ctx.db.query.bind(p.t.ctx.db)
  const failing = (name: string, meanwhile: () => void) => {
    p.t.ctx.db.query = async (given) => {
      if (given.name !== name) return query(given)
      meanwhile()
      throw new Error('the database is away')
    }
    return async () => {
      await expect(flushKeyCalls(p.t.ctx)).rejects.toThrow('away')
      p.t.ctx.db.query = query
    }
  }
  const first = poll()
  let last = ''
  await failing('api-key-add-calls', () => {
    last = poll()
  })()
  expect((await call(p.t, 'GET /api/v1/keys', {}, p.buyer)).data[0]?.last_used_at).toBe(last)
  const [line] = (await call(p.t, CALLS, { id: keyId }, p.buyer)).data
  expect(line).toMatchObject({ count: 2, first_at: first, last_at: last })
  expect((await keyOf(p.t, p.buyer.id)).last_used_at?.toISOString()).toBe(last)

  for (let other = 1; other <= 1_000; other += 1) note(1_000_000 + other)
  const later = poll()
  await failing('api-key-trim-calls', () => undefined)()
  const lines = (await call(p.t, CALLS, { id: keyId }, p.buyer)).data
  expect(lines.map(({ last_at }) => last_at)).toContain(later)
})

test('the newest eighty uses of a key stay, and nothing is lost while the database is away', async () => {
  await using p = await startProtocolTest()
  const { id: keyId } = await keyOf(p.t, p.buyer.id)
  for (let line = 0; line < 130; line += 1) {
    p.t.clock.advance(SECOND)
    const noted = { call: `call ${line}`, result: 'OK', address: '127.0.0.1', now: p.t.clock.now() }
    keyCallLogOf(p.t.ctx).note(keyId, noted)
    if (line === 60) await flushKeyCalls(p.t.ctx)
  }
  const query = p.t.ctx.db.query.bind(p.t.ctx.db)
  p.t.ctx.db.query = () => Promise.reject(new Error('the database is away'))
  await expect(flushKeyCalls(p.t.ctx)).rejects.toThrow('away')
  p.t.ctx.db.query = query
  const { data } = await call(p.t, CALLS, { id: keyId }, p.buyer)
  expect(data.map(({ call: name }) => name)).toEqual(Array.from({ length: 80 }, (_, place) => `call ${129 - place}`))
  const { rows } = await query<{ count: number }>({ text: 'SELECT count(*)::integer AS count FROM api_key_calls' })
  expect(rows[0]?.count).toBe(80)
  p.t.clock.advance(90 * DAY + SECOND)
  await cleanUp(p.t.ctx)
  expect((await query({ text: 'SELECT FROM api_key_calls' })).rows).toEqual([])
})

test('refusals from any number of addresses push out no use, waiting or written', async () => {
  await using p = await startProtocolTest()
  const { id: keyId } = await keyOf(p.t, p.buyer.id)
  const note = (place: number, result: string, address: string) => {
    p.t.clock.advance(SECOND)
    keyCallLogOf(p.t.ctx).note(keyId, { call: `call ${place}`, result, address, now: p.t.clock.now() })
  }
  for (let place = 0; place < 40; place += 1) note(place, 'OK', '127.0.0.1')
  await flushKeyCalls(p.t.ctx)
  for (let place = 40; place < 80; place += 1) note(place, 'OK', '127.0.0.1')
  const usedAt = p.t.clock.now().toISOString()
  for (let host = 0; host < 200; host += 1) {
    note(0, ADDRESS_REFUSED, `2001:db8::${host}`)
    if (host === 100) await flushKeyCalls(p.t.ctx)
  }
  expect((await call(p.t, 'GET /api/v1/keys', {}, p.buyer)).data[0]?.last_used_at).toBe(usedAt)
  const { data } = await call(p.t, CALLS, { id: keyId }, p.buyer)
  const refusals = data.filter(({ result }) => result === ADDRESS_REFUSED)
  expect(refusals.map(({ address }) => address)).toEqual(
    Array.from({ length: 20 }, (_, nth) => `2001:db8::${199 - nth}`),
  )
  const uses = data.filter(({ result }) => result === 'OK')
  expect(uses.map(({ call: name }) => name)).toEqual(Array.from({ length: 80 }, (_, nth) => `call ${79 - nth}`))
})

test('of lines of one millisecond eighty stay, too', async () => {
  await using p = await startProtocolTest()
  const { id: keyId } = await keyOf(p.t, p.buyer.id)
  for (let place = 0; place < 250; place += 1) {
    const noted = { call: `call ${place}`, result: 'OK', address: '127.0.0.1', now: p.t.clock.now() }
    keyCallLogOf(p.t.ctx).note(keyId, noted)
    if (place % 50 === 49) await flushKeyCalls(p.t.ctx)
  }
  const { rows } = await p.t.ctx.db.query<{ call: string }>({ text: 'SELECT call FROM api_key_calls' })
  const { data } = await call(p.t, CALLS, { id: keyId }, p.buyer)
  expect(rows).toHaveLength(80)
  expect(data.map(({ call: name }) => name).toSorted()).toEqual(rows.map(({ call: name }) => name).toSorted())
})

test('what waits to be written is bounded for each key and for all, and what has no room is counted', () => {
  const log = new KeyCallLog()
  const at = Date.UTC(2026, 0, 1)
  const note = (keyId: number, place: number, ms = place) =>
    log.note(keyId, { call: `call ${place}`, result: 'OK', address: '::1', now: new Date(at + ms) })
  for (let place = 0; place < 150; place += 1) note(1, place)
  const first = log.takeAll()
  expect([first.lines.length, first.lines[0]?.firstAt.getTime(), first.dropped]).toEqual([80, at + 70, 0])
  for (let place = 0; place < 80; place += 1) note(1, place)
  note(1, 0, 80)
  note(1, 81)
  const kept = log.takeAll().lines.toSorted((one, other) => one.lastAt.getTime() - other.lastAt.getTime())
  expect(kept.slice(-2).map(({ call: name, count }) => [name, count])).toEqual([
    ['call 0', 2],
    ['call 81', 1],
  ])
  expect([kept.length, kept[0]?.call]).toEqual([80, 'call 2'])
  for (let place = 3; place < 83; place += 1) note(1, place, 1_000 + place)
  log.giveBack(kept.slice(0, 1))
  note(1, 2, 2_000)
  const last = log.takeAll().lines.find(({ call: name }) => name === 'call 2')
  expect([last?.count, last?.lastAt.getTime()]).toEqual([1, at + 2_000])
  for (let keyId = 1; keyId <= 20_010; keyId += 1) note(keyId, 0)
  const second = log.takeAll()
  expect([second.lines.length, second.dropped]).toEqual([20_000, 10])
  expect(log.takeAll()).toEqual({ lines: [], dropped: 0 })
})
