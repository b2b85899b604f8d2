import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { RentPriceReply } from '#contract/rental.ts'
import { anna, MEMBER } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { ANY, AT, COUNTRIES, meta, SERVICES } from '#test/components/show-panel.tsx'
import { BuyPanel } from '#web/buying/panel/buy-panel.tsx'
import type { PanelSeed } from '#web/buying/panel/load-panel.ts'
import { FirstRental } from './first-rental.tsx'
import { RENT_MODE } from './rent-mode.ts'

const WEEK_HOURS = 168

const price = (hours: number, amount: string): RentPriceReply => ({
  status: true,
  data: {
    operators: [ANY],
    price: amount,
    count: 9,
    currency: 'rub',
    periods: [
      { period: 24, count: 9, price: '93.86' },
      { period: WEEK_HOURS, count: 9, price: '422.37' },
    ].map((one) => (one.period === hours ? { ...one, price: amount } : one)),
  },
})

async function showRent(at: string, hours: number, amount: string) {
  const isPair = at !== '/rent'
  const lists = {
    services: { ...meta, count: 2, services: SERVICES },
    countries: { ...meta, count: 2, countries: COUNTRIES },
  }
  const panel: PanelSeed = {
    ...lists,
    choice: { serviceId: isPair ? 'tg' : null, countryId: isPair ? 2 : null, operatorId: 'any', periodHours: hours },
    service: isPair ? (SERVICES[0] ?? null) : null,
    country: isPair ? (COUNTRIES[0] ?? null) : null,
    price: isPair ? price(hours, amount) : null,
  }
  const user = { ...anna, balance: '900.00', settings: { ...anna.settings, remember_choice: false } }
  const page = (
    <>
      <BuyPanel mode={RENT_MODE} seed={panel} onBought={() => undefined} />
      <FirstRental panel={panel} />
    </>
  )
  return show(page, {
    at,
    session: { ...MEMBER, user },
    answers: {
      'GET /api/user': user,
      'GET /api/rent-services': lists.services,
      'GET /api/rent-countries': lists.countries,
      'GET /api/rent-price': price(hours, amount),
    },
  })
}

test('a period tells its price and that of its day, and the button has the chosen rental beside it', async () => {
  await showRent(`${AT.replace('/', '/rent')}&period=${WEEK_HOURS}`, WEEK_HOURS, '422.37')
  screen.getByRole('button', { name: /^7 days422\.37.₽60\.34.₽\/day$/u, pressed: true })
  screen.getByRole('button', { name: /^1 day93\.86.₽$/u })
  const form = within(screen.getByRole('form'))
  const summary = form.getByText(/^60\.34.+ a day$/u).parentElement
  expect(summary?.textContent).toMatch(/^7 days active until \w+ \d+, \d\d:\d\d60/)
})

test('beside the panel stands what the press begins: the sum, whose messages, and for how long one may cancel', async () => {
  await showRent(`${AT.replace('/', '/rent')}&period=${WEEK_HOURS}`, WEEK_HOURS, '422.37')
  const ticket = screen.getByText('What happens when you press Rent:').parentElement
  const rows = within(ticket ?? document.body).getAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^1You get a number422\.37.+on hold$/u),
    '2Messages arrive herefrom Telegram',
    '3No message yet? You can cancelfull refund within 20 min',
    '4We’ll let you know before it endsyou can extend it',
  ])
})

test('before a choice the ticket has no sum, and says what to do', async () => {
  await showRent('/rent', 24, '93.86')
  screen.getByText('No rented numbers yet')
  expect(screen.queryByText(/on hold/)).toBeNull()
})
