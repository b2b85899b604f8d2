import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import type { PreorderRecord, PreorderState } from '#contract/preorder.ts'
import { preorderRecord } from '#test/preorder-record.ts'
import { applyPreorderToCache, ENDED_PREORDERS_KEY, PREORDERS_KEY } from '#web/live/apply-preorder.ts'

function cacheWith(...data: PreorderRecord[]) {
  const queryClient = new QueryClient()
  queryClient.setQueryData(PREORDERS_KEY, { status: true, data })
  const open = () => queryClient.getQueryData<{ data: PreorderRecord[] }>(PREORDERS_KEY)?.data ?? []
  const apply = (change: Partial<PreorderRecord>) => applyPreorderToCache(queryClient, preorderRecord(change))
  return { queryClient, open, apply, seen: () => open().map(({ id, state }) => `${id} ${state}`) }
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
  // The reply of the press that made it comes last.
  apply({ id: 2, state: 'waiting' })
  expect(seen()).toEqual(['1 waiting'])
})

it('remembers an end where no list is loaded', () => {
  const queryClient = new QueryClient()
  applyPreorderToCache(queryClient, preorderRecord({ id: 9, state: 'expired', final: true }))
  expect(queryClient.getQueryData(PREORDERS_KEY)).toBeUndefined()
  expect(queryClient.getQueryData<PreorderRecord[]>(ENDED_PREORDERS_KEY)).toHaveLength(1)
})
