import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ActivationRecord, ActiveNumbers } from '#contract/activation.ts'
import { MINUTE } from '#contract/time.ts'
import { activationRecord } from '#test/builders/activation-record.ts'
import { rentalRecord } from '#test/builders/rental-record.ts'
import { anna, MEMBER, NOW } from '#test/components/app-context.ts'
import { type Answers, refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'
import { applyRecordToCache } from '#web/live/apply-to-cache.ts'
import { ACTIVATIONS, RENTALS } from '#web/numbers/list/number-kind.ts'
import { NumbersList } from '#web/numbers/list/numbers-list.tsx'
import { Ticket } from '#web/numbers/ticket/ticket.tsx'

// The list imports rows with the sixth number, which takes seconds on a busy machine.
await import('./number-rows.tsx')

const fromNow = (minutes: number) => new Date(Date.parse(NOW) + minutes * MINUTE).toISOString()

function waiting(id: number, change: Partial<ActivationRecord> = {}): ActivationRecord {
  return activationRecord({
    id,
    phone: `7705${String(id).padStart(7, '0')}`,
    created_at: new Date(Date.parse(NOW) - 5 * MINUTE + id).toISOString(),
    cancel_from: fromNow(-1),
    expires_at: fromNow(15),
    ...change,
  })
}
const received = (id: number, change: Partial<ActivationRecord> = {}) =>
  waiting(id, { state: 'received', code: String(100_000 + id), money: 'captured', ...change })
const cancelled = (record: ActivationRecord): ActivationRecord => ({
  ...record,
  state: 'cancelled',
  final: true,
  money: 'released',
})
const several = (count: number, make = waiting) => Array.from({ length: count }, (_, index) => make(count - index))

/** Answers with pages of the numbers in `open`, which a test may change, and with single numbers of `known`. */
function shop(open: ActivationRecord[], pageSize = 20) {
  const state = { open, known: new Map<number, ActivationRecord>() }
  const one = (id: number) => {
    const data = state.known.get(id) ?? state.open.find((record) => record.id === id)
    if (data === undefined) throw refusal(404, 'NOT_FOUND')
    return { status: true as const, data }
  }
  const answers: Answers = {
    'GET /api/user': anna,
    'GET /api/user/active-numbers': ({ page = 1 }): ActiveNumbers => ({
      status: true,
      antifraud: [],
      total_count: state.open.length,
      numbers: {
        data: state.open.slice((page - 1) * pageSize, page * pageSize),
        meta: { last_page: Math.max(1, Math.ceil(state.open.length / pageSize)), total: state.open.length },
      },
    }),
    'GET /api/v1/activations/{id}': ({ id }) => one(id),
    'POST /api/v1/activations/{id}/cancel': ({ id }) => ({ status: true, data: cancelled(one(id).data) }),
  }
  return { state, answers }
}

async function showList(answers: Answers) {
  return await show(
    <NumbersList
      kind={ACTIVATIONS}
      seed={null}
      heading={<h2 id="numbers-heading">Your numbers</h2>}
      itemHeading="h3"
      renderTicket={(record) => <Ticket record={record} heading="h3" />}
      empty={null}
    />,
    { session: MEMBER, answers },
  )
}

const rows = () => [...document.querySelectorAll<HTMLElement>('.number-row')]
const rowOf = (id: number) => {
  const row = document.querySelector<HTMLElement>(`.number-row[data-activation="${id}"]`)
  if (row === null) throw new Error(`no row of ${id}`)
  return row
}
const checkOf = (id: number) => within(rowOf(id)).getByRole('checkbox')
const heads = () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)

test('five numbers are tickets, the sixth makes rows of all, and five are tickets again', async () => {
  const { answers } = shop(several(5))
  const { app, user } = await showList(answers)
  await waitFor(() => expect(document.querySelectorAll('.ticket-stub')).toHaveLength(5))
  expect(rows()).toEqual([])
  act(() => applyRecordToCache(app.queryClient, 'activation', waiting(6)))
  await waitFor(() => expect(rows()).toHaveLength(6))
  expect(document.querySelectorAll('.ticket-stub')).toHaveLength(0)
  act(() => applyRecordToCache(app.queryClient, 'activation', cancelled(waiting(3))))
  await waitFor(() => expect(heads()).toEqual(['Waiting (5)', 'Ended (1)']))
  expect(rows()).toHaveLength(6)
  await user.click(within(rowOf(3)).getByRole('button', { name: /More actions/ }))
  await user.click(within(rowOf(3)).getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(rows()).toEqual([]))
  expect(document.querySelectorAll('article')).toHaveLength(5)
})

