import { InfiniteQueryObserver, notifyManager, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import type { ActivationRecord } from '#contract/activation.ts'
import { FIRST_SETTINGS } from '#contract/settings/user-settings.ts'
import type { User } from '#contract/user.ts'
import { activationRecord } from '#test/builders/activation-record.ts'
import {
  applyEventToCache,
  applyRecordToCache,
  keptKey,
  listKey,
  recordKey,
  seedList,
} from '#web/live/apply-to-cache.ts'
import { mergeArrivals } from '#web/live/merge-arrivals.ts'
import { countRecords } from '#web/live/newest-records.ts'
import type { NumbersPage } from './numbers-cache.ts'

const message = {
  id: 9,
  sender: 'Telegram',
  text: 'code: 48213',
  code: '48213',
  received_at: '2026-05-01T12:01:00.000Z',
}
const waiting = activationRecord()
const received = activationRecord({ state: 'received', money: 'captured', code: '48213', messages: [message] })
const cancelled = activationRecord({ state: 'cancelled', money: 'released', final: true })
const codeCame = { name: 'NewCode', payload: { kind: 'activation', record: received, message } } as const
const gone = { name: 'ActivationChanged', payload: { record: cancelled, balance: null } } as const

const USER: User = {
  id: 5,
  email: 'a@b.test',
  name: 'A',
  role: 'user',
  balance: '10.00',
  held: '0.00',
  debt: '0.00',
  open_payments: 0,
  currency: 'rub',
  created_at: '2025-11-30T12:00:00.000Z',
  notifications_count: 0,
  activations: { count: 0, rent_count: 0 },
  settings: { ...FIRST_SETTINGS, locale: 'ru', copying_code: false, confirmation_actions: false, sound_new_sms: true },
}

function pageOf(data: ActivationRecord[], last_page = 1): NumbersPage<ActivationRecord> {
  return { status: true, numbers: { data, meta: { last_page, total: data.length } }, antifraud: [], total_count: 1 }
}

function watchList(first: NumbersPage<ActivationRecord>) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  const stop = mergeArrivals(queryClient)
  const replies: ((page: NumbersPage<ActivationRecord>) => void)[] = []
  const observer = new InfiniteQueryObserver(queryClient, {
    queryKey: listKey('activation', {}),
    queryFn: () => new Promise<NumbersPage<ActivationRecord>>((resolve) => replies.push(resolve)),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length < last.numbers.meta.last_page ? pages.length + 1 : undefined),
    initialData: { pages: [first], pageParams: [1] },
  })
  const shown = () => observer.getCurrentResult().data?.pages.flatMap(({ numbers }) => numbers.data)
  const seen: (string | undefined)[] = []
  const draw = () =>
    seen.push(
      shown()
        ?.map(({ state }) => state)
        .join(' '),
    )
  const unsubscribe = observer.subscribe(notifyManager.batchCalls(draw))
  return {
    queryClient,
    observer,
    shown,
    seen,
    reply: async (page: NumbersPage<ActivationRecord>) => {
      await expect.poll(() => replies.length).toBe(1)
      replies.shift()?.(page)
    },
    [Symbol.dispose]: () => {
      unsubscribe()
      stop()
      queryClient.clear()
    },
  }
}

afterEach(() => vi.useRealTimers())

it('keeps a code that came while an older list was on its way', async () => {
  using list = watchList(pageOf([waiting]))
  const asked = list.observer.refetch()
  applyEventToCache(list.queryClient, codeCame)
  await list.reply(pageOf([waiting]))
  await asked
  expect(list.shown()).toEqual([received])
  expect(list.seen.slice(list.seen.indexOf('received'))).not.toContain('waiting')
})

it.each(['first', 'second'])(
  '4.13: an open dialog keeps a code that came while its %s request was on its way',
  async (which) => {
    const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
    const stop = mergeArrivals(queryClient)
    const replies: ((record: ActivationRecord) => void)[] = []
    const dialog = new QueryObserver(queryClient, {
      queryKey: recordKey('activation', waiting.id),
      queryFn: () => new Promise((resolve) => replies.push((data) => resolve({ data }))),
      ...(which === 'second' && { initialData: { data: waiting } }),
    })
    const unsubscribe = dialog.subscribe(() => undefined)
    const asked = dialog.refetch()
    await expect.poll(() => replies.length).toBe(1)
    applyEventToCache(queryClient, {
      name: 'ActivationChanged',
      payload: { record: activationRecord({ ...cancelled, id: 2 }), balance: null },
    })
    applyEventToCache(queryClient, codeCame)
    replies[0]?.(waiting)
    await asked
    expect(dialog.getCurrentResult().data).toEqual({ data: received })
    unsubscribe()
    stop()
    queryClient.clear()
  },
)

