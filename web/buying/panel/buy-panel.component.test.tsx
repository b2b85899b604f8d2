import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ActivationReply } from '#contract/activation.ts'
import type { CountryItem, OperatorItem, PriceReply, ServiceItem } from '#contract/catalog.ts'
import { activationRecord } from '#test/builders/activation-record.ts'
import { type Answers, refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'
import { anna, MEMBER } from '#web/session/test-context.ts'
import { ACTIVATION_MODE } from './activation-mode.ts'
import { BuyPanel } from './buy-panel.tsx'
import type { PanelSeed } from './load-panel.ts'

const measured = { price: '5.00', count: 9, success_share: null, median_seconds: null }
const SERVICES: ServiceItem[] = [
  { ...measured, id: 'tg', name: 'Telegram', also: [], is_favorite: false },
  { ...measured, id: 'vi', name: 'Viber', also: [], is_favorite: false },
]
const COUNTRIES: CountryItem[] = [
  { ...measured, id: 2, name: 'Kazakhstan', also: [], iso2: 'KZ', dial: '7', is_favorite: false },
  { ...measured, id: 6, name: 'Indonesia', also: [], iso2: 'ID', dial: '62', price: '3.00', is_favorite: false },
]
const ANY: OperatorItem = { ...measured, id: 'any', name: 'Any operator', p90_seconds: null }

function priced(price: string | null, count = 9): PriceReply {
  return { status: true, data: { operators: [ANY], price, count, currency: 'rub' } }
}
const meta = { status: true, favorites: 0 } as const
const LISTS: Answers = {
  'GET /api/services': { ...meta, count: 2, services: SERVICES },
  'GET /api/countries': { ...meta, count: 2, countries: COUNTRIES },
  'GET /api/user': anna,
  // The choice is remembered.
  'PATCH /api/v1/user/settings': { status: true as const },
}

type Shown = {
  price?: PriceReply
  answers?: Answers
  signedIn?: boolean
  balance?: string
  /** The ceiling of the settings. */
  maxPrice?: string
  at?: string
  services?: unknown
  countries?: CountryItem[]
}
const AT = '/?service=tg&country=2'

/** The panel with Telegram in Kazakhstan chosen, as its page would be loaded. */
async function showPanel(shown: Shown = {}) {
  const { price = priced('5.00'), answers = {}, signedIn = true, balance = '10.00', maxPrice = null, at = AT } = shown
  const user = { ...anna, balance, settings: { ...anna.settings, max_price: maxPrice } }
  const seed: PanelSeed = {
    choice: { serviceId: 'tg', countryId: 2, operatorId: 'any', periodHours: null } as never,
    services: (shown.services ?? { ...meta, count: 2, services: SERVICES }) as never,
    countries: { ...meta, count: 2, countries: shown.countries ?? COUNTRIES },
    service: SERVICES[0] ?? null,
    country: COUNTRIES[0] ?? null,
    price,
  }
  const bought: true[] = []
  const drawn = await show(<BuyPanel mode={ACTIVATION_MODE} seed={seed} onBought={() => bought.push(true)} />, {
    at,
    answers: { ...LISTS, 'GET /api/user': user, 'GET /api/price': price, ...answers },
    ...(signedIn && { session: { ...MEMBER, user } }),
  })
  const purchases = () => drawn.sent.filter(({ key }) => key === 'POST /api/v1/activations')
  return { ...drawn, bought, purchases }
}
const buyButton = () => screen.getByRole('button', { name: /^Buy for/u })

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
  await screen.findByText(/it will not be bought twice/u)
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
      // The list of prices is still the old one.
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
  const button = screen.getByRole('button', { name: /1\.50.* short/u })
  await user.click(button)
  fireEvent.keyDown(document.body, { key: 'Enter' })
  await screen.findByText(/The balance is .*3\.50/u)
  expect(purchases()).toEqual([])
})

// A top-up would help nobody here: the purchase would be refused after it.
test('a price above the own limit is said before the press, which is none; the limit is raised by its own button', async () => {
  const { user, purchases, bought, history } = await showPanel({
    maxPrice: '4.00',
    answers: { 'POST /api/v1/activations': { status: true, data: activationRecord() } },
  })
  const button = await screen.findByRole('button', { name: /^Above your limit of .*4\.00/u })
  expect(button.ariaDisabled).toBe('true')
  await user.click(button)
  fireEvent.keyDown(document.body, { key: 'Enter' })
  await screen.findByText(/It is .*5\.00.* now, and your limit is .*4\.00/u)
  // The second click of two finds the same button, and not the purchase.
  await user.dblClick(screen.getByRole('button', { name: /^Raise it to .*5\.00/u }))
  await screen.findByText(/^The limit is raised to .*5\.00/u)
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
  expect(screen.queryByRole('button', { name: /short/u })).toBeNull()
  await user.click(await screen.findByRole('button', { name: /^Pre-order at .*4\.00/u }))
  const group = within(await screen.findByRole('group', { name: 'Buy it as soon as it is there' }))
  expect(group.getByRole<HTMLInputElement>('textbox', { name: /At most/u }).value).toBe('4.00')
  expect(history.location.pathname).toBe('/')
})

