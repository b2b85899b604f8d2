import { expect, test } from 'vitest'
import { SECOND } from '#contract/time.ts'
import type { DueDelivery } from '#server/core/webhooks/queries/sending.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { startReceiver } from '#test/fakes/webhook-receiver.ts'
import { call } from '#test/harness/calls.ts'
import { hook, startHooked } from '#test/services/webhook-service.ts'
import { webhookPostOf } from './post.ts'
import { startWebhooks } from './send-due.ts'
import { SendingSlots } from './sending-slots.ts'

let ids = 0n
type Due = Pick<DueDelivery, 'host' | 'owner_id' | 'cause'>
const due = (endpoint_id: number, given: Partial<Due> = {}) => {
  const { host = `${endpoint_id}.example`, owner_id = endpoint_id, cause = 'paid' } = given
  ids += 1n
  return { id: ids, endpoint_id, host, owner_id, cause }
}
const takes = (hands: SendingSlots, count: number, make: (place: number) => ReturnType<typeof due>) =>
  Array.from({ length: count }, (_, place) => make(place)).filter((one) => hands.take(one))

test('17.5: an endpoint has one request until it answered quickly, then four; one that was slow has one again', () => {
  const hands = new SendingSlots()
  const [first] = takes(hands, 3, () => due(1))
  expect([hands.sending, hands.closed().endpoints]).toEqual([[first?.id], [1]])
  hands.release(first?.id ?? 0n, 20)
  const four = takes(hands, 6, () => due(1))
  expect(four).toHaveLength(4)
  for (const { id } of four) hands.release(id, 2 * SECOND)
  expect([takes(hands, 3, () => due(1)).length, hands.isIdle]).toEqual([1, false])
})

test('17.5: what hangs leaves the quick lane, and is cut off when too much hangs', () => {
  const hands = new SendingSlots()
  const became: string[] = []
  for (let endpoint = 1; endpoint <= 500; endpoint += 1) {
    const one = due(endpoint)
    expect([endpoint, hands.take(one)]).toEqual([endpoint, true])
    became.push(hands.slowDown(one.id))
    if (became.at(-1) === 'over') hands.release(one.id, SECOND)
  }
  expect([became.indexOf('over'), became.filter((word) => word === 'moved').length]).toEqual([384, 384])
  expect(hands.take(due(499))).toBe(false)
  expect(hands.closed().endpoints).toContain(499)
  expect(takes(hands, 200, (place) => due(1_000 + place))).toHaveLength(128)
  expect(hands.isFull).toBe(true)
})

test('17.5: a host has as many requests as it may, whoever wants it', () => {
  const hands = new SendingSlots()
  expect(takes(hands, 50, (place) => due(place, { host: 'hooks.example' }))).toHaveLength(32)
  expect(hands.closed().hosts).toEqual(['hooks.example'])
  expect(hands.take(due(100, { host: 'other.example' }))).toBe(true)
})

function makeSlow(hands: SendingSlots, endpoints: readonly number[]): void {
  for (const endpoint of endpoints) {
    const one = due(endpoint)
    expect(hands.take(one)).toBe(true)
    hands.release(one.id, 9 * SECOND)
  }
}

test('17.5: an owner of slow endpoints has four hands, so others that are slow have theirs', () => {
  const hands = new SendingSlots()
  const endpoints = Array.from({ length: 40 }, (_, place) => place)
  makeSlow(hands, endpoints)
  expect(takes(hands, 39, (place) => due(place, { owner_id: 1 }))).toHaveLength(4)
  expect(hands.take(due(39, { owner_id: 2 }))).toBe(true)
  expect(takes(hands, 20, (place) => due(100 + place, { owner_id: 1 }))).toHaveLength(16)
  expect(hands.take(due(200, { owner_id: 2 }))).toBe(true)
})

test('17.5: tests of many owners take a share alone, in each lane, also those that become slow', () => {
  const hands = new SendingSlots()
  const endpoints = Array.from({ length: 100 }, (_, place) => place)
  makeSlow(hands, endpoints)
  expect(takes(hands, 99, (place) => due(place, { cause: 'free' }))).toHaveLength(16)
  expect(hands.closedTo('free', [99, 100])).toEqual({ endpoints: [99], hosts: [] })
  expect(hands.take(due(99))).toBe(true)
  const became = Array.from({ length: 100 }, (_, place) => {
    const one = due(1_000 + place, { cause: 'free' })
    expect(hands.take(one)).toBe(true)
    return hands.slowDown(one.id) === 'over' ? hands.release(one.id, SECOND) : 'moved'
  })
  expect(became.filter((word) => word === 'moved')).toHaveLength(64 - 16)
  expect(hands.take(due(98))).toBe(true)
  const host = 'hooks.example'
  expect(takes(hands, 20, (place) => due(2_000 + place, { host, cause: 'free' }))).toHaveLength(16)
  expect([hands.closedTo('free', []).hosts, hands.closed().hosts, hands.take(due(3_000, { host }))]).toEqual([
    [host],
    [],
    true,
  ])
})

test('17.6: all sandboxes together have hands of their own, and no test or code waits for them', () => {
  const hands = new SendingSlots()
  const play = (endpoint: number) => due(endpoint, { cause: 'play' })
  expect(takes(hands, 40, play)).toHaveLength(24)
  expect(hands.closedTo('play', [99])).toEqual({ endpoints: [99], hosts: [] })
  expect(hands.closedTo('free', [99])).toEqual({ endpoints: [], hosts: [] })
  expect(takes(hands, 40, (place) => due(100 + place, { cause: 'free' }))).toHaveLength(32)
  expect(hands.take(due(200))).toBe(true)
  const other = new SendingSlots()
  expect(takes(other, 9, (place) => due(place, { cause: 'play', owner_id: 1 }))).toHaveLength(5)
})

test('17.5: a hand that becomes free goes to whoever was served longest ago', () => {
  const hands = new SendingSlots()
  hands.take(due(1))
  const order = hands.leastRecentFirst([due(1), due(2), due(3)]).map(({ endpoint_id }) => endpoint_id)
  expect(order).toEqual([2, 3, 1])
})

test('17.5: while tests of others have their whole share, a test that waits hides no code behind it', async () => {
  await using t = await startHooked()
  await using receiver = await startReceiver()
  const user = await t.makeUser()
  const { id } = await hook(t, user, { url: receiver.url, events: ['code.received'] })
  const { hands } = webhookPostOf(t.ctx)
  const others = Array.from({ length: 32 }, (_, place) => BigInt(1_000 + place))
  for (const [place, other] of others.entries()) {
    const due = {
      id: other,
      endpoint_id: 1_000 + place,
      owner_id: 1_000 + place,
      cause: 'free' as const,
      host: `${place}.example`,
    }
    expect(hands.take(due)).toBe(true)
  }
  const supplier = await t.addFake()
  const { phone } = await buyOne(t, user)
  for (let sent = 0; sent < 5; sent += 1) await call(t, 'POST /api/v1/webhooks/{id}/test', { id }, user)
  await pushSms(t, supplier, { phone })
  const heard = Promise.withResolvers<void>()
  receiver.answer = (response) => {
    response.end()
    heard.resolve()
  }
  const running = startWebhooks(t.ctx)
  await heard.promise
  const told = receiver.events().map(({ type }) => type)
  for (const other of others) hands.release(other, 1)
  await running.stop()
  expect(told).toEqual(['code.received'])
})
