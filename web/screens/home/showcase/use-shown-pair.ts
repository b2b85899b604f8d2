import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CountriesReply, CountryItem, PriceReply, ServiceItem, ServicesReply } from '#contract/catalog.ts'
import { ACTIVATION_MODE } from '#web/buying/panel/activation-mode.ts'
import type { PanelSeed } from '#web/buying/panel/load-panel.ts'
import { countriesInput, priceInput } from '#web/buying/picker/catalog-inputs.ts'
import { findChosen } from '#web/buying/picker/find-chosen.ts'
import { useLoadedChoice } from '#web/buying/picker/use-loaded-choice.ts'
import { useApi } from '#web/house/app-context.ts'

/** The service that is shown before one is chosen, and its countries. */
export type PairSeed = { service: ServiceItem; countries: CountriesReply }

export type ShownPair = {
  service: Pick<ServiceItem, 'id' | 'name'>
  country: Pick<CountryItem, 'id' | 'name' | 'iso2' | 'dial'>
  /** Null while the prices of a service load. */
  price: string | null
  /** The measured figures of the pair; null while they load. */
  measured: Pick<CountryItem, 'success_share' | 'median_seconds'> | null
  /** True if service and country are the reader's own choice. */
  isChosen: boolean
  /** The popular countries of the service that have numbers. Null while they load. */
  countries: readonly CountryItem[] | null
  choose: (countryId: number) => void
}

const { calls } = ACTIVATION_MODE

/** Returns the chosen service and country, or popular ones in their place. The panel's lists are asked for once. */
export function useShownPair(seed: PairSeed, panel: PanelSeed): ShownPair | null {
  const api = useApi()
  const client = useQueryClient()
  const [choice, setChoice] = useLoadedChoice(panel.choice)
  const service = chosenService() ?? seed.service
  const inputOf = (serviceId: string) =>
    countriesInput(ACTIVATION_MODE, { ...choice, serviceId }, { part: 'first', sort: 'popular' })
  const input = inputOf(service.id)
  const { data, isPlaceholderData: isOld } = useQuery({
    queryKey: [calls.countries, input],
    queryFn: ({ signal }) => api(calls.countries, input, { signal }),
    placeholderData: keepPreviousData<CountriesReply>,
    ...(service.id === seed.service.id ? { initialData: seed.countries } : {}),
  })
  const countries = (data?.countries ?? []).filter(({ price, count }) => price !== null && count > 0)
  const country = chosenCountry() ?? countries[0]
  // The panel asks for the price of a chosen pair, with its operator. This reads the same reply.
  const asked = priceInput(ACTIVATION_MODE, choice)
  const { data: priced } = useQuery<PriceReply>({
    queryKey: [calls.price, asked],
    queryFn: ({ signal }) => api(calls.price, asked ?? { service_id: '', country_id: 0 }, { signal }),
    enabled: false,
  })
  if (country === undefined) return null
  const isPair = asked?.service_id === service.id && asked.country_id === country.id
  const own = isPair ? priced?.data : undefined
  return {
    service,
    country,
    price: own?.price ?? (isOld ? null : country.price),
    measured: own?.operators[0] ?? (isOld ? null : findChosen(country.id, data?.countries)),
    isChosen: isPair,
    countries: isOld ? null : countries,
    choose: (countryId) => setChoice({ ...choice, serviceId: service.id, countryId }),
  }

  function chosenService(): ServiceItem | null {
    const lists = client.getQueriesData<ServicesReply>({ queryKey: [calls.services] })
    const known = [seed.service, panel.service]
    return findChosen(choice.serviceId, known, panel.services.services, ...lists.map(([, list]) => list?.services))
  }

  function chosenCountry(): CountryItem | null {
    const found = findChosen(choice.countryId, data?.countries)
    if (found !== null) return found
    // The panel's whole list has countries that its first part lacks. Its prices may be of another service.
    const lists = client.getQueriesData<CountriesReply>({ queryKey: [calls.countries] })
    const item = findChosen(choice.countryId, ...lists.map(([, list]) => list?.countries), [panel.country])
    return item === null ? null : { ...item, price: null }
  }
}
