import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { anna, MEMBER } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { AT, COUNTRIES, meta, priced, SERVICES } from '#test/components/show-panel.tsx'
import type { PanelSeed } from '#web/buying/panel/load-panel.ts'
import { FirstNumber } from './first-number.tsx'

const measured = { success_share: 0.76, median_seconds: 9.4 }
const countries = { ...meta, count: 2, countries: COUNTRIES.map((country) => ({ ...country, ...measured })) }
const services = { ...meta, count: 2, services: SERVICES }
const tg = SERVICES[0] ?? null
const nothing = { serviceId: null, countryId: null, operatorId: 'any', periodHours: 24 }
const pair = { serviceId: 'tg', countryId: 2, operatorId: 'any', periodHours: 24 }

async function showFirst(at: string, balance: string, latest: Parameters<typeof FirstNumber>[0]['latest'] = []) {
  const isPair = at === AT
  const panel: PanelSeed = {
    choice: isPair ? pair : nothing,
    services,
    countries,
    service: isPair ? tg : null,
    country: null,
    price: null,
  }
  const popular = isPair || tg === null ? null : { service: tg, countries }
  const user = { ...anna, balance }
  return show(<FirstNumber panel={panel} popular={popular} latest={latest} />, {
    at,
    session: { ...MEMBER, user },
    answers: { 'GET /api/user': user, 'GET /api/countries': countries, 'GET /api/price': priced('5.00') },
  })
}

test('the steps of the chosen pair have its price and its measured time, and the missing money leads to the top-up', async () => {
  await showFirst(AT, '1.50')
  const steps = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(steps).toEqual([
    expect.stringMatching(/You get a number5\.00.+on hold$/u),
    expect.stringMatching(/You wait for the SMSusually 9\ss$/),
    expect.stringMatching(/The code arrives and is copiedthat’s when you pay$/),
  ])
  screen.getByText('76%')
  const topUp = screen.getByRole('link', { name: /^Top up 3\.50.+to buy$/u })
  expect(topUp.getAttribute('href')).toBe('/top-up?amount=3.50&back=%2F%3Fservice%3Dtg%26country%3D2')
})

test('with enough money nothing speaks of the balance, which the header shows', async () => {
  await showFirst(AT, '5.00')
  expect(screen.queryByRole('link')).toBeNull()
  expect(screen.queryByText(/balance/)).toBeNull()
})

test('before a choice a popular pair is shown as such, and one press chooses it', async () => {
  const { user, history } = await showFirst('/', '0.00')
  screen.getByText('Most bought right now')
  expect(screen.queryByRole('link')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Choose this' }))
  expect(history.location.search).toBe('?service=tg&country=2')
  expect(screen.queryByText('Most bought right now')).toBeNull()
})

test('what was bought last takes the place of the terms, and says that a press buys', async () => {
  const offer = {
    service: { id: 'vi', name: 'Viber' },
    country: COUNTRIES[1] ?? { id: 6, name: '', iso2: '', dial: '' },
  }
  const bought = { ...offer, operator: null, period: null, price: '3.00', count: 9, success_share: 0.5 }
  await showFirst(AT, '9.00', [{ ...bought, bought_at: '2025-12-31T00:00:00.000Z' }])
  screen.getByRole('button', { name: /^Viber.*3\.00/u })
  screen.getByText(/^Buy a number .+ one tap\.$/)
  expect(screen.queryByText('No code, no charge')).toBeNull()
})
