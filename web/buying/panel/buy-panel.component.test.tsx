import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { TokenReply } from '#contract/account.ts'
import type { ActivationReply } from '#contract/activation.ts'
import type { OperatorItem } from '#contract/catalog.ts'
import { activationRecord } from '#test/builders/activation-record.ts'
import { anna, NOW } from '#test/components/app-context.ts'
import { refusal } from '#test/components/fake-api.ts'
import { ANY, AT, buyButton, most, SOLD_OUT, showPanel } from '#test/components/show-panel.tsx'

test('a double press buys one number, at the price that is shown', async () => {
  const reply = Promise.withResolvers<ActivationReply>()
  const { user, purchases, bought } = await showPanel({ answers: { 'POST /api/v1/activations': () => reply.promise } })
  await user.dblClick(buyButton())
  await screen.findByText('Getting a number…')
  fireEvent.keyDown(document.body, { key: 'Enter' })
  await act(async () => reply.resolve({ status: true, data: activationRecord() }))
  await waitFor(() => expect(bought).toEqual([true]))
  expect(purchases()).toHaveLength(1)
  expect(purchases()[0]?.input).toEqual({ service_id: 'tg', country_id: 2, price: '5.00' })
})

test('a press without an answer is repeated under the same key; the next purchase has another', async () => {
  let tries = 0
  const { user, purchases, bought } = await showPanel({
    answers: {
      'POST /api/v1/activations': () => {
        tries += 1
        if (tries === 1) throw refusal(0, 'NO_REPLY')
        return { status: true, data: activationRecord({ id: tries }) }
      },
    },
  })
  await user.click(buyButton())
  await screen.findByText(/you won’t pay twice/u)
  await user.click(buyButton())
  await waitFor(() => expect(bought).toHaveLength(1))
  await user.click(buyButton())
  await waitFor(() => expect(bought).toHaveLength(2))
  const [first, second, third] = purchases()
  expect(second).toEqual(first)
  expect(third?.idempotencyKey).not.toBe(first?.idempotencyKey)
})

test('a changed price is told with both amounts, stands on the button, and only then is paid', async () => {
  const { user, purchases, bought } = await showPanel({
    answers: {
      'POST /api/v1/activations': ({ price }) => {
        if (price !== '6.50') throw refusal(409, 'PRICE_CHANGED', { data: { price: '6.50' } })
        return { status: true, data: activationRecord({ price: '6.50' }) }
      },
    },
  })
  await user.click(buyButton())
  await screen.findByText(/The price has changed from .*5\.00.* to .*6\.50/u)
  expect(buyButton().textContent).toContain('6.50')
  expect(bought).toEqual([])
  await user.click(buyButton())
  await waitFor(() => expect(bought).toHaveLength(1))
  expect(purchases().map(({ input }) => (input as { price: string }).price)).toEqual(['5.00', '6.50'])
  expect(new Set(purchases().map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2)
})

test('a balance that does not suffice says how much is short, and no press is sent', async () => {
  const { user, purchases } = await showPanel({ balance: '3.50' })
  const button = screen.getByRole('button', { name: /Top up.*1\.50/u })
  await user.click(button)
  fireEvent.keyDown(document.body, { key: 'Enter' })
  await screen.findByText(/Your balance is .*3\.50/u)
  expect(purchases()).toEqual([])
})

// Above the price limit no top-up is offered, because the server would refuse the purchase after it.
test('a price above the own limit is said before the press, which is none; the limit is raised by its own button', async () => {
  const { user, purchases, bought, history } = await showPanel({
    maxPrice: '4.00',
    answers: { 'POST /api/v1/activations': { status: true, data: activationRecord() } },
  })
  const button = await screen.findByRole('button', { name: /^Above your limit of .*4\.00/u })
  expect(button.ariaDisabled).toBe('true')
  await user.click(button)
  fireEvent.keyDown(document.body, { key: 'Enter' })
  await screen.findByText(/The price is now .*5\.00.*, and your limit is .*4\.00/u)
  await user.dblClick(screen.getByRole('button', { name: /^Allow up to .*5\.00/u }))
  await screen.findByText(/^Limit raised to .*5\.00/u)
  expect(history.location.search).toContain('max=5.00')
  expect(purchases()).toEqual([])
  await user.click(buyButton())
  await waitFor(() => expect(bought).toEqual([true]))
  expect(purchases()[0]?.input).toEqual({ service_id: 'tg', country_id: 2, max_price: '5.00' })
})

test('a price above the own limit is no missing money, and a pre-order begins with the limit', async () => {
  const { user, history } = await showPanel({
    maxPrice: '4.00',
    balance: '1.00',
    answers: { 'GET /api/v1/preorders': { data: [] } as never },
  })
  await screen.findByRole('button', { name: /^Above your limit/u })
  expect(screen.queryByRole('button', { name: /^Top up/u })).toBeNull()
  await user.click(await screen.findByRole('button', { name: /^Pre-order at .*4\.00/u }))
  const group = within(await screen.findByRole('group', { name: 'Buy a number as soon as it’s available' }))
  expect(group.getByRole<HTMLInputElement>('textbox', { name: /Price limit/u }).value).toBe('4.00')
  expect(history.location.pathname).toBe('/')
})

const wait = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'How long to wait' })

