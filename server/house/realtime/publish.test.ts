import { expect, test } from 'vitest'
import type { LiveEventName, SentEvents } from '#contract/live-events.ts'
import { activationRecord } from '#test/builders/activation-record.ts'
import { LIVE_NAMES } from '#test/builders/live-names.ts'
import { startRealtime, subscribed } from '#test/services/realtime-service.ts'

const OWNER = { userId: 7, sessionId: 'session-a' }
const CHANNEL = 'private-user.7'

function newCode(text: string, code: string | null): SentEvents['NewCode'] {
  const message = { id: 41, sender: 'Телеграм', text, code, received_at: '2026-01-01T00:00:05.000Z' }
  const record = activationRecord({ state: 'received', money: 'captured', code, messages: [message] })
  return { kind: 'activation', record, message, names: LIVE_NAMES }
}

function payloadOf(frame: string): unknown {
  const { data }: { data: string } = JSON.parse(frame)
  return JSON.parse(data)
}

test('any text arrives as it was', async () => {
  await using live = await startRealtime()
  using socket = await subscribed(live, OWNER)
  const texts = [
    'Ваш код: 12-34\nНе сообщайте его никому',
    '确认码 🔐👩‍👩‍👧 123456',
    'quotes " \\" and \\ and \u2028 and \u0000',
    'half a pair \ud83d alone',
    'код '.repeat(2_000),
  ]
  for (const text of texts) {
    live.realtime.publish(CHANNEL, 'NewCode', newCode(text, '1234'))
    expect(payloadOf(await socket.next())).toEqual(newCode(text, '1234'))
  }
})

test('two thousand events arrive, each once and in order, at every socket', async () => {
  await using live = await startRealtime()
  using first = await subscribed(live, OWNER)
  using second = await subscribed(live, OWNER)
  using stranger = await subscribed(live, { userId: 8, sessionId: 'session-b' })
  for (let count = 0; count < 2_000; count += 1) {
    expect(live.realtime.publish(CHANNEL, 'NewCode', newCode(`code ${count}`, String(count)))).toBe(2)
  }
  for (const socket of [first, second]) {
    for (let count = 0; count < 2_000; count += 1) {
      expect(payloadOf(await socket.next())).toMatchObject({ message: { code: String(count) } })
    }
    await socket.settled()
  }
  await stranger.settled()
})

test('each session may be sent a payload of its own; one without a payload, and a program with a key, hear nothing', async () => {
  await using live = await startRealtime()
  using first = await subscribed(live, OWNER)
  using again = await subscribed(live, OWNER)
  using other = await subscribed(live, { userId: 7, sessionId: 'session-b' })
  using left = await subscribed(live, { userId: 7, sessionId: 'session-c' })
  using program = await subscribed(live, { userId: 7, sessionId: 'key-1', byKey: true })
  expect(live.realtime.sessionsOf(CHANNEL)).toEqual(['session-a', 'session-b', 'session-c'])
  const receivers = live.realtime.publishBySession(CHANNEL, 'NewCode', (session) =>
    session === 'session-c' ? null : newCode(session, null),
  )
  expect(receivers).toBe(3)
  for (const socket of [first, again]) {
    expect(payloadOf(await socket.next())).toMatchObject({ message: { text: 'session-a' } })
  }
  expect(payloadOf(await other.next())).toMatchObject({ message: { text: 'session-b' } })
  for (const socket of [first, again, other, left, program]) await socket.settled()
})

test('an event that is too large is logged and not sent, and the next one is', async () => {
  const published: [LiveEventName, number][] = []
  await using live = await startRealtime({
    metrics: {
      closed: () => undefined,
      refused: () => undefined,
      published: (event, receivers) => published.push([event, receivers]),
    },
  })
  using socket = await subscribed(live, OWNER)
  expect(live.realtime.publish(CHANNEL, 'NewCode', newCode('x'.repeat(70_000), null))).toBe(0)
  expect(live.realtime.publish(CHANNEL, 'BalanceTopup', { balance: '1', currency: 'rub' })).toBe(1)
  expect(await socket.next()).toContain('BalanceTopup')
  expect(live.logged).toMatchObject([
    {
      level: 'error',
      fields: { channel: CHANNEL, event: 'NewCode' },
      sentence: 'a live event is too large and was not sent',
    },
  ])
  expect(published).toEqual([
    ['NewCode', 0],
    ['BalanceTopup', 1],
  ])
})

test('an event that nobody listens to costs nothing', async () => {
  await using live = await startRealtime()
  const untouched = newCode('', null)
  Object.defineProperty(untouched, 'toJSON', { value: () => expect.unreachable() })
  expect(live.realtime.publish('private-user.9', 'NewCode', untouched)).toBe(0)
})

test('a channel has listeners as long as somebody is in it', async () => {
  await using live = await startRealtime()
  expect(live.realtime.hasListeners(CHANNEL)).toBe(false)
  const socket = await subscribed(live, OWNER)
  expect(live.realtime.hasListeners(CHANNEL)).toBe(true)
  expect(live.realtime.hasListeners('private-user.8')).toBe(false)
  live.realtime.closeSession(OWNER.sessionId)
  await socket.closed
  expect(live.realtime.hasListeners(CHANNEL)).toBe(false)
})
