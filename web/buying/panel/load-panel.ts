import type { Api } from '#contract/calls/calls.ts'
import type { CountriesReply, CountryItem, PriceReply, ServiceItem, ServicesReply } from '#contract/catalog.ts'
import type { RentPriceReply } from '#contract/rental.ts'
import type { Choice } from '#web/buying/initial/choice.ts'
import { countriesInput, type ListPart, priceInput, servicesInput } from '#web/buying/picker/catalog-inputs.ts'
import { loadChosen } from '#web/buying/picker/find-chosen.ts'
import type { PanelMode } from './panel-mode.ts'

export type PanelSeed = {
  choice: Choice
  services: ServicesReply
  countries: CountriesReply
  /** The chosen item, even if the list's first page lacks it; null if nothing is chosen or the id is unknown. */
  service: ServiceItem | null
  country: CountryItem | null
  price: PriceReply | RentPriceReply | null
}

export async function loadPanel(api: Api, mode: PanelMode, choice: Choice): Promise<PanelSeed> {
  const { calls } = mode
  const services = (part: ListPart) => api(calls.services, servicesInput(mode, choice, part))
  const countries = (part: ListPart) => api(calls.countries, countriesInput(mode, choice, { part, sort: 'popular' }))
  const [firstServices, firstCountries] = await Promise.all([services('first'), countries('first')])
  const [service, country] = await Promise.all([
    loadChosen(choice.serviceId, firstServices.services, async () => (await services('all')).services),
    loadChosen(choice.countryId, firstCountries.countries, async () => (await countries('all')).countries),
  ])
  const input = service === null || country === null ? null : priceInput(mode, choice)
  const price = input === null ? null : await api(calls.price, input)
  return { choice, services: firstServices, countries: firstCountries, service, country, price }
}