test('a pre-order without the money says what is missing, and the way back keeps its price and time', async () => {
  const { user, loads, sent } = await showPanel({ ...SOLD_OUT, balance: '3.50' })
  await user.clear(await most())
  await user.type(await most(), '3.5')
  await screen.findByRole('button', { name: 'Place pre-order' })
  await user.clear(await most())
  await user.type(await most(), '50')
  await user.selectOptions(wait(), '24')
  await user.click(await screen.findByRole('button', { name: /Top up.*46\.50/u }))
  await waitFor(() => expect(loads).toHaveLength(1))
  const { pathname, searchParams } = new URL(loads[0]?.url ?? '', 'http://this.site')
  expect(pathname).toBe('/top-up')
  expect(Object.fromEntries(searchParams)).toEqual({ amount: '46.50', back: `${AT}&at=50.00&wait=24` })
  expect(sent.filter(({ key }) => key === 'POST /api/v1/preorders')).toEqual([])
})

test('back from the top-up a pre-order has its terms, and another choice begins anew', async () => {
  const { user, history } = await showPanel({ ...SOLD_OUT, balance: '90.00', at: `${AT}&at=50.00&wait=24` })
  expect([(await most()).value, wait().value]).toEqual(['50.00', '24'])
  const offers = await screen.findAllByRole('button', { name: /Indonesia/u })
  await user.click(offers.at(-1) as HTMLElement)
  await waitFor(() => expect(history.location.search).toBe('?service=tg&country=6'))
})

// Indonesia's last known price is 3.00, so the pre-order must not hold the price limit of 100.
test('a pre-order begins with the lower of the ceiling and the price that is known', async () => {
  await showPanel({ ...SOLD_OUT, maxPrice: '100.00' })
  await waitFor(async () => expect((await most()).value).toBe('3.00'))
})

test('N-16: without a limit nothing is filled in; the last sale and nearer offers suggest prices', async () => {
  const at = new Date(Date.parse(NOW) - 2 * 3_600_000).toISOString()
  const { user } = await showPanel({
    ...SOLD_OUT,
    answers: {
      ...SOLD_OUT.answers,
      'GET /api/v1/preorders/last-sale': { status: true, data: { price: '28.40', at } },
    },
  })
  expect((await most()).value).toBe('')
  const sold = await screen.findByRole('button', { name: /28\.40.*last sold 2 hours ago/u })
  screen.getByRole('button', { name: /3\.00.*closest alternative in stock/u })
  await user.click(sold)
  expect((await most()).value).toBe('28.40')
  expect(sold.getAttribute('aria-pressed')).toBe('true')
})

test('sold out between the look and the press: nothing was charged, and the nearest country is offered', async () => {
  const { user, history } = await showPanel({
    answers: {
      'POST /api/v1/activations': () => {
        throw refusal(409, 'NO_NUMBERS')
      },
      'GET /api/v1/preorders': { data: [] } as never,
    },
  })
  await user.click(buyButton())
  await screen.findByText(/You weren’t charged/u)
  const offers = await screen.findAllByRole('button', { name: /Indonesia/u })
  const offer = offers.at(-1)
  if (offer === undefined) throw new Error('no alternative is offered')
  await user.click(offer)
  await waitFor(() => expect(history.location.search).toContain('country=6'))
})

test('4.12: service, country and operator each ask for a new price, and an operator that is missing gives way', async () => {
  const swift: OperatorItem = { ...ANY, id: 'swift', name: 'Swift', price: '7.00' }
  const { sent, user, pages, history } = await showPanel({
    price: { status: true, data: { operators: [ANY, swift], price: '5.00', count: 9, currency: 'rub' } },
    answers: {
      'GET /api/price': ({ country_id, operator_id }) => ({
        status: true,
        data: {
          operators: country_id === 2 ? [ANY, swift] : [ANY],
          price: operator_id === 'swift' ? '7.00' : '5.00',
          count: 9,
          currency: 'rub',
        },
      }),
    },
  })
  const asked = () => sent.filter(({ key }) => key === 'GET /api/price').map(({ input }) => input)
  await user.click(screen.getByRole('button', { name: /^Operator.*Any operator/u }))
  await user.click(await screen.findByRole('radio', { name: /^Swift/u }))
  await screen.findByRole('button', { name: /^Buy for .*7\.00/u })
  await act(() => pages.go('/?service=tg&country=6&operator=swift'))
  await waitFor(() => expect(history.location.search).toBe('?service=tg&country=6'))
  await screen.findByRole('button', { name: /^Buy for .*5\.00/u })
  screen.getByRole('button', { name: /^Operator.*Any operator/u })
  await act(() => pages.go('/?service=vi&country=6'))
  await waitFor(() =>
    expect(asked()).toEqual([
      { service_id: 'tg', country_id: 2, operator_id: 'swift' },
      { service_id: 'tg', country_id: 6, operator_id: 'swift' },
      { service_id: 'tg', country_id: 6 },
      { service_id: 'vi', country_id: 6 },
    ]),
  )
})

