import { expect, test, vi } from 'vitest'
import { MEBIBYTE, SECOND } from '#contract/time.ts'
import { keepOpen, MOST_MESSAGES, takeMessages } from '#server/adapters/shared/resold/open-numbers.ts'
import { createPoll, type Poll } from '#server/adapters/shared/resold/poll.ts'
import { beginRound, markRoundTaken, resoldOrders } from '#server/adapters/shared/resold/queries/orders.ts'
import { resumeOrders } from '#server/adapters/shared/resold/resume-orders.ts'
import { count } from '#test/builders/activation-rows.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import type { Answered } from '../wire/ask.ts'
import { type Account, createAccount, lookAtActive, pollSecondsOf } from './account.ts'
import { pollOpen } from './poll-open.ts'

const WAITS: Answered = {
  status: 200,
  text: 'STATUS_WAIT_CODE',
  word: 'STATUS_WAIT_CODE',
  rest: '',
  json: undefined,
  etag: null,
  price: undefined,
  unchanged: false,
}

function accountOf(t: TestApp, ask: Account['ask'], { dialect = 'smsbower', id = 1, pollSeconds = 3 } = {}): Account {
  const settings = { url: 'http://127.0.0.1/x', key: 'k', dialect, currency: 'rub', privateHost: true, pollSeconds }
  const row = { id, code: 'field', kind: 'handler-api', settings }
  return { ...createAccount(t.ctx, row), ask }
}

function pollOfActivations(account: Account): Poll {
  const pauseMs = pollSecondsOf(account) * SECOND
  return createPoll(account, { pauseMs, open: account.open, look: (stopping) => pollOpen(account, stopping) })
}

function open(account: Account, reference: string): void {
  const sold = {
    reference,
    activationId: reference,
    phone: '77051234567',
    expiresAt: null,
    rounds: 0,
    roundTaken: true,
  }
  keepOpen(account, sold)
}

test('a steady trade does not put the look for codes off', async () => {
  await using t = await startTestApp()
  let looks = 0
  const account = accountOf(t, async () => {
    looks += 1
    return WAITS
  })
  const poll = pollOfActivations(account)
  account.wakePoll = poll.wake
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    for (let place = 0; place < 4; place += 1) {
      open(account, `${place}-1`)
      await vi.advanceTimersByTimeAsync(SECOND - 1)
    }
    expect(looks).toBeGreaterThan(0)
  } finally {
    vi.useRealTimers()
    await poll.stop()
  }
})

test('another code that the former object of a supplier asked for is waited for by the next one', async () => {
  await using t = await startTestApp()
  const { id } = await t.addFake()
  const former = { ...accountOf(t, async () => WAITS, { id }), open: new Map() }
  const next = { ...accountOf(t, async () => WAITS, { id }), open: new Map() }
  const key = { supplierId: id, reference: '1-1' }
  const asked = { ...key, service: 'tg', country: '2', operator: null, costMicros: 1n, now: t.clock.now() }
  await resoldOrders.insert(t.ctx.db, { ...asked, state: 'asking' })
  await resoldOrders.markOpen(t.ctx.db, { ...key, theirId: '7', phone: '77051234567', costMicros: 1n, expiresAt: null })
  for (const account of [former, next]) await resumeOrders(account, { isStart: true })
  expect(next.open.get('1-1')).toMatchObject({ activationId: '7', rounds: 0, roundTaken: true })
  await beginRound(t.ctx.db, key)
  await resumeOrders(next, { isStart: false })
  expect(next.open.get('1-1')).toMatchObject({ rounds: 1, roundTaken: false })
  await markRoundTaken(t.ctx.db, { ...key, rounds: 1 })
  await resumeOrders(next, { isStart: false })
  expect(next.open.get('1-1')).toMatchObject({ rounds: 1, roundTaken: true })
  // A number that ended while the open orders were read from the database is not opened again.
  const reading = resumeOrders(next, { isStart: false })
  next.open.delete('1-1')
  await reading
  expect(next.open.size).toBe(0)
})

test('told to stop, a look asks about no further number', async () => {
  await using t = await startTestApp()
  let asked = 0
  let stopped: Promise<void> | null = null
  const ask = async () => {
    asked += 1
    stopped = poll.stop()
    return WAITS
  }
  const account = accountOf(t, ask, { pollSeconds: 0.02 })
  const poll = pollOfActivations(account)
  for (const reference of ['1-1', '2-1', '3-1']) open(account, reference)
  poll.wake()
  await vi.waitUntil(() => stopped !== null, { timeout: 10_000, interval: 10 })
  await stopped
  expect(asked).toBe(1)
})

test('of one number a look stores fifty messages, and the next one goes on', async () => {
  await using t = await startTestApp()
  const { id } = await t.addFake()
  const account = accountOf(t, async () => WAITS, { id })
  open(account, '1-1')
  const number = account.open.get('1-1') ?? expect.fail('it is not open')
  const messages = Array.from({ length: 2 * MOST_MESSAGES + 20 }, (_, place) => ({
    id: `m${place}`,
    sender: 'Telegram',
    text: `Telegram code: ${10_000 + place}`,
    code: null,
  }))
  const stopping = new AbortController()
  const stored: number[] = []
  for (let look = 0; look < 3; look += 1) {
    if (look === 2) stopping.abort()
    await takeMessages(account, number, { isAgain: false, messages, beganMs: 0, stopping: stopping.signal })
    stored.push(await count(t.ctx, 'messages'))
  }
  expect(stored).toEqual([50, 100, 100])
})

test('all pages of a look have sixteen MiB together, and messages of strangers are not kept', async () => {
  await using t = await startTestApp()
  const most: (number | undefined)[] = []
  const row = (place: number) => ({ activationId: String(place), phoneNumber: '77051234567', smsText: 'Code 1111' })
  const ask: Account['ask'] = async ({ mostBytes }) => {
    const page = most.push(mostBytes) - 1
    if (page === 3) throw new Error('an answer is longer than that')
    const json = Array.from({ length: 100 }, (_, place) => row(100 * page + place))
    return { ...WAITS, word: null, json, text: ' '.repeat(page === 2 ? MEBIBYTE : 6 * MEBIBYTE) }
  }
  const account = accountOf(t, ask, { dialect: 'hero-sms' })
  await expect(lookAtActive(account, { fresh: true })).rejects.toThrow('longer')
  expect(most).toEqual([8, 8, 4, 3].map((mebibytes) => mebibytes * MEBIBYTE))
  const one: Account['ask'] = async () => ({ ...WAITS, word: null, json: [row(1), row(2)] })
  const small = accountOf(t, one, { dialect: 'hero-sms' })
  open(small, '2')
  const items = await lookAtActive(small, { fresh: true })
  expect(items.map(({ activationId, messages }) => [activationId, messages.length])).toEqual([
    ['1', 0],
    ['2', 1],
  ])
})