it('keeps a number that was bought while the list was on its way', async () => {
  using list = watchList(pageOf([]))
  const asked = list.observer.refetch()
  applyRecordToCache(list.queryClient, 'activation', waiting)
  await list.reply(pageOf([]))
  await asked
  expect(list.shown()).toEqual([waiting])
})

it('brings no number back that ended meanwhile, nor a ticket that was dismissed', async () => {
  using list = watchList(pageOf([waiting]))
  const asked = list.observer.refetch()
  applyEventToCache(list.queryClient, gone)
  list.queryClient.setQueryData(keptKey('activation'), [])
  await list.reply(pageOf([waiting]))
  await asked
  expect(list.shown()).toEqual([])
  expect(list.queryClient.getQueryData(keptKey('activation'))).toEqual([])
})

it('changes a first page as well, whose code came while the second was asked for', async () => {
  const other = activationRecord({ id: 2 })
  using list = watchList(pageOf([waiting], 2))
  const next = list.observer.fetchNextPage()
  await list.reply(pageOf([other], 2))
  await next
  const asked = list.observer.refetch()
  await list.reply(pageOf([waiting], 2))
  applyEventToCache(list.queryClient, codeCame)
  await list.reply(pageOf([other], 2))
  await asked
  expect(list.shown()).toEqual([received, other])
})

it('believes a list that was asked for after the event', async () => {
  using list = watchList(pageOf([waiting]))
  applyEventToCache(list.queryClient, codeCame)
  const again = activationRecord({ ...received, state: 'waiting_again' })
  const asked = list.observer.refetch()
  await list.reply(pageOf([again]))
  await asked
  expect(list.shown()).toEqual([again])
})

it('begins a list that a loader asked for with what came since then', () => {
  vi.useFakeTimers({ now: new Date('2026-05-01T12:00:00.000Z') })
  const queryClient = new QueryClient()
  const before = activationRecord({ id: 3 })
  applyRecordToCache(queryClient, 'activation', before)
  vi.advanceTimersByTime(1)
  const seed = { filter: {}, page: pageOf([]), askedAt: new Date().toISOString() }
  applyRecordToCache(queryClient, 'activation', waiting)
  applyRecordToCache(queryClient, 'activation', cancelled)
  applyRecordToCache(queryClient, 'activation', activationRecord({ id: 2 }))
  const { pages } = seedList(queryClient, 'activation', seed)
  expect(pages.flatMap(({ numbers }) => numbers.data.map(({ id }) => id))).toEqual([2])
  const { pages: rentals } = seedList(queryClient, 'rental', seed)
  expect(rentals).toEqual([seed.page])
  queryClient.clear()
})

it('asks anew for a balance that a payment changed while it was asked for', async () => {
  using list = watchList(pageOf([]))
  const { queryClient } = list
  const replies: ((balance: string) => void)[] = []
  const user = new QueryObserver(queryClient, {
    queryKey: ['user'],
    queryFn: () => new Promise((resolve) => replies.push((balance) => resolve({ ...USER, balance }))),
    initialData: USER,
  })
  const unsubscribe = user.subscribe(() => undefined)
  const asked = user.refetch()
  await expect.poll(() => replies.length).toBe(1)
  applyEventToCache(queryClient, { name: 'BalanceTopup', payload: { balance: '60.00', currency: 'rub' } })
  await expect.poll(() => replies.length).toBe(2)
  replies[0]?.('10.00')
  replies[1]?.('60.00')
  await asked
  await expect.poll(() => user.getCurrentResult().isFetching).toBe(false)
  expect(user.getCurrentResult().data).toMatchObject({ balance: '60.00' })
  unsubscribe()
})

it('counts on after a quiet hour: a list is on its way meanwhile', () => {
  vi.useFakeTimers()
  const queryClient = new QueryClient({ defaultOptions: { queries: { gcTime: 300_000 } } })
  applyRecordToCache(queryClient, 'activation', waiting)
  vi.advanceTimersByTime(3_600_000)
  applyRecordToCache(queryClient, 'activation', received)
  expect(countRecords(queryClient, 'activation')).toBe(2)
  queryClient.clear()
})
