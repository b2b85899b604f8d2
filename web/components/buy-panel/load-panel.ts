import type { Api } from '#contract/calls.ts'
import type { CountriesReply, CountryItem, PriceReply, ServiceItem, ServicesReply } from '#contract/catalog.ts'
import { countriesInput, priceInput, servicesInput } from './catalog-inputs.ts'
import type { Choice } from './choice.ts'

/** What the panel is first drawn from: the popular services, the countries and the price of the choice in the address. */
export type PanelSeed = {
  choice: Choice
  services: ServicesReply
  countries: CountriesReply
  /** The chosen ones, also when they do not stand among the first. null when nothing, or nothing that exists, is chosen. */
  service: ServiceItem | null
  country: CountryItem | null
  price: PriceReply | null
}

/** Loads the panel for a choice. A service or country that does not exist counts as not chosen. */
export async function loadPanel(api: Api, choice: Choice): Promise<PanelSeed> {
  const [services, countries] = await Promise.all([
    api('GET /api/services', servicesInput(choice, 'first')),
    api('GET /api/countries', countriesInput(choice, 'first', 'popular')),
  ])
  const [service, country] = await Promise.all([
    findChosen(choice.serviceId, services.services, async () => {
      return (await api('GET /api/services', servicesInput(choice, 'all'))).services
    }),
    findChosen(choice.countryId, countries.countries, async () => {
      return (await api('GET /api/countries', countriesInput(choice, 'all', 'popular'))).countries
    }),
  ])
  const input = service === null || country === null ? null : priceInput(choice)
  const price = input === null ? null : await api('GET /api/price', input)
  return { choice, services, countries, service, country, price }
}

/** The chosen item; the whole list is asked for only when it is not among the first. */
async function findChosen<Item extends { id: string | number }>(
  id: Item['id'] | null,
  first: Item[],
  loadAll: () => Promise<Item[]>,
): Promise<Item | null> {
  if (id === null) return null
  const isChosen = (item: Item) => item.id === id
  return first.find(isChosen) ?? (await loadAll()).find(isChosen) ?? null
}
