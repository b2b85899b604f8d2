import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { PaymentRecord, PaymentSystemRecord, PaymentsHistory, PaymentsReply } from '#contract/payment.ts'
import { anna, MEMBER, NOW } from '#test/components/app-context.ts'
import { refusal } from '#test/components/fake-api.ts'
import { pressEarly } from '#test/components/press-early.tsx'
import { show } from '#test/components/show.tsx'
import { applyEventToCache } from '#web/live/apply-to-cache.ts'
import { Page } from './page.tsx'

const CARD: PaymentSystemRecord = {
  key: 'card',
  name: 'Card',
  form: 'redirect',
  mark: 'card',
  currency: 'rub',
  min: '100.00',
  max: '5000.00',
  fee_percent: '3.5',
  fee_by: 'payer',
  bonus_percent: '0',
  minutes: 1,
}
const OPEN: PaymentRecord = {
  transaction_id: 'one',
  system: 'card',
  name: 'Card',
  mark: 'card',
  form: 'redirect',
  state: 'pending',
  closed: false,
  dispute: null,
  sum: '500.00',
  currency: 'rub',
  fee: '0.00',
  bonus: '0.00',
  received: '0.00',
  refunded: '0.00',
  credited: '0.00',
  redirect_url: 'https://bank.test/one',
  address: null,
  amount: '500.00',
  asset: null,
  network: null,
  qrCode: null,
  wallet_url: null,
  instructions: null,
  confirmations: null,
  created_at: NOW,
  expired_at: '2026-01-01T00:20:00.000Z',
  paid_at: null,
}

async function showPage(
  payments: PaymentRecord[],
  options: { at?: string; latest?: () => Promise<PaymentsHistory>; systems?: PaymentsReply['systems'] } = {},
) {
  const known = new Map(payments.map((payment) => [payment.transaction_id, payment]))
  const reply = (): PaymentsReply => ({
    status: true,
    systems: options.systems ?? { card: CARD },
    default_system: 'card',
    bonuses: [],
    active_payments: Object.fromEntries([...known].filter(([, { state }]) => state === 'pending')),
  })
  const latest: PaymentsHistory = { status: true, history: { data: [], meta: { last_page: 1, total: 0 } } }
  const recordOf = (id: string) => ({ status: true, data: known.get(id) ?? OPEN }) as const
  const drawn = await show(<Page />, {
    session: MEMBER,
    at: options.at ?? '/top-up',
    data: { askedAt: NOW, payments: reply(), latest, missing: null, waiting: null },
    answers: {
      'GET /api/user': () => ({ ...anna, balance: known.get('one')?.state === 'paid' ? '500.00' : anna.balance }),
      'GET /api/payments': reply,
      'GET /api/payments-history': options.latest ?? latest,
      'GET /api/v1/payments/{transaction_id}': ({ transaction_id: id }) => recordOf(id),
      'POST /api/v1/payments/{transaction_id}/cancel': ({ transaction_id: id }) => {
        known.set(id, { ...recordOf(id).data, state: 'expired', closed: true })
        return recordOf(id)
      },
      'POST /api/v1/payments': () => {
        throw refusal(409, 'TOO_MANY_PAYMENTS', { message: 'as many as you may' })
      },
    },
  })
  return { ...drawn, known }
}

const five = ['one', 'two', 'three', 'four', 'five'].map((transaction_id) => ({ ...OPEN, transaction_id }))
const wholeOnes = () => screen.getAllByRole('article', { name: 'Payment in progress' })

test('a payment that ends in another tab is told here, where nobody has begun it', async () => {
  const { app, known } = await showPage([OPEN])
  expect(screen.getByRole('status').textContent).toBe('')
  known.set('one', { ...OPEN, state: 'paid', received: '500.00', credited: '500.00', paid_at: NOW })
  await app.queryClient.invalidateQueries()
  await screen.findByText(/500.*credited\.$/u)
  expect(screen.queryByRole('article')).toBeNull()
})

test('a payment goes from the form to the line about it, to the history and to the balance in one step', async () => {
  const answer = Promise.withResolvers<PaymentsHistory>()
  const { app, known } = await showPage([OPEN], { latest: () => answer.promise })
  const paid = { ...OPEN, state: 'paid', received: '500.00', credited: '500.00', paid_at: NOW } as const
  known.set('one', paid)
  const seen: string[] = []
  const watch = new MutationObserver(() => {
    const [form, history] = [screen.queryByRole('article'), screen.queryByRole('list')]
    const told = screen.getByRole('status').textContent !== ''
    const balance = screen.queryByText(/^500\.00.*₽$/u, { selector: 'h1 + p > .text-2xl' })
    const shown = { form, told: told || null, history, balance }
    seen.push(
      Object.entries(shown)
        .flatMap(([name, part]) => (part === null ? [] : name))
        .join(' '),
    )
  })
  watch.observe(document.body, { childList: true, characterData: true, subtree: true })
  applyEventToCache(app.queryClient, { name: 'BalanceTopup', payload: { balance: '500.00', currency: 'rub' } })
  await waitFor(() => expect(app.queryClient.isFetching()).toBe(1))
  expect(wholeOnes()).toHaveLength(1)
  answer.resolve({ status: true, history: { data: [paid], meta: { last_page: 1, total: 1 } } })
  await screen.findByText(/500.*credited\.$/u)
  await waitFor(() => expect(app.queryClient.isFetching()).toBe(0))
  watch.disconnect()
  expect(new Set(seen.filter((step) => step !== 'form'))).toEqual(new Set(['told history balance']))
})