test('a visitor of the demo buys as a guest, once for a double press', async () => {
  const guest = Promise.withResolvers<TokenReply>()
  const { user, purchases, bought, sent } = await showPanel({
    signedIn: false,
    demo: true,
    answers: {
      'POST /api/guest': () => guest.promise,
      'POST /api/v1/activations': { status: true, data: activationRecord() },
    },
  })
  await user.dblClick(screen.getByRole('button', { name: /^Try without registering · .*5\.00/u }))
  await screen.findByText('Getting a number…')
  await act(async () =>
    guest.resolve({ status: true, token: 'of a guest', user: { ...anna, email: '', guest: true as const } }),
  )
  await waitFor(() => expect(bought).toEqual([true]))
  expect(sent.filter(({ key }) => key === 'POST /api/guest')).toHaveLength(1)
  expect(purchases().map(({ input }) => input)).toEqual([{ service_id: 'tg', country_id: 2, price: '5.00' }])
})

test('a visitor of the demo registers when there are too many guests', async () => {
  const { user, purchases } = await showPanel({
    signedIn: false,
    demo: true,
    answers: {
      'POST /api/guest': () => {
        throw refusal(429, 'TOO_MANY_REQUESTS')
      },
    },
  })
  await user.click(screen.getByRole('button', { name: /^Try without registering/u }))
  await screen.findByText(/can’t take any more guests right now/u)
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.click(screen.getByRole('button', { name: /^Register and get the number/u }))
  await screen.findByRole('dialog', { name: 'Register' })
  expect(purchases()).toEqual([])
})

test('F9: a visitor whose address has had its guests is told so, and registers', async () => {
  const words = 'Numbers have already been tried from your address'
  const { user } = await showPanel({
    signedIn: false,
    demo: true,
    answers: {
      'POST /api/guest': () => {
        throw refusal(429, 'TOO_MANY_GUESTS', { message: words })
      },
    },
  })
  await user.click(screen.getByRole('button', { name: /^Try without registering/u }))
  await screen.findByText(`${words}.`)
  expect(screen.queryByText(/takes no more guests right now/u)).toBeNull()
  await user.click(screen.getByRole('button', { name: /^Register and get the number/u }))
  await screen.findByRole('dialog', { name: 'Register' })
})

test('N-21: the ladder stands in the place of the lists, and Escape closes it without a change of the choice', async () => {
  const swift: OperatorItem = { ...ANY, id: 'swift', name: 'Swift', price: '7.00', success_share: 0.9 }
  const data = { operators: [ANY, swift], price: '7.00', count: 9, currency: 'rub' as const }
  const { user, history } = await showPanel({ at: `${AT}&operator=swift`, price: { status: true, data } })
  const operator = () => screen.getByRole('button', { name: /^Operator/u })
  await waitFor(() => expect(operator().textContent).toMatch(/^3OperatorSwift90/u))
  expect(screen.queryByRole('radiogroup')).toBeNull()
  await user.click(operator())
  await screen.findByRole('radiogroup', { name: /cheapest first/u })
  expect([...document.querySelectorAll('[data-look]')].map((step) => step.getAttribute('data-look'))).toEqual([
    'closed',
    'closed',
    'open',
  ])
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('radiogroup')).toBeNull()
  expect(history.location.search).toContain('operator=swift')
})

test('the price limit is the head of the ladder, and the closed step says it', async () => {
  const { user, history } = await showPanel({ maxPrice: '8.00' })
  await user.click(await screen.findByRole('button', { name: /^Operator.*Any operator.*up to .*8\.00/u }))
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Price limit/u })
  expect(field.value).toBe('8.00')
  await user.clear(field)
  await user.type(field, '9')
  expect(history.location.search).toContain('max=9')
})

test('a visitor’s press registers instead of buying', async () => {
  const { user, purchases } = await showPanel({ signedIn: false })
  await user.click(screen.getByRole('button', { name: /Register and get the number/u }))
  await screen.findByRole('dialog', { name: 'Register' })
  expect(purchases()).toEqual([])
})

test('a page that lists the countries itself has them once: the panel lists them at a press', async () => {
  const { user } = await showPanel({ at: '/?service=tg', beside: 'country' })
  const country = screen.getByRole('button', { name: /^Country/ })
  expect(country.getAttribute('aria-expanded')).toBe('false')
  const button = screen.getByRole('button', { name: 'Choose a country' })
  expect(button.getAttribute('aria-disabled')).toBe('false')
  await user.click(button)
  expect(country.getAttribute('aria-expanded')).toBe('true')
  expect(button.getAttribute('aria-disabled')).toBe('true')
})
