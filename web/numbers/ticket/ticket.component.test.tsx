import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ActivationRecord } from '#contract/activation.ts'
import type { Locale } from '#contract/constants.ts'
import { MINUTE } from '#contract/time.ts'
import { activationRecord } from '#test/builders/activation-record.ts'
import { anna, MEMBER, NOW } from '#test/components/app-context.ts'
import { type Answers, refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'
import { Ticket } from './ticket.tsx'

const fromNow = (minutes: number) => new Date(Date.parse(NOW) + minutes * MINUTE).toISOString()

type Reader = { asksFirst?: boolean; locale?: Locale }

async function showTicket(
  change: Partial<ActivationRecord>,
  answers: Answers = {},
  { asksFirst = false, locale = 'en' }: Reader = {},
) {
  const record = activationRecord({
    created_at: fromNow(-3),
    cancel_from: fromNow(-1),
    expires_at: fromNow(17),
    ...change,
  })
  const user = { ...anna, settings: { ...anna.settings, confirmation_actions: asksFirst } }
  const own: Answers = { 'GET /api/user': user, ...answers }
  return await show(<Ticket record={record} heading="h3" />, {
    session: { ...MEMBER, user },
    answers: own,
    locale,
  })
}
const actions = () =>
  screen
    .queryAllByRole('button')
    .map(({ textContent }) => textContent ?? '')
    .filter((name) => /^(?:Cancel|Number is taken|Another|Done|Remove|Buy again|Buy another)/u.test(name))

test.each<[string, Partial<ActivationRecord>, string[]]>([
  ['waiting', {}, ['Cancel', 'Another number', 'Number is taken']],
  ['received', { state: 'received', code: '123456', money: 'captured' }, ['Another code', 'Done']],
  ['waiting again', { state: 'waiting_again', code: '123456' }, ['Done']],
  ['reserving', { state: 'reserving', phone: null as never }, []],
  ['cancelled', { state: 'cancelled', final: true }, ['Buy another', 'Remove']],
  ['finished, repeatable', { state: 'finished', final: true, can_repeat: true }, ['Buy again', 'Remove']],
])('%s: these actions and no others', async (_name, change, expected) => {
  await showTicket(change)
  expect(actions()).toEqual(expected)
})

test('before cancellation opens, the button counts down and a press sends nothing', async () => {
  const { user, sent } = await showTicket({ cancel_from: fromNow(1.5) })
  const [cancel] = actions()
  expect(cancel).toMatch(/^Cancel1:(?:29|30)/u)
  await user.click(screen.getByRole('button', { name: /^Cancel/u }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(sent).toEqual([])
})

test('13: the wait for the cancellation fills its button', async () => {
  await showTicket({ created_at: fromNow(-3), cancel_from: fromNow(1) })
  const cancel = screen.getByRole('button', { name: /^Cancel/u })
  const width = Number.parseFloat(cancel.querySelector<HTMLElement>('[aria-hidden]')?.style.width ?? '')
  expect(width).toBeGreaterThan(70)
  expect(width).toBeLessThan(80)
})

test.each<[string, Partial<ActivationRecord>]>([
  ['waiting', {}],
  ['received', { state: 'received', code: '813953', money: 'captured' }],
  ['waiting again', { state: 'waiting_again', code: '813953', money: 'captured' }],
  ['finished', { state: 'finished', final: true, code: '813953', money: 'captured' }],
])('22: the price stands in the same place while the number is %s', async (_name, change) => {
  await showTicket({ price: '12.00', ...change })
  const prices = screen.getAllByText((_text, element) => /^₽?\s?12\.00\s?₽?$/u.test(element?.textContent ?? ''))
  const place = screen.getByRole('heading').parentElement?.parentElement
  expect(prices.some((price) => place?.contains(price))).toBe(true)
  expect(prices.every((price) => price.closest('.ticket-stub') === null)).toBe(true)
})

test('an activation whose time is over offers nothing until the server has settled it', async () => {
  await showTicket({ expires_at: fromNow(-0.1) })
  expect(actions()).toEqual([])
})

test('cancel asks first where the user wants it: "Never mind" sends nothing, the answer sends one call', async () => {
  const cancelled = activationRecord({ state: 'cancelled', final: true, money: 'released' })
  const { user, sent } = await showTicket(
    {},
    { 'POST /api/v1/activations/{id}/cancel': { status: true, data: cancelled } },
    { asksFirst: true },
  )
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(await screen.findByRole('button', { name: 'Never mind' }))
  expect(sent).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  const dialog = await screen.findByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(sent[0]?.key).toBe('POST /api/v1/activations/{id}/cancel'))
  expect(sent[0]?.idempotencyKey).toMatch(/\S{16,}/u)
})

test('a conflict fetches the number as it has become', async () => {
  const { user, sent } = await showTicket(
    { state: 'received', code: '123456' },
    {
      'POST /api/v1/activations/{id}/again': () => {
        throw refusal(409, 'ACTIVATION_ENDED', { message: 'It has ended' })
      },
      'GET /api/v1/activations/{id}': { status: true, data: activationRecord({ state: 'finished', final: true }) },
    },
  )
  await user.click(screen.getByRole('button', { name: 'Another code' }))
  await screen.findByText('It has ended')
  await waitFor(() => expect(sent.map(({ key }) => key)).toContain('GET /api/v1/activations/{id}'))
})

test('what was paid back says so instead of the price that was kept', async () => {
  await showTicket({
    state: 'finished',
    final: true,
    money: 'captured',
    code: '48213',
    price: '13.00',
    refunded: '13.00',
  })
  screen.getByText('Refunded')
  screen.getByText(/^Refunded to your balance:/u)
  expect(screen.queryByText('48213')).toBeNull()
})

test('a message tells its time in the zone of the settings, and its day where that is another one', async () => {
  // 11:30 UTC is 01:30 of the next day in Kiritimati, UTC+14.
  const message = {
    id: 1,
    text: 'Code 123456',
    code: '123456',
    sender: 'Telegram',
    received_at: '2025-03-04T11:30:00.000Z',
  }
  const record = activationRecord({ state: 'received', code: '123456', messages: [message] })
  const user = { ...anna, settings: { ...anna.settings, time_zone: 'Pacific/Kiritimati' } }
  await show(<Ticket record={record} heading="h3" />, {
    session: { ...MEMBER, user },
    answers: { 'GET /api/user': user },
  })
  expect(screen.getByText(/01:30/).textContent).toMatch(/5 Mar 2025|Mar 5, 2025/)
})

const CLOSED = {
  id: 7,
  sender: '',
  text: '',
  code: null,
  received_at: NOW,
  withheld: true as const,
  notice: true as const,
}
const OPEN = 'POST /api/v1/activations/{id}/open'
const NOT_MINE = 'POST /api/v1/activations/{id}/not-my-code'

test.each([
  ['en', /^A notice without a code arrived/u, /may already be registered.*Number is taken/u, /^Read notice ·\s.*12/u],
  ['ru', /^Пришло уведомление без кода/u, /уже зарегистрирован.*Номер занят/u, /^Прочитать за\s12,00/u],
] as const)(
  'OP-1, %s: a closed notice says what it means and what its words cost, and the number goes on waiting',
  async (locale, came, meaning, button) => {
    await showTicket({ messages: [CLOSED] }, {}, { locale })
    const notice = screen.getByRole('region', { name: came })
    within(notice).getByText(meaning)
    within(notice).getByRole('button', { name: button })
    if (locale === 'en') expect(actions()).toEqual(['Cancel', 'Another number', 'Number is taken'])
  },
)

test('OP-1: several closed notices are one, which a press opens for the price; it asks first where the user wants it', async () => {
  const read = { ...CLOSED, sender: 'Telegram', text: 'New sign-in from Chrome', withheld: undefined }
  const opened = activationRecord({ state: 'received', money: 'captured', messages: [read] })
  const two = [CLOSED, { ...CLOSED, id: 8 }]
  const answers = { [OPEN]: { status: true as const, data: opened } }
  const { user, sent } = await showTicket({ messages: two }, answers, { asksFirst: true })
  screen.getByRole('region', { name: /^2 notices without a code arrived/u })
  await user.click(screen.getByRole('button', { name: /^Read notice ·/u }))
  const dialog = await screen.findByRole('dialog')
  within(dialog).getByText(/12.*be charged whatever it says/u)
  await user.click(within(dialog).getByRole('button', { name: 'Never mind' }))
  expect(sent).toEqual([])
  await user.click(screen.getByRole('button', { name: /^Read notice ·/u }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Read notice' }))
  await waitFor(() => expect(sent[0]?.key).toBe(OPEN))
})

test('OP-1: a press opens at once for who wants no questions, and a number whose time is over offers nothing', async () => {
  const answers = { [OPEN]: { status: true as const, data: activationRecord({ state: 'received' }) } }
  const { user, sent, unmount } = await showTicket({ messages: [CLOSED] }, answers)
  await user.click(screen.getByRole('button', { name: /^Read notice ·/u }))
  await waitFor(() => expect(sent[0]?.key).toBe(OPEN))
  unmount()
  await showTicket({ messages: [CLOSED], expires_at: fromNow(-0.1) })
  expect(screen.queryByRole('button', { name: /^Read notice ·/u })).toBeNull()
})

test('OP-1: "not my code" asks, also who wants no questions, and a refusal says why', async () => {
  const message = { id: 3, sender: '+447900000001', text: 'Your code is 48213', code: '48213', received_at: NOW }
  const received = { state: 'received' as const, money: 'captured' as const, code: '48213', messages: [message] }
  const refuse = () => {
    throw refusal(409, 'TOO_MANY_REPORTS', { message: 'Too often' })
  }
  const { user, sent } = await showTicket(received, {
    [NOT_MINE]: refuse,
    'GET /api/v1/activations/{id}': { status: true, data: activationRecord(received) },
  })
  await user.click(screen.getByRole('button', { name: 'Not my code' }))
  const dialog = await screen.findByRole('dialog')
  within(dialog).getByText(/^Is this not a code from Telegram.*refund the price/u)
  expect(sent).toEqual([])
  await user.click(within(dialog).getByRole('button', { name: 'Not my code' }))
  await screen.findByText('Too often')
})

test('OP-1: an opened notice is not called a code', async () => {
  const read = { ...CLOSED, sender: 'Telegram', text: 'New sign-in from Chrome', withheld: undefined }
  await showTicket({ state: 'received', money: 'captured', messages: [read] })
  screen.getByText('Notice opened')
  expect(screen.queryByText(/Look for the code in the text/u)).toBeNull()
})

test.each<[string, Partial<ActivationRecord>]>([
  ['waiting', {}],
  ['after a notice that was paid for', { state: 'received', messages: [{ ...CLOSED, withheld: undefined }] }],
  ['after the end', { state: 'finished', final: true, code: '48213' }],
])('OP-1: "not my code" is not offered %s', async (_name, change) => {
  await showTicket(change)
  expect(screen.queryByRole('button', { name: 'Not my code' })).toBeNull()
})