test('one that is closed here has a word of its own, and the focus goes to it', async () => {
  const { user } = await showPage([OPEN])
  const button = screen.getByRole('button', { name: 'Close this payment' })
  button.focus()
  await user.keyboard('{Enter}')
  const told = await screen.findByText(/^You closed this payment\./u)
  expect(told.dataset.outcome).toBe('closed')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('status')))
})

test('of five open payments one is whole and four are rows; a row opens and takes the focus', async () => {
  const { user, container } = await showPage(five)
  const folded = () =>
    [...container.querySelectorAll<HTMLElement>('[data-folded]')].map(({ dataset }) => dataset.folded)
  expect(wholeOnes().map(({ dataset }) => dataset.payment)).toEqual(['one'])
  expect(folded()).toEqual(['two', 'three', 'four', 'five'])
  await user.click(within(container).getAllByRole('button', { expanded: false })[1] ?? container)
  expect(wholeOnes().map(({ dataset }) => dataset.payment)).toEqual(['three'])
  expect(folded()).toEqual(['one', 'two', 'four', 'five'])
  expect(document.activeElement).toBe(wholeOnes()[0])
})

test('the limit of open payments stands where the button is, and the press does nothing', async () => {
  const { user, sent } = await showPage(five)
  const button = screen.getByRole('button', { name: /^Top up \d/u })
  screen.getByText(/^You have 5 open payments/u)
  expect(button.getAttribute('aria-disabled')).toBe('true')
  await user.click(button)
  expect(sent.map(({ key }) => key)).not.toContain('POST /api/v1/payments')
})

test('a limit that the page does not know of is told there, too', async () => {
  const { user } = await showPage([])
  const button = screen.getByRole('button', { name: /^Top up \d/u })
  await user.click(button)
  const told = await screen.findByText('as many as you may')
  expect(button.getAttribute('aria-describedby')).toBe(told.id)
})

test('nothing is promised beside an error, which says what is wrong', async () => {
  const { user } = await showPage([])
  const amount = screen.getByLabelText(/^Amount/u)
  const promise = () => screen.queryByText(/^You’ll receive/u)
  expect(promise()).not.toBeNull()
  for (const [typed, words] of [
    ['12.345', 'Up to two decimal places'],
    ['9', /^Enter an amount from 100/u],
    ['abc', /^Enter an amount such as/u],
  ] as const) {
    await user.clear(amount)
    await user.type(amount, typed)
    screen.getByText(words)
    expect(promise()).toBeNull()
    screen.getByRole('button', { name: 'Top up' })
  }
})

test('the amount stays when another way to pay is chosen, unless that one takes other money', async () => {
  const bank = { ...CARD, key: 'bank', name: 'Bank', min: '1000.00' }
  const dollars: PaymentSystemRecord = { ...CARD, key: 'coin', name: 'Coin', currency: 'usd', min: '1.00' }
  const { user } = await showPage([], { systems: { card: CARD, bank, coin: dollars } })
  const typed = () => screen.getByRole<HTMLInputElement>('textbox').value
  await user.clear(screen.getByRole('textbox'))
  await user.type(screen.getByRole('textbox'), '720')
  await user.click(screen.getByRole('radio', { name: /^Bank/ }))
  expect(typed()).toBe('720')
  expect(screen.getByRole('textbox').getAttribute('aria-invalid')).toBe('true')
  await user.click(screen.getByRole('radio', { name: /^Coin/ }))
  expect(typed()).toBe('10')
  await user.click(screen.getByRole('radio', { name: /^Card/ }))
  expect(typed()).toBe('720')
})

test('with a way to pay of another least, chosen before hydration, no other amount is paid than was pressed', async () => {
  const bank = { ...CARD, key: 'bank', name: 'Bank', min: '1000.00' }
  const { sent } = await showPage([], { systems: { card: CARD, bank } })
  const radio = screen.getByRole<HTMLInputElement>('radio', { name: /^Bank/ })
  const [few, pay] = [
    screen.getByRole('button', { name: /^200/u }),
    screen.getByRole('button', { name: /^Top up \d/u }),
  ]
  radio.checked = true
  await pressEarly([radio, few], pay)
  expect(radio.checked).toBe(true)
  expect(pay.textContent).toMatch(/3.000/u)
  expect(sent.map(({ key }) => key)).not.toContain('POST /api/v1/payments')
  await pressEarly([], pay)
  expect(sent.find(({ key }) => key === 'POST /api/v1/payments')?.input).toEqual({ system: 'bank', amount: '3000.00' })
})

test('N-21: once the money for the chosen number is there, the form is folded under the way back', async () => {
  const { app, known } = await showPage([OPEN], { at: '/top-up?back=%2F%3Fservice%3Dtg%26country%3D2' })
  const button = () => screen.getByRole('button', { name: /^Top up \d/u })
  expect(button().closest('details')).toBeNull()
  known.set('one', { ...OPEN, state: 'paid', received: '500.00', credited: '500.00', paid_at: NOW })
  await app.queryClient.invalidateQueries()
  const way = await screen.findByRole('link', { name: 'Back to your purchase' })
  expect(way.getAttribute('href')).toBe('/?service=tg&country=2')
  expect(screen.getByText('Top up again').closest('details')?.open).toBe(false)
})
