import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Api } from '#contract/calls/calls.ts'
import type { ServicesReply } from '#contract/catalog.ts'
import { ACTIVATION_MODE } from '#web/buying/panel/activation-mode.ts'
import { toggleFavorite } from './toggle-favorite.ts'

const TOGGLED = { kind: 'service', id: 'tg', isFavorite: false } as const
const done = (async () => ({ status: true })) as unknown as Api

test('a favourite is shown in the lists that are there, and none is asked for again', async () => {
  const lists = listsOf(async () => listWith(false))
  await lists.first
  await toggleFavorite({ api: done, queryClient: lists.queryClient }, ACTIVATION_MODE, TOGGLED)
  expect(lists.shown()).toEqual(listWith(true))
  expect(lists.asked()).toBe(1)
})

test('a list that was asked for before the favourite was stored does not undo it', async () => {
  const older = Promise.withResolvers<ServicesReply>()
  const answers = [async () => listWith(false), () => older.promise, async () => listWith(true)]
  const lists = listsOf(() => answers.shift()?.() ?? Promise.reject(new Error('asked too often')))
  await lists.first
  const refetched = lists.queryClient.refetchQueries()
  await toggleFavorite({ api: done, queryClient: lists.queryClient }, ACTIVATION_MODE, TOGGLED)
  older.resolve(listWith(false))
  await refetched
  await expect.poll(() => [lists.asked(), lists.queryClient.isFetching()]).toEqual([3, 0])
  expect(lists.shown()).toEqual(listWith(true))
})

test('a list that came while the favourite was being stored is asked for again, and counts it once', async () => {
  const answers = [listWith(false), listWith(true), listWith(true)]
  const lists = listsOf(async () => answers.shift() ?? Promise.reject(new Error('asked too often')))
  await lists.first
  const { queryClient } = lists
  const stored = (async () => {
    await queryClient.refetchQueries()
    return { status: true }
  }) as unknown as Api
  await toggleFavorite({ api: stored, queryClient }, ACTIVATION_MODE, TOGGLED)
  expect(lists.shown()).toEqual(listWith(true))
  await expect.poll(() => [lists.asked(), queryClient.isFetching()]).toEqual([3, 0])
  expect(lists.shown()).toEqual(listWith(true))
})

test('the whole list, asked for the first time before the favourite was stored, does not come without it', async () => {
  const { queryClient, first } = listsOf(async () => listWith(true))
  await first
  const replies: ((reply: ServicesReply) => void)[] = []
  const whole = new QueryObserver(queryClient, {
    queryKey: [ACTIVATION_MODE.calls.services, 'all'],
    queryFn: () => new Promise<ServicesReply>((resolve) => replies.push(resolve)),
  })
  using stack = new DisposableStack()
  stack.defer(whole.subscribe(() => undefined))
  await expect.poll(() => replies.length).toBe(1)
  await toggleFavorite({ api: done, queryClient }, ACTIVATION_MODE, TOGGLED)
  replies[0]?.(listWith(false))
  await expect.poll(() => replies.length).toBe(2)
  replies[1]?.(listWith(true))
  await expect.poll(() => whole.getCurrentResult().data).toEqual(listWith(true))
})

function listsOf(answer: () => Promise<ServicesReply>) {
  const queryClient = new QueryClient()
  let asked = 0
  const observer = new QueryObserver(queryClient, {
    queryKey: [ACTIVATION_MODE.calls.services],
    queryFn: () => {
      asked += 1
      return answer()
    },
  })
  const first = Promise.withResolvers<void>()
  observer.subscribe(({ data }) => data && first.resolve())
  return { queryClient, first: first.promise, shown: () => observer.getCurrentResult().data, asked: () => asked }
}

function listWith(isFavorite: boolean): ServicesReply {
  const service = { id: 'tg', name: 'Telegram', price: '12.50', count: 9, success_share: null, median_seconds: null }
  return {
    status: true,
    count: 1,
    favorites: isFavorite ? 1 : 0,
    services: [{ ...service, is_favorite: isFavorite }],
  }
}
