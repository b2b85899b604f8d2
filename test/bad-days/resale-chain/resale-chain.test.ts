import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SECOND } from '#contract/time.ts'
import { createScriptedPeer } from '#test/fakes/scripted-peer.ts'
import { randomRuns } from '#test/harness/random-runs.ts'
import { until } from '../real-service.ts'
import { expectChainRight, isSettled, restoreAside } from './books-of-chain.ts'
import { furnishHop, type Hop } from './hop.ts'
import { press } from './press.ts'

const PURCHASES = randomRuns({ suite: 100, soak: 1_000 })
const AT_ONCE = 10
/** The minimum number of purchases between two kills, because a service takes a while to start. */
const FEWEST_BETWEEN_KILLS = 18
const MOST_MORE = 8
const TIME_LIMIT_MS = PURCHASES * 3_000

test('three services sell one number through: with kills at every hop no double charge, no lost code, books right', {
  timeout: TIME_LIMIT_MS,
}, async () => {
  await using stack = new AsyncDisposableStack()
  const peer = createScriptedPeer()
  const idle = createScriptedPeer()
  const c = stack.use(await furnishHop('C', { peer, from: null }))
  const b = stack.use(await furnishHop('B', { peer: idle, from: c }))
  const a = stack.use(await furnishHop('A', { peer: idle, from: b }))
  const hops: readonly [Hop, Hop, Hop] = [a, b, c]
  for (const hop of [c, b, a]) await hop.start()

  let done = 0
  let next: { after: number; hop: Hop } | null = null
  let killing: Promise<void> = Promise.resolve()
  const down = Promise.withResolvers<never>()
  const kills: string[] = []
  const plan = () => {
    const after = done + FEWEST_BETWEEN_KILLS + randomInt(MOST_MORE)
    next = { after, hop: hops[kills.length % hops.length] ?? a }
  }
  plan()
  // A service may be killed whenever the last supplier hears of a purchase or of the end of a number.
  const moment = () => {
    if (next === null || done < next.after || randomInt(4) !== 0) return undefined
    const { hop } = next
    next = null
    kills.push(hop.name)
    killing = hop.restart().then(plan, down.reject)
    return undefined
  }
  peer.onAsked = moment
  peer.onDone = moment

  let cancelled = 0
  const wishes = Array.from({ length: PURCHASES }, (_, place) => {
    const isCancelled = randomInt(5) === 0
    cancelled += isCancelled ? 1 : 0
    return { name: `wish-${place}`, isCancelled, code: String(100_000 + place) }
  })
  const people = Array.from({ length: AT_ONCE }, async () => {
    for (let wish = wishes.shift(); wish !== undefined; wish = wishes.shift()) {
      await press(a, peer, wish)
      done += 1
    }
  })
  let isOver = false
  const operator = (async () => {
    while (!isOver) {
      await restoreAside(hops)
      for (const { name, lastWords } of hops) {
        const words = lastWords()
        if (words !== null) down.reject(new Error(`${name} ended by itself: ${words}`))
      }
      await wait(SECOND)
    }
  })()
  // `down` ends the test if a service does not come back, because all buyers would wait for ever.
  await Promise.race([Promise.all(people), down.promise])
  isOver = true
  await operator
  peer.onAsked = () => undefined
  peer.onDone = () => undefined
  await killing
  expect(new Set(kills)).toEqual(new Set(['A', 'B', 'C']))
  await until(() => isSettled(hops))
  await expectChainRight(hops, PURCHASES - cancelled)
  expect([...peer.complaints, ...idle.complaints]).toEqual([])
  expect(idle.sold.size).toBe(0)
})
