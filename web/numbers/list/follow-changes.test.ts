import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import type { ActivationRecord, ActiveNumbers, MessageRecord } from '#contract/activation.ts'
import type { Api } from '#contract/calls/calls.ts'
import type { LiveEvent } from '#contract/live-events.ts'
import type { RentalRecord } from '#contract/rental.ts'
import { activationRecord } from '#test/builders/activation-record.ts'
import { rentalRecord } from '#test/builders/rental-record.ts'
import { createLiveStore } from '#web/house/stores/live-store.ts'
import { keptKey, listKey } from '#web/live/apply-to-cache.ts'
import { followChanges } from './follow-changes.ts'
import { ACTIVATIONS, RENTALS } from './number-kind.ts'

function message(id: number): MessageRecord {
  return { id, sender: 'Telegram', text: `code: ${id}`, code: String(id), received_at: '2026-05-01T12:01:00.000Z' }
}
function record(id: number, change: Partial<ActivationRecord> = {}): ActivationRecord {
  return activationRecord({ id, ...change })
}
function page(...data: ActivationRecord[]): ActiveNumbers {
  return {
    status: true,
    numbers: { data, meta: { last_page: 1, total: data.length } },
    antifraud: [],
    total_count: data.length,
  }
}

function fakeApi(records: ActivationRecord[]) {
  const asked: unknown[] = []
  const api = (async (key: string, input: { id: number }) => {
    asked.push([key, input.id])
    const data = records.find(({ id }) => id === input.id)
    if (data === undefined) throw new Error('unknown activation')
    return { status: true, data }
    // The cast is safe, because the test makes only this call.
  }) as unknown as Api
  return { api, asked }
}

function setUp(shown: ActiveNumbers, records: ActivationRecord[] = []) {
  const queryClient = new QueryClient()
  queryClient.setQueryData(listKey('activation', {}), { pages: [shown], pageParams: [1] })
  const live = createLiveStore()
  const events: LiveEvent[] = []
  live.listen((event) => events.push(event))
  return { queryClient, live, events, ...fakeApi(records) }
}

it('announces a message that no live event brought, once', async () => {
  const shown = page(record(1, { messages: [message(4)] }), record(2))
  const fresh = page(
    record(1, { messages: [message(5), message(4)] }),
    record(2),
    record(3, { messages: [message(6)] }),
  )
  const app = setUp(shown)
  await followChanges(app, ACTIVATIONS, { shown, fresh })
  expect(app.events.map((event) => event.name === 'NewCode' && event.payload.message.id)).toEqual([5])
  await followChanges(app, ACTIVATIONS, { shown: fresh, fresh })
  expect(app.events).toHaveLength(1)
  expect(app.asked).toEqual([])
})

it('asks how a number ended that is gone, and keeps it in view', async () => {
  const shown = page(record(1), record(2), record(3))
  const expired = record(2, { state: 'expired', final: true, money: 'released' })
  const app = setUp(shown, [expired, record(3)])
  await followChanges(app, ACTIVATIONS, { shown, fresh: page(record(1)) })
  expect(app.asked).toEqual([
    ['GET /api/v1/activations/{id}', 2],
    ['GET /api/v1/activations/{id}', 3],
  ])
  expect(app.queryClient.getQueryData(keptKey('activation'))).toEqual([expired])
})

it('asks for many numbers that are gone a few at a time', async () => {
  const all = Array.from({ length: 50 }, (_, index) => record(index + 1))
  const app = setUp(page(...all))
  let [open, most] = [0, 0]
  const slow = (async (_key: string, { id }: { id: number }) => {
    open += 1
    most = Math.max(most, open)
    await new Promise((resolve) => setImmediate(resolve))
    open -= 1
    return { status: true, data: record(id, { state: 'expired', final: true }) }
    // The cast is safe, because the test makes only this call.
  }) as unknown as Api
  await followChanges({ ...app, api: slow }, ACTIVATIONS, { shown: page(...all), fresh: page() })
  expect(most).toBe(4)
  expect(app.queryClient.getQueryData(keptKey('activation'))).toHaveLength(50)
})

it('fails when the end cannot be learnt, so that the list stays as it is until the next try', async () => {
  const shown = page(record(1))
  const app = setUp(shown)
  await expect(followChanges(app, ACTIVATIONS, { shown, fresh: page() })).rejects.toThrow('unknown activation')
})

it('does the same for rentals: a code of one is announced, the end of one is asked for', async () => {
  const rentals = (...data: RentalRecord[]) => ({
    status: true as const,
    numbers: { data, meta: { last_page: 1, total: data.length } },
    antifraud: [],
    total_count: data.length,
  })
  const shown = rentals(rentalRecord({ id: 1 }), rentalRecord({ id: 2 }))
  const expired = rentalRecord({ id: 2, state: 'expired', final: true })
  const queryClient = new QueryClient()
  queryClient.setQueryData(listKey('rental', {}), { pages: [shown], pageParams: [1] })
  const live = createLiveStore()
  const events: LiveEvent[] = []
  live.listen((event) => events.push(event))
  // The cast is safe, because the test makes only this call.
  const api = (async () => ({ status: true, data: expired })) as unknown as Api
  const fresh = rentals(rentalRecord({ id: 1, code: '5', messages: [message(5)], messages_count: 1 }))
  await followChanges({ api, live, queryClient }, RENTALS, { shown, fresh })
  expect(events).toMatchObject([{ name: 'NewCode', payload: { kind: 'rental', message: { id: 5 } } }])
  expect(queryClient.getQueryData(keptKey('rental'))).toEqual([expired])
})
