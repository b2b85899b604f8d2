import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { DirectoryItem } from '#contract/content.ts'
import { type Answers, refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'
import { loader, Page } from './page.tsx'

const measured = { price: '10.00', count: 5, success_share: 0.9, median_seconds: 9 }
const item = (id: string | number, name: string, iso2: string | null = null): DirectoryItem => ({
  ...measured,
  id,
  name,
  slug: name.toLowerCase(),
  iso2,
})
const SERVICES = [item('tg', 'Telegram'), item('wa', 'WhatsApp'), item('vi', 'Viber')]
const COUNTRIES = [item(2, 'Kazakhstan', 'KZ'), item(6, 'Indonesia', 'ID')]
const fits = (search: string | undefined) => (one: DirectoryItem) =>
  search === undefined || search === '' || [String(one.id), one.name.toLowerCase()].includes(search)

/** Answers as the server does for a small catalogue in which every pair is in stock. */
const ANSWERS: Answers = {
  'GET /api/v1/directory/{kind}': ({ kind, search }) => {
    const data = (kind === 'services' ? SERVICES : COUNTRIES).filter(fits(search))
    return { status: true, data, meta: { last_page: 1, total: data.length }, letters: [] }
  },
  'GET /api/v1/price-list': ({ service_id, country_id, service, country }) => {
    const data = SERVICES.filter(({ id }) => service_id === undefined || id === service_id)
      .filter(fits(service))
      .flatMap((one) =>
        COUNTRIES.filter(({ id }) => country_id === undefined || id === country_id)
          .filter(fits(country))
          .map((other) => ({ service: one, country: other, ...measured })),
      )
    return { status: true, currency: 'rub', data, meta: { last_page: 1, total: data.length } }
  },
}

async function open(at: string, answers: Answers = ANSWERS) {
  const { api } = (await show(null, { answers: ANSWERS })).app
  const url = new URL(at, 'http://this.site')
  const input = { api, url, params: {}, locale: 'en', session: { status: 'unauthenticated', user: null }, now: '' }
  return show(<Page />, { at, answers, data: await loader(input as never) })
}

const rows = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent)
const title = () => screen.getByRole('heading', { level: 2 }).textContent
const listed = () => within(screen.getByRole('list', { name: /^(Services|Countries)$/ })).getAllByRole('link')

test('N-8: the popular service is shown at first, and a press in the list shows another', async () => {
  const { user, history } = await open('/price')
  expect([title(), rows()]).toEqual(['Telegram', ['Kazakhstan', 'Indonesia']])
  await user.click(within(screen.getByRole('list', { name: 'Services' })).getByRole('link', { name: /WhatsApp/ }))
  await waitFor(() => expect(title()).toBe('WhatsApp'))
  expect(history.location.search).toBe('?service=wa')
})

test('filters are live: the list narrows to what is typed, and so do the rows', async () => {
  const { user, history } = await open('/price?service=tg&sort=share')
  await user.type(screen.getByRole('searchbox', { name: 'Find a service' }), 'viber')
  await waitFor(() => expect(listed().map((link) => link.textContent)).toEqual([expect.stringContaining('Viber')]))
  await user.type(screen.getByRole('searchbox', { name: 'Find a country' }), 'indonesia')
  await waitFor(() => expect(rows()).toEqual(['Indonesia']))
  expect(history.location.search).toBe('?service=tg&sort=share&country=indonesia')
  expect(screen.getByRole('link', { name: /CSV/ }).getAttribute('href')).toBe(
    '/api/v1/price-list.csv?service_id=tg&sort=share&for=people',
  )
})

test('a country first: its services are rows', async () => {
  const { user, history } = await open('/price')
  await user.click(screen.getByRole('link', { name: 'By country' }))
  await waitFor(() => expect(title()).toBe('Kazakhstan'))
  expect(rows()).toEqual(['Telegram', 'WhatsApp', 'Viber'])
  await user.type(screen.getByRole('searchbox', { name: 'Find a service' }), 'wa')
  await waitFor(() => expect(rows()).toEqual(['WhatsApp']))
  expect(history.location.search).toBe('?by=country&country=2&service=wa')
})

test('what people linked to before is found still: words of a service or country', async () => {
  await open('/price?service=whatsapp&country=kazakhstan')
  expect([title(), rows()]).toEqual(['WhatsApp', ['Kazakhstan']])
})

test('nothing found says so and offers the way back', async () => {
  await open('/price?service=nothing')
  screen.getByText('Nothing found', { selector: 'h2, h3, p' })
})

test('prices that cannot be loaded leave the board as it was, with its own question', async () => {
  const answers: Answers = {
    ...ANSWERS,
    'GET /api/v1/directory/{kind}': (input) => {
      const answer = ANSWERS['GET /api/v1/directory/{kind}']
      if (input.kind === 'countries' || typeof answer !== 'function') throw refusal(503, 'SERVER_BUSY' as never)
      return answer(input)
    },
  }
  const { user, sent } = await open('/price', answers)
  await user.click(screen.getByRole('link', { name: 'By country' }))
  await waitFor(() => expect(sent.some(({ input }) => JSON.stringify(input).includes('countries'))).toBe(true))
  expect([title(), rows()]).toEqual(['Telegram', ['Kazakhstan', 'Indonesia']])
  const links = screen
    .getAllByRole('link', { name: /^Buy a number \(Telegram/ })
    .map((link) => link.getAttribute('href'))
  expect(links).toEqual(expect.arrayContaining([expect.stringContaining('service=tg&country=2')]))
})
