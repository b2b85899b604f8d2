import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import type { PreorderRecord, PreorderState, PreordersReply } from '#contract/preorder.ts'
import { preorderRecord } from '#test/builders/preorder-record.ts'
import { applyPreorderToCache, loadPreorders, PREORDERS_KEY, seedPreorders } from '#web/live/apply-preorder.ts'

function cacheWith(...data: PreorderRecord[]) {
  const cache = cacheWithoutList()
  cache.queryClient.setQueryData(PREORDERS_KEY, { status: true, data })
  return cache
}

function cacheWithoutList() {
  const queryClient = new QueryClient()
  const open = () => queryClient.getQueryData<{ data: PreorderRecord[] }>(PREORDERS_KEY)?.data ?? []
  const apply = (change: Partial<PreorderRecord>) => applyPreorderToCache(queryClient, preorderRecord(change))
  return { queryClient, apply, seen: () => open().map(({ id, state }) => `${id} ${state}`) }
}

it('puts a new pre-order first and changes one that is shown in its place', () => {
  const { apply, seen } = cacheWith(preorderRecord({ id: 2 }), preorderRecord({ id: 1 }))
  apply({ id: 3 })
  apply({ id: 2, state: 'buying' })
  expect(seen()).toEqual(['3 waiting', '2 buying', '1 waiting'])
})

it.each<PreorderState>(['bought', 'cancelled', 'expired', 'failed'])('takes out what is %s, and for good', (state) => {
  const { apply, seen } = cacheWith(preorderRecord({ id: 2 }), preorderRecord({ id: 1 }))
  apply({ id: 2, state, final: true })
  apply({ id: 2, state: 'waiting' })
  expect(seen()).toEqual(['1 waiting'])
})

function askIn(queryClient: QueryClient) {
  const reply = Promise.withResolvers<PreordersReply>()
  const asked = queryClient.fetchQuery({
    queryKey: PREORDERS_KEY,
    queryFn: () => loadPreorders(queryClient, () => reply.promise),
  })
  return async (...data: PreorderRecord[]): Promise<void> => {
    reply.resolve({ status: true, data })
    await asked
  }
}

it('keeps a pre-order that was placed while the list was on its way, shown or not yet', async () => {
  const shown = cacheWith()
  const reply = askIn(shown.queryClient)
  shown.apply({ id: 3 })
  await reply()
  expect(shown.seen()).toEqual(['3 waiting'])

  const first = cacheWithoutList()
  const firstReply = askIn(first.queryClient)
  first.apply({ id: 3 })
  await firstReply(preorderRecord({ id: 1 }))
  expect(first.seen()).toEqual(['3 waiting', '1 waiting'])
})

it('begins a list that a loader asked for with what was placed and ended since then', () => {
  const { queryClient, apply } = cacheWithoutList()
  const askedAt = new Date().toISOString()
  apply({ id: 3 })
  apply({ id: 2, state: 'expired', final: true })
  const seed = { status: true as const, data: [preorderRecord({ id: 2 }), preorderRecord({ id: 1 })], askedAt }
  expect(seedPreorders(queryClient, seed).data.map(({ id }) => id)).toEqual([3, 1])
})

it('brings nothing back that ended while the list was on its way', async () => {
  const { queryClient, apply, seen } = cacheWith(preorderRecord({ id: 2 }), preorderRecord({ id: 1 }))
  const reply = askIn(queryClient)
  apply({ id: 2, state: 'expired', final: true })
  apply({ id: 2, state: 'waiting' })
  await reply(preorderRecord({ id: 2 }), preorderRecord({ id: 1 }))
  expect(seen()).toEqual(['1 waiting'])
})

it('believes a list that was asked for after the news', async () => {
  const { queryClient, apply, seen } = cacheWith(preorderRecord({ id: 2 }))
  apply({ id: 2, state: 'waiting' })
  await askIn(queryClient)(preorderRecord({ id: 2, state: 'buying' }))
  expect(seen()).toEqual(['2 buying'])
})

it('remembers an end where no list is loaded', () => {
  const { queryClient, apply, seen } = cacheWithoutList()
  apply({ id: 9, state: 'expired', final: true })
  expect(queryClient.getQueryData(PREORDERS_KEY)).toBeUndefined()
  queryClient.setQueryData(PREORDERS_KEY, { status: true, data: [] })
  apply({ id: 9, state: 'waiting' })
  expect(seen()).toEqual([])
})
