import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import type { CountriesReply } from '#contract/catalog.ts'
import { DEFAULT_RENT_PERIOD_HOURS } from '#contract/constants.ts'
import type { FactsReply } from '#contract/status/facts.ts'
import { show } from '#test/components/show.tsx'
import { COUNTRIES, meta, priced, SERVICES } from '#test/components/show-panel.tsx'
import type { PanelSeed } from '#web/buying/panel/load-panel.ts'
import { useChoice } from '#web/buying/picker/use-choice.ts'
import { PAGE_DATA_ID } from '#web/house/page-data.ts'
import { Showcase } from './showcase.tsx'

const FACTS: FactsReply = {
  status: true,
  days: 7,
  codes: { share: 0.94, purchases: 12_000 },
  wait: { median_seconds: 6.5, codes: 11_000 },
  returned: { purchases: 740 },
  payments: [{ key: 'card', name: 'Bank card', mark: 'card' }],
  support: { email: 'help@ringpost.test', telegram: null, median_answer_seconds: 720 },
}
const countries = { ...meta, count: 2, countries: COUNTRIES }
const panel: PanelSeed = {
  choice: { serviceId: null, countryId: null, operatorId: 'any', periodHours: DEFAULT_RENT_PERIOD_HOURS },
  services: { ...meta, count: 2, services: SERVICES },
  countries,
  service: null,
  country: null,
  price: null,
}
const ofViber: CountriesReply = { ...countries, countries: COUNTRIES.map((country) => ({ ...country, price: '7.50' })) }

/** Does what the panel does with the URL. */
function ChooseViber() {
  const [choice, setChoice] = useChoice()
  return (
    <button type="button" onClick={() => setChoice({ ...choice, serviceId: 'vi' })}>
      Choose Viber
    </button>
  )
}

async function showShowcase({ facts = FACTS, demo = false, at = '/', later = ofViber, View = Showcase } = {}) {
  const [service] = SERVICES
  if (service === undefined) throw new Error('there is no service')
  const shown = (
    <>
      <ChooseViber />
      <View facts={facts} popular={{ service, countries }} panel={panel} />
    </>
  )
  return show(shown, {
    at,
    settings: { demo },
    answers: { 'GET /api/countries': later, 'GET /api/price': priced('7.50') },
  })
}

test('the facts have large figures with their samples', async () => {
  await showShowcase()
  const facts = within(screen.getByRole('region', { name: 'Over the last 7 days' }))
  for (const words of ['94%', 'Based on 12,000 purchases', '7 s', 'Median, based on 11,000 codes', '740'])
    facts.getByText(words)
  expect(facts.queryByText(/simulated/)).toBeNull()
})

test('a demo says that a simulator made up what is measured', async () => {
  await showShowcase({ demo: true })
  screen.getByText(/based on 7 days of simulated purchases/)
})

test('too small samples say nothing', async () => {
  await showShowcase({ facts: { ...FACTS, codes: null, returned: null } })
  screen.getByText('7 s')
  expect(screen.queryByText(/purchases/)).toBeNull()
  const unmeasured = { ...FACTS, codes: null, wait: null, returned: null }
  await showShowcase({ facts: { ...unmeasured, support: { ...FACTS.support, median_answer_seconds: null } } })
  expect(screen.getAllByRole('region', { name: /Over the last/ })).toHaveLength(1)
  expect(screen.getAllByText('Support usually answers within 12 minutes.')).toHaveLength(1)
})

test('a country is chosen by its bar, and another service in the panel changes ticket and bars', async () => {
  const { user, history } = await showShowcase()
  const ticket = () => within(screen.getByRole('figure'))
  expect(screen.queryByRole('button', { pressed: true })).toBeNull()
  ticket().getByText('Telegram')
  ticket().getByText('Kazakhstan')
  await user.click(screen.getByRole('button', { name: /Indonesia/ }))
  expect(history.location.search).toBe('?service=tg&country=6')
  ticket().getByText('Indonesia')
  ticket().getByText('3.00 ₽')
  expect(screen.getByRole('button', { name: /Indonesia/ }).getAttribute('aria-pressed')).toBe('true')
})

test('a service chosen in the panel is shown with its own prices', async () => {
  const { user } = await showShowcase()
  await user.click(screen.getByRole('button', { name: 'Choose Viber' }))
  const ticket = within(screen.getByRole('figure'))
  ticket.getByText('Viber')
  await waitFor(() => ticket.getByText('7.50 ₽'))
  screen.getByRole('heading', { name: 'Viber by country' })
})

test('a service without numbers has no bars, while the chosen country keeps the ticket', async () => {
  const none = { ...countries, countries: COUNTRIES.map((country) => ({ ...country, price: null, count: 0 })) }
  await showShowcase({ at: '/?service=vi&country=2', later: none })
  within(await screen.findByRole('figure')).getByText('Viber')
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Viber by country' })).toBeNull())
})

test('each protocol has its changed line and a reply, reached by arrows', async () => {
  const { user } = await showShowcase()
  const panelText = () => screen.getByRole('tabpanel').textContent
  expect(panelText()).toContain('https://ringpost.test/stubs/handler_api.php')
  expect(panelText()).toMatch(/ACCESS_NUMBER:100000001:77050100\d+/)
  // The panel scrolls sideways, and the keyboard reaches it by this button.
  within(screen.getByRole('tabpanel', { name: 'handler_api' })).getByRole('button')
  await user.click(screen.getByRole('tab', { name: 'handler_api' }))
  await user.keyboard('{ArrowRight}')
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: '5sim' }))
  expect(panelText()).toContain('https://ringpost.test/v1')
  await user.keyboard('{ArrowLeft}{ArrowLeft}')
  expect(panelText()).toContain("createRingpost({ site: 'https://ringpost.test', key })")
})

test('who answers and how to pay are those of the settings', async () => {
  await showShowcase()
  screen.getByRole('link', { name: 'help@ringpost.test' })
  screen.getByText('Bank card')
})

test('a visitor’s page begins with the script of the showcase, as a choice would empty the place of a later one', async () => {
  const data = document.createElement('script')
  data.id = PAGE_DATA_ID
  data.type = 'application/json'
  data.textContent = JSON.stringify({ session: { status: 'unauthenticated' } })
  document.body.append(data)
  onTestFinished(() => data.remove())
  const { ShowcaseLater } = await import('../showcase-later.tsx')
  await showShowcase({ View: ShowcaseLater })
  screen.getByRole('figure')
})
