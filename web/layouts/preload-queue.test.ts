import { expect, test } from 'vitest'
import { createPreloadQueue } from './preload-queue.ts'

function queueOf() {
  const begun: string[] = []
  const ends = new Map<string, { resolve: () => void; reject: (error: unknown) => void }>()
  const idle: (() => void)[] = []
  const queue = createPreloadQueue({
    load: (route) => {
      begun.push(route)
      return new Promise<void>((resolve, reject) => ends.set(route, { resolve, reject }))
    },
    whenIdle: (then) => idle.push(then),
  })
  const rest = () => {
    for (const then of idle.splice(0)) then()
  }
  const end = async (route: string, error?: Error) => {
    if (error === undefined) ends.get(route)?.resolve()
    else ends.get(route)?.reject(error)
    // setImmediate runs after all promise callbacks that follow the end of the load of `route`.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { queue, begun, end, rest }
}

// Checklist 9.1 allows at most 4 route preloads in parallel.
test('of the links under a finger four are fetched at a time, each once', async () => {
  const { queue, begun, end } = queueOf()
  for (const route of ['a', 'b', 'c', 'd', 'e', 'a']) queue.add(route, 'soon')
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  await end('c')
  await end('a')
  queue.add('a', 'some-time')
  queue.add('a', 'soon')
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('the links in sight are fetched one after another, and only while the page is idle', async () => {
  const { queue, begun, end, rest } = queueOf()
  for (const route of ['a', 'b', 'a', 'c']) queue.add(route, 'some-time')
  expect(begun).toEqual([])
  rest()
  rest()
  expect(begun).toEqual(['a'])
  await end('a')
  expect(begun).toEqual(['a'])
  rest()
  expect(begun).toEqual(['a', 'b'])
})

test('the link a finger is on goes first, without a wait', async () => {
  const { queue, begun, end, rest } = queueOf()
  for (const route of ['a', 'b', 'c']) queue.add(route, 'some-time')
  queue.add('c', 'soon')
  rest()
  expect(begun).toEqual(['c'])
  await end('c')
  rest()
  await end('a')
  rest()
  await end('b')
  rest()
  expect(begun).toEqual(['c', 'a', 'b'])
})

test('what could not be fetched may be tried again', async () => {
  const { queue, begun, end } = queueOf()
  queue.add('a', 'soon')
  await end('a', new Error('offline'))
  queue.add('a', 'soon')
  expect(begun).toEqual(['a', 'a'])
})