test('a row moves to the group of its state once no pointer is over the list, keeps the focus and stays open', async () => {
  const { answers } = shop(several(7))
  const { app, user } = await showList(answers)
  await waitFor(() => expect(rows()).toHaveLength(7))
  const open = within(rowOf(4)).getByRole('button', { name: /Full ticket/ })
  await user.click(open)
  expect(screen.getAllByRole('article')).toHaveLength(1)
  act(() => applyRecordToCache(app.queryClient, 'activation', received(4)))
  await waitFor(() => expect(rowOf(4).dataset.look).toBe('received'))
  expect(heads()[0]).toBe('Waiting (7)')
  screen.getByRole('button', { name: 'Cancel all waiting (6)' })
  await user.pointer({ target: document.body })
  await waitFor(() => expect(heads()[0]).toBe('Code arrived (1)'))
  expect(rows()[0]).toBe(rowOf(4))
  expect(document.activeElement).toBe(open)
  expect(screen.getAllByRole('article')).toHaveLength(1)
  act(() => applyRecordToCache(app.queryClient, 'activation', waiting(2, { expires_at: fromNow(1) })))
  await waitFor(() => expect(heads()).toContain('Ending soon (1)'))
})

test('Shift selects a range; a bulk cancel asks once, and tells of each number that stayed', async () => {
  const { state, answers } = shop([...several(7), received(8)].toSorted((one, other) => other.id - one.id))
  const early = waiting(7, { cancel_from: fromNow(1.5) })
  state.open = state.open.map((record) => (record.id === 7 ? early : record))
  const refusals = new Map([
    [5, refusal(409, 'CODE_ALREADY_RECEIVED', { message: 'A code has come' })],
    [4, refusal(503, 'SERVER_BUSY' as never, { message: 'The supplier does not answer' })],
  ])
  const cancel = answers['POST /api/v1/activations/{id}/cancel']
  answers['POST /api/v1/activations/{id}/cancel'] = (input) => {
    const refused = refusals.get(input.id)
    if (refused !== undefined) throw refused
    if (typeof cancel !== 'function') throw new Error('the shop cancels')
    return cancel(input)
  }
  state.known.set(5, received(5))
  const { user, sent } = await showList(answers)
  await waitFor(() => expect(rows()).toHaveLength(8))
  await user.click(checkOf(8))
  await user.keyboard('{Shift>}')
  await user.click(checkOf(3))
  await user.keyboard('{/Shift}')
  screen.getByText('6 selected')
  await user.click(screen.getByRole('button', { name: 'Cancel (6)' }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toMatch(/Cancel 4 numbers\? We’ll refund 48\.00\s₽\./u)
  expect(dialog.textContent).toMatch(
    /Can’t be cancelled yet: \+7 705 000 00 07 \(possible in [01]:\d\d\)\. 1 number can no longer be cancelled/u,
  )
  await user.click(within(dialog).getByRole('button', { name: 'Cancel 4 numbers' }))
  await screen.findByText(
    /^2 of 4 numbers cancelled, 24\.00\s₽ refunded\. 1 number received a code before it could be cancelled\./u,
  )
  within(rowOf(4)).getByText('The supplier does not answer')
  expect(rowOf(5).textContent).toContain('100005')
  expect(rowOf(6).dataset.look).toBe('ended')
  const cancels = sent.filter(({ key }) => key === 'POST /api/v1/activations/{id}/cancel')
  expect(new Set(cancels.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(4)
})

test('a cancel that meets the rate limit waits and goes on; no more than four are on their way', async () => {
  const { answers } = shop(several(9))
  const cancel = answers['POST /api/v1/activations/{id}/cancel']
  let [underWay, most, refused] = [0, 0, false]
  answers['POST /api/v1/activations/{id}/cancel'] = async (input) => {
    underWay += 1
    most = Math.max(most, underWay)
    await Promise.resolve()
    underWay -= 1
    if (input.id === 2 && !refused) {
      refused = true
      throw refusal(429, 'TOO_MANY_REQUESTS', { message: 'Too many requests' })
    }
    if (typeof cancel !== 'function') throw new Error('the shop cancels')
    return cancel(input)
  }
  const { user, sent } = await showList(answers)
  await waitFor(() => expect(rows()).toHaveLength(9))
  await user.click(screen.getByRole('button', { name: 'Cancel all waiting (9)' }))
  await user.click(await screen.findByRole('button', { name: 'Cancel 9 numbers' }))
  await screen.findByText(/^9 of 9 numbers cancelled, 108\.00\s₽ refunded\.$/u, {}, { timeout: 5_000 })
  expect(most).toBe(4)
  const keys = sent.filter(({ key, input }) => key.endsWith('/cancel') && (input as { id: number }).id === 2)
  expect(keys).toHaveLength(2)
  expect(keys[0]?.idempotencyKey).toBe(keys[1]?.idempotencyKey)
  expect(heads()).toEqual(['Ended (9)'])
})

test('codes and numbers are copied: one by its press, many as lines', async () => {
  const { answers } = shop([received(8), received(7), ...several(6)])
  const { user } = await showList(answers)
  await waitFor(() => expect(rows()).toHaveLength(8))
  await user.click(within(rowOf(8)).getByRole('button', { name: /100\s?008/u }))
  expect(await navigator.clipboard.readText()).toBe('100008')
  within(rowOf(8)).getByText('Copied')
  await user.click(screen.getByRole('button', { name: 'Copy codes (2)' }))
  expect(await navigator.clipboard.readText()).toBe('77050000008\t100008\n77050000007\t100007')
  await user.click(screen.getByRole('checkbox', { name: 'Select all: Waiting (6)' }))
  await user.click(screen.getByRole('button', { name: 'Copy numbers (6)' }))
  expect((await navigator.clipboard.readText()).split('\n')).toEqual([6, 5, 4, 3, 2, 1].map((id) => `7705000000${id}`))
})

test('once more whose reply was lost is the same purchase when the ticket has become a row', async () => {
  const { state, answers } = shop(several(5))
  answers['GET /api/price'] = { status: true, data: { price: '13.00' } } as never
  let tries = 0
  answers['POST /api/v1/activations'] = ({ price }) => {
    tries += 1
    if (tries === 1) throw refusal(0, 'NO_REPLY')
    return { status: true, data: waiting(9, { price: price ?? '' }) }
  }
  const { app, user, sent } = await showList(answers)
  await waitFor(() => expect(document.querySelectorAll('article')).toHaveLength(5))
  state.open = state.open.filter(({ id }) => id !== 5)
  act(() => applyRecordToCache(app.queryClient, 'activation', cancelled(waiting(5))))
  const pressOnceMore = async (place: HTMLElement) => {
    await user.click(await within(place).findByRole('button', { name: 'Buy another' }))
    await user.click(await screen.findByRole('button', { name: /^Buy for 13\.00/u }))
  }
  const ticket = document.querySelector<HTMLElement>('article[data-activation="5"]')
  await pressOnceMore(ticket ?? document.body)
  await screen.findByText(/won’t be charged twice/u)
  // The number was bought, and its event makes rows of the tickets.
  state.open = [waiting(9), ...state.open]
  act(() => applyRecordToCache(app.queryClient, 'activation', waiting(9)))
  await waitFor(() => expect(rows()).toHaveLength(6))
  await pressOnceMore(rowOf(5))
  await waitFor(() => expect(tries).toBe(2))
  const bought = sent.filter(({ key }) => key === 'POST /api/v1/activations')
  expect(new Set(bought.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
})

test('a number with a notice that cannot be cancelled is no number with a code', async () => {
  const notice = {
    id: 7,
    sender: '',
    text: '',
    code: null,
    received_at: NOW,
    withheld: true as const,
    notice: true as const,
  }
  const { answers } = shop([waiting(6, { messages: [notice] }), ...several(5)])
  answers['POST /api/v1/activations/{id}/cancel'] = ({ id }) => {
    throw refusal(503, 'SERVER_BUSY' as never, { message: `No answer for ${id}` })
  }
  const { user } = await showList(answers)
  await waitFor(() => expect(rows()).toHaveLength(6))
  await user.click(checkOf(6))
  await user.click(screen.getByRole('button', { name: 'Cancel (1)' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel 1 number' }))
  await within(rowOf(6)).findByText('No answer for 6')
  expect(screen.queryByText(/received a code before/u)).toBeNull()
})

test('of ended rentals only the first page is loaded until somebody scrolls', async () => {
  const ended = Array.from({ length: 30 }, (_, index) => rentalRecord({ id: index + 1, state: 'expired', final: true }))
  const { sent } = await show(
    <NumbersList
      kind={RENTALS}
      seed={null}
      heading={<h2 id="numbers-heading">Ended</h2>}
      itemHeading="h3"
      renderTicket={() => null}
      empty={null}
    />,
    {
      session: MEMBER,
      at: '/rent?ended=1',
      answers: {
        'GET /api/user': anna,
        'GET /api/user/active-rent-numbers': ({ page = 1 }) => ({
          status: true,
          antifraud: [],
          total_count: 0,
          numbers: { data: ended.slice((page - 1) * 10, page * 10), meta: { last_page: 3, total: 30 } },
        }),
      },
    },
  )
  await waitFor(() => expect(rows()).toHaveLength(10))
  const asked = sent.filter(({ key }) => key === 'GET /api/user/active-rent-numbers')
  expect(asked.map(({ input }) => input)).toEqual([{ ended: '1', per_page: 10, page: 1 }])
})

test('an ended number buys one more of its pair for the price that was agreed', async () => {
  const { state, answers } = shop(several(6))
  answers['GET /api/price'] = { status: true, data: { price: '13.00' } } as never
  answers['POST /api/v1/activations'] = ({ price }) => ({ status: true, data: waiting(9, { price: price ?? '' }) })
  const { app, user, sent } = await showList(answers)
  await waitFor(() => expect(rows()).toHaveLength(6))
  state.open = state.open.filter(({ id }) => id !== 6)
  act(() => applyRecordToCache(app.queryClient, 'activation', cancelled(waiting(6))))
  await user.click(await within(rowOf(6)).findByRole('button', { name: 'Buy another' }))
  await user.click(await screen.findByRole('button', { name: /^Buy for 13\.00/u }))
  await waitFor(() => rowOf(9))
  expect(sent.find(({ key }) => key === 'POST /api/v1/activations')?.input).toEqual({
    service_id: 'tg',
    country_id: 2,
    price: '13.00',
  })
})
