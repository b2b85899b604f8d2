import { expect, test } from 'vitest'
import { createPreloadQueue } from './preload-queue.ts'

function queueOf() {
  const begun: string[] = []
  const ends = new Map<string, { resolve: () => void; reject: (error: unknown) => void }>()
  const queue = createPreloadQueue((route) => {
    begun.push(route)
    return new Promise<void>((resolve, reject) => ends.set(route, { resolve, reject }))
  })
  const end = async (route: string, error?: Error) => {
    if (error === undefined) ends.get(route)?.resolve()
    else ends.get(route)?.reject(error)
    // setImmediate runs after all promise callbacks that follow the end of the load of `route`.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { queue, begun, end }
}

// Checklist 9.1 allows at most 4 route preloads in parallel.
test('four are fetched at a time, each once', async () => {
  const { queue, begun, end } = queueOf()
  for (const route of ['a', 'b', 'c', 'd', 'e', 'a', 'f']) queue.add(route, 'some-time')
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  await end('c')
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e'])
  await end('a')
  await end('b')
  queue.add('a', 'soon')
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})

test('the link a finger is on goes first', async () => {
  const { queue, begun, end } = queueOf()
  for (const route of ['a', 'b', 'c', 'd', 'e', 'f']) queue.add(route, 'some-time')
  queue.add('f', 'soon')
  await end('a')
  expect(begun.at(-1)).toBe('f')
})

test('what could not be fetched may be tried again', async () => {
  const { queue, begun, end } = queueOf()
  queue.add('a', 'some-time')
  await end('a', new Error('offline'))
  queue.add('a', 'soon')
  expect(begun).toEqual(['a', 'a'])
})
