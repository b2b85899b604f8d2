import { expect, test } from 'vitest'
import { FairQueue, type FairQueueOptions } from './fair-queue.ts'

class QueueFull extends Error {}

const OPTIONS: FairQueueOptions = {
  parallel: 1,
  maxWaiting: { unknown: 8, known: 2 },
  maxOfOne: { atEase: 3, crowded: 1 },
  forgetMs: 1_000,
  maxWaitMs: 20_000,
  full: () => new QueueFull(),
  nowMs: () => 0,
}

function startQueue(options: Partial<FairQueueOptions> = {}) {
  const queue = new FairQueue({ ...OPTIONS, ...options })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (key: string, isKnown = false) => {
    const done = queue.run({ key, isKnown }, async () => {
      begun.push(key)
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.push(resolve)
      await promise
    })
    done.catch(() => undefined)
    return { done }
  }
  const endOne = async () => {
    const count = begun.length
    ends.shift()?.()
    await expect.poll(() => begun.length).toBe(count + 1)
  }
  return { queue, begun, ask, endOne }
}

test('networks are served one after the other, and a newcomer before whoever was served already', async () => {
  const { begun, ask, endOne } = startQueue({ maxOfOne: { atEase: 8, crowded: 8 } })
  for (const key of ['hammer', 'hammer', 'hammer', 'hammer', 'other']) ask(key)
  await endOne()
  expect(begun).toEqual(['hammer', 'other'])
  ask('newcomer')
  await endOne()
  await endOne()
  expect(begun).toEqual(['hammer', 'other', 'newcomer', 'hammer'])
})

test('one network has a few places at ease and one when it is crowded', async () => {
  const { ask } = startQueue()
  ask('a')
  const own = [ask('a').done, ask('a').done]
  await expect(ask('a').done).rejects.toThrow(QueueFull)
  ask('b')
  await expect(ask('b').done).rejects.toThrow(QueueFull)
  expect(await Promise.race([...own, 'waiting'])).toBe('waiting')
})

test('full of those who hammer, the queue has a place for somebody who does not', async () => {
  const { begun, ask, endOne, queue } = startQueue()
  ask('served')
  for (let network = 0; network < 4; network += 1) ask(`n${network}`)
  expect(queue.isHalfFull).toBe(true)
  await endOne()
  const again = ask('served')
  for (let network = 4; network < 8; network += 1) ask(`n${network}`)
  await expect(ask('served').done).rejects.toThrow(QueueFull)
  const newcomer = ask('newcomer')
  await expect(again.done).rejects.toThrow(QueueFull)
  await expect(ask('too late').done).rejects.toThrow(QueueFull)
  for (let begins = 0; begins < 8; begins += 1) await endOne()
  expect(begun.at(-1)).toBe('newcomer')
  expect(await Promise.race([newcomer.done, 'at work'])).toBe('at work')
})

test('known askers have places of their own and two of three that are begun', async () => {
  const { begun, ask, endOne } = startQueue()
  ask('first')
  for (let network = 0; network < 8; network += 1) ask(`n${network}`)
  await expect(ask('n8').done).rejects.toThrow(QueueFull)
  ask('known 1', true)
  ask('known 2', true)
  await expect(ask('known 3', true).done).rejects.toThrow(QueueFull)
  await endOne()
  await endOne()
  ask('known 3', true)
  await endOne()
  await endOne()
  expect(begun).toEqual(['first', 'known 1', 'known 2', 'n0', 'known 3'])
})
