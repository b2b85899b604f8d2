import { expect, test } from 'vitest'
import { SECOND } from '#contract/time.ts'
import { Hands } from './hands.ts'

let ids = 0n
const due = (endpoint_id: number, host = `${endpoint_id}.example`) => {
  ids += 1n
  return { id: ids, endpoint_id, host }
}
const takes = (hands: Hands, count: number, make: (place: number) => ReturnType<typeof due>) =>
  Array.from({ length: count }, (_, place) => make(place)).filter((one) => hands.take(one))

test('17.5: an endpoint has one request until it answered quickly, then four; one that was slow has one again', () => {
  const hands = new Hands()
  const [first] = takes(hands, 3, () => due(1))
  expect([hands.sending, hands.closed().endpoints]).toEqual([[first?.id], [1]])
  hands.release(first?.id ?? 0n, 20)
  const four = takes(hands, 6, () => due(1))
  expect(four).toHaveLength(4)
  for (const { id } of four) hands.release(id, 2 * SECOND)
  expect([takes(hands, 3, () => due(1)).length, hands.isIdle]).toEqual([1, false])
})

test('17.5: what hangs leaves the quick lane, and is cut off when too much hangs', () => {
  const hands = new Hands()
  const became: string[] = []
  for (let endpoint = 1; endpoint <= 500; endpoint += 1) {
    const one = due(endpoint)
    expect([endpoint, hands.take(one)]).toEqual([endpoint, true])
    became.push(hands.slowDown(one.id))
    if (became.at(-1) === 'over') hands.release(one.id, SECOND)
  }
  expect([became.indexOf('over'), became.filter((word) => word === 'moved').length]).toEqual([384, 384])
  // The slow ones wait for each other, and nobody else does.
  expect(hands.take(due(499))).toBe(false)
  expect(hands.closed().endpoints).toContain(499)
  expect(takes(hands, 200, (place) => due(1_000 + place))).toHaveLength(128)
  expect(hands.isFull).toBe(true)
})

test('17.5: a host has as many requests as it may, whoever wants it', () => {
  const hands = new Hands()
  expect(takes(hands, 50, (place) => due(place, 'hooks.example'))).toHaveLength(32)
  expect(hands.closed().hosts).toEqual(['hooks.example'])
  expect(hands.take(due(100, 'other.example'))).toBe(true)
})
