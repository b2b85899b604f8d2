import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { watchService } from '#server/core/alarms/watch-service.ts'
import { sentMails } from '#test/builders/mails.ts'
import { listenOnLoopback } from '#test/fakes/loopback-server.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { createTestClock } from '#test/harness/test-clock.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { fetchRates } from './fetch-rates.ts'

const environment = { ALARM_MAIL: 'staff@ringpost.test' }

async function bank() {
  const asked: string[] = []
  const house = { asked, answer: (reply: ServerResponse) => reply.end('{"data":{"amount":"91.25"}}') as unknown }
  const server = await listenOnLoopback((request, reply) => {
    asked.push(request.headers['user-agent'] ?? '')
    house.answer(reply)
  })
  return Object.assign(house, { url: server.url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() })
}

async function follow(t: TestApp, url: string): Promise<void> {
  const said = await typed(
    t.database,
    'rate:source',
    'usd',
    `${url}/spot`,
    '--at',
    '/data/amount',
    '--every',
    '30',
    ...WHY,
  )
  expect(said).toMatchObject({ code: 0, err: '' })
  await t.ctx.db.query({ text: 'UPDATE rate_sources SET next_at = $1', values: [t.clock.now()] })
}

async function rateOf(t: TestApp): Promise<unknown> {
  const { rows } = await t.ctx.db.query({
    text: `SELECT rub_micros, source FROM exchange_rates WHERE currency = 'usd'`,
  })
  return rows[0]
}

async function alarms(t: TestApp): Promise<string[]> {
  await watchService(t.ctx)
  return (await sentMails(t)).map(({ mail }) =>
    mail.kind === 'alarm' ? `${mail.alarm} ${mail.about}${mail.over ? ' over' : ''}` : '',
  )
}

test('a rate is fetched on its schedule, with source and time; a failure keeps the last one and is told', async () => {
  await using t = await startTestApp({ environment })
  await using source = await bank()
  await follow(t, source.url)
  expect(await fetchRates(t.ctx)).toBe(true)
  expect(await rateOf(t)).toEqual({ rub_micros: 91_250_000n, source: '127.0.0.1' })
  t.clock.advance(10 * MINUTE)
  expect(await fetchRates(t.ctx)).toBe(false)
  expect(source.asked).toHaveLength(1)

  const answers: ((reply: ServerResponse) => unknown)[] = [
    (reply) => reply.writeHead(503).end('busy'),
    (reply) => reply.end('<html>not JSON</html>'),
    (reply) => reply.end('{"data":{"amount":"0"}}'),
    (reply) => reply.writeHead(302, { location: 'https://elsewhere.example/' }).end(),
    (reply) => reply.socket?.destroy(),
    (reply) => reply.end('x'.repeat(2_000_000)),
  ]
  const began = new Date(t.clock.now().getTime() + HOUR)
  for (const answer of answers) {
    t.clock.advance(HOUR)
    source.answer = answer
    expect(await fetchRates(t.ctx)).toBe(false)
    expect(await rateOf(t)).toMatchObject({ rub_micros: 91_250_000n })
  }
  expect((await typed(t.database, 'rate:list')).out).toContain(`FAILING since ${began.toISOString()} (`)
  const told = (sentence: string) => t.log.lines.filter((line) => line.sentence === sentence).length
  expect([told('a rate cannot be fetched'), told('a rate is fetched again')]).toEqual([1, 0])
  expect(await alarms(t)).toEqual([])
  t.clock.advance(DAY)
  await fetchRates(t.ctx)
  expect(await alarms(t)).toEqual(['rate-old usd'])
  source.answer = (reply) => reply.end('{"data":{"amount":92}}')
  t.clock.advance(HOUR)
  expect(await fetchRates(t.ctx)).toBe(true)
  expect(await alarms(t)).toEqual(['rate-old usd', 'rate-old usd over'])
  expect([told('a rate cannot be fetched'), told('a rate is fetched again')]).toEqual([1, 1])
})