const SOLD_OUT = { price: priced(null, 0), answers: { 'GET /api/v1/preorders': { data: [] } as never } }
const most = () => screen.findByRole<HTMLInputElement>('textbox', { name: /At most/u })
const wait = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Wait for' })

test('a pre-order without the money says what is missing, and the way back keeps its price and time', async () => {
  const { user, loads, sent } = await showPanel({ ...SOLD_OUT, balance: '3.50' })
  await user.clear(await most())
  await user.type(await most(), '3.5')
  await screen.findByRole('button', { name: 'Place the pre-order' })
  await user.clear(await most())
  await user.type(await most(), '50')
  await user.selectOptions(wait(), '24')
  await user.click(await screen.findByRole('button', { name: /46\.50.* short/u }))
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

// Indonesia costs 3.00, which is known: a default of 100 must not be held for it.
test('a pre-order begins with the lower of the ceiling and the price that is known', async () => {
  await showPanel({ ...SOLD_OUT, maxPrice: '100.00' })
  await waitFor(async () => expect((await most()).value).toBe('3.00'))
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
  await screen.findByText(/Nothing was charged/u)
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
  const operator = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Operator' })
  await user.selectOptions(operator(), 'swift')
  await screen.findByRole('button', { name: /^Buy for .*7\.00/u })
  await act(() => pages.go('/?service=tg&country=6&operator=swift'))
  // Indonesia has no such operator: the first is chosen, in the address, too, and its price is asked for.
  await waitFor(() => expect(history.location.search).toBe('?service=tg&country=6'))
  await screen.findByRole('button', { name: /^Buy for .*5\.00/u })
  expect(operator().value).toBe('any')
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

test('a visitor’s press registers instead of buying', async () => {
  const { user, purchases } = await showPanel({ signedIn: false })
  await user.click(screen.getByRole('button', { name: /Register and get the number/u }))
  await screen.findByRole('dialog', { name: 'Register' })
  expect(purchases()).toEqual([])
})

// N-1: the focus went to the countries, since the step of services is folded once a pair is remembered.
test('/ vib ⏎ indo ⏎ ⏎ buys whatever was chosen before, and Escape gives the pair before the search back', async () => {
  const { user, purchases, history } = await showPanel({
    balance: '90.00',
    answers: { 'POST /api/v1/activations': { status: true, data: activationRecord() } },
  })
  const services = screen.getByRole<HTMLInputElement>('searchbox', { name: /service/iu, hidden: true })
  await user.keyboard('/{Escape}')
  expect(history.location.search).toBe('?service=tg&country=2')
  await user.keyboard('/')
  expect(document.activeElement).toBe(services)
  await user.keyboard('vib{Enter}')
  await waitFor(() => expect(history.location.search).toBe('?service=vi&country=2'))
  expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: /country/iu }))
  await user.keyboard('indo{Enter}')
  await waitFor(() => expect(history.location.search).toBe('?service=vi&country=6'))
  expect(document.activeElement).toBe(buyButton())
  // The same pair once more is a path like any other.
  await user.keyboard('/vib{Enter}')
  await waitFor(() => expect(document.activeElement?.getAttribute('data-panel-search')).toBe('country'))
  await user.keyboard('indo{Enter}')
  await waitFor(() => expect(document.activeElement).toBe(buyButton()))
  expect(purchases()).toEqual([])
  await user.keyboard('{Enter}')
  await waitFor(() =>
    expect(purchases().map(({ input }) => input)).toMatchObject([{ service_id: 'vi', country_id: 6 }]),
  )
})

test('N-1: Escape in the search of countries leads back to that of services once their choice is undone', async () => {
  const { user, history } = await showPanel({ at: '/?service=tg' })
  await user.click(screen.getByRole('searchbox', { name: /country/iu }))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(history.location.search).toBe(''))
  expect(document.activeElement?.getAttribute('data-panel-search')).toBe('service')
})

test('N-16: a pre-order of what nobody sells says what other services cost there', async () => {
  const others = ['wa', 'vi', 'ok'].map((id, place) => ({ ...SERVICES[0], id, name: id, price: `${place + 2}.50` }))
  const nobody = { ...SOLD_OUT.answers, 'GET /api/countries': { ...meta, count: 0, countries: [] } }
  const services = { ...meta, count: 4, services: [{ ...SERVICES[0], price: null }, ...others] }
  const { user } = await showPanel({
    ...SOLD_OUT,
    services,
    countries: [],
    answers: { ...nobody, 'GET /api/services': services } as never,
  })
  await most()
  await screen.findByText(/cost from 2\.50.*, usually about 3\.50/u)
  expect((await most()).value).toBe('')
  await user.click(screen.getByRole('button', { name: 'Place the pre-order' }))
  await screen.findByText('Say how much you would pay')
})