test('a rate that moves by more than ten per cent is not taken without a word; rate:set says it', async () => {
  await using t = await startTestApp({ environment })
  await using source = await bank()
  await follow(t, source.url)
  source.answer = (reply) => reply.end('{"data":{"amount":"9.125"}}')
  expect(await fetchRates(t.ctx)).toBe(false)
  t.clock.advance(HOUR)
  expect(await fetchRates(t.ctx)).toBe(false)
  expect(await rateOf(t)).toEqual({ rub_micros: 90_000_000n, source: 'rate:set' })
  expect((await typed(t.database, 'rate:list')).out).toContain('REFUSED 9.125: too far from it')
  const doubts = async () => (await alarms(t)).filter((alarm) => alarm.startsWith('rate-doubtful'))
  expect(await doubts()).toEqual(['rate-doubtful usd'])
  const history = await t.ctx.db.query({ text: 'SELECT rub_micros FROM rate_history WHERE NOT taken' })
  expect(history.rows).toEqual([{ rub_micros: 9_125_000n }])
  expect(await typed(t.database, 'rate:set', 'usd', '101', ...WHY)).toMatchObject({ code: 1 })
  expect(await typed(t.database, 'rate:set', 'usd', '101', '--yes', ...WHY)).toMatchObject({ code: 0 })
  expect(await doubts()).toEqual(['rate-doubtful usd', 'rate-doubtful usd over'])
  source.answer = (reply) => reply.end('{"data":{"amount":"100.5"}}')
  t.clock.advance(HOUR)
  expect(await fetchRates(t.ctx)).toBe(true)
})

test('who says that the old rate is right is not asked again, until the source says something else', async () => {
  await using t = await startTestApp({ environment, clock: createTestClock(new Date().toISOString()) })
  await using source = await bank()
  await follow(t, source.url)
  const doubts = async () => (await alarms(t)).filter((alarm) => alarm.startsWith('rate-doubtful'))
  const says = async (amount: string) => {
    source.answer = (reply) => reply.end(JSON.stringify({ data: { amount } }))
    t.clock.advance(HOUR)
    await fetchRates(t.ctx)
    return doubts()
  }
  expect(await says('120')).toEqual(['rate-doubtful usd'])
  const letters = (await sentMails(t)).map(({ mail }) => (mail.kind === 'alarm' ? mail.why : null))
  expect(letters).toContain('its source says 120, and 90 holds')
  expect(await typed(t.database, 'rate:set', 'usd', '90.5', ...WHY)).toMatchObject({ code: 0 })
  expect(await doubts()).toEqual(['rate-doubtful usd', 'rate-doubtful usd over'])
  expect((await says('120.4')).slice(2)).toEqual([])
  for (let hour = 0; hour < 30; hour += 1) await says('120.4')
  expect((await alarms(t)).slice(2)).toEqual([])
  expect((await says('140')).slice(2)).toEqual(['rate-doubtful usd'])
  t.clock.advance(2 * DAY)
  expect((await alarms(t)).slice(3)).toEqual(['rate-old usd'])
})

test('the failure of a source says the code of the system, and nothing secret of its address', async () => {
  await using t = await startTestApp()
  const source = await bank()
  await follow(t, source.url)
  await source[Symbol.asyncDispose]()
  const failureOf = async (url: string) => {
    await t.ctx.db.query({ text: 'UPDATE rate_sources SET url = $1, next_at = $2', values: [url, t.clock.now()] })
    await fetchRates(t.ctx)
    const { rows } = await t.ctx.db.query<{ last_failure: string }>({ text: 'SELECT last_failure FROM rate_sources' })
    return rows[0]?.last_failure
  }
  expect(await failureOf(source.url)).toMatch(/^connect ECONNREFUSED 127\.0\.0\.1:/)
  const withKey = source.url.replace('//', '//anna:a-secret@')
  const said = await failureOf(`${withKey}/a-secret?key=a-secret`)
  expect(said).toContain(source.url)
  expect(said).not.toMatch(/secret|anna/)
})

test('a source is https, or of this machine; it ends with none', async () => {
  await using t = await startTestApp()
  const set = (...argv: string[]) => typed(t.database, 'rate:source', ...argv, ...WHY)
  for (const url of ['http://rates.example/', 'ftp://rates.example/', 'rates.example', 'file:///etc/passwd']) {
    expect(await set('usd', url, '--at', '/a')).toMatchObject({ code: 2 })
  }
  expect(await set('usd', 'https://rates.example/', '--at', 'amount')).toMatchObject({ code: 2 })
  expect(await set('rub', 'https://rates.example/', '--at', '/a')).toMatchObject({ code: 2 })
  expect(await set('usd', 'https://rates.example/?key=secret', '--at', '/a')).toMatchObject({ code: 0 })
  const { rows } = await t.ctx.db.query<{ row: string }>({ text: 'SELECT audit_log::text AS row FROM audit_log' })
  expect(rows.some(({ row }) => row.includes('secret'))).toBe(false)
  expect(await set('usd', 'none')).toMatchObject({ code: 0 })
  expect(await set('usd', 'none')).toMatchObject({ code: 1 })
})
