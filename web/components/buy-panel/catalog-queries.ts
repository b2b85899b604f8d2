import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { CountriesReply, CountryItem, PriceReply, ServiceItem, ServicesReply } from '#contract/catalog.ts'
import { useApi } from '../../frame.ts'
import { type CountrySort, countriesInput, type ListPart, priceInput, servicesInput } from './catalog-inputs.ts'
import type { Choice } from './choice.ts'
import type { PanelSeed } from './load-panel.ts'

/** A list as a picker draws it. */
export type CatalogList<Item> = {
  items: readonly Item[]
  /** How many there are on the server, and how many of them are favourites. */
  count: number
  favorites: number
  /** Prices belong to an earlier choice; the right ones are on their way. */
  stale: boolean
  /** All of them are here. */
  complete: boolean
  failed: boolean
  retry: () => void
}

/** The services, priced for the chosen country: the first ones, and all of them once they are wanted. */
export function useServices(choice: Choice, wanted: ListPart, seed: PanelSeed): CatalogList<ServiceItem> {
  const api = useApi()
  const seeded = choice.countryId === seed.choice.countryId
  const first = useQuery({
    queryKey: ['services', servicesInput(choice, 'first')],
    queryFn: ({ signal }) => api('GET /api/services', servicesInput(choice, 'first'), { signal }),
    placeholderData: keepPreviousData,
    ...(seeded ? { initialData: seed.services } : {}),
  })
  const all = useQuery({
    queryKey: ['services', servicesInput(choice, 'all')],
    queryFn: ({ signal }) => api('GET /api/services', servicesInput(choice, 'all'), { signal }),
    placeholderData: keepPreviousData,
    enabled: wanted === 'all',
  })
  return toList(wanted, first, all, (reply: ServicesReply) => reply.services)
}

/** The countries, priced for the chosen service. */
export function useCountries(
  choice: Choice,
  wanted: { part: ListPart; sort: CountrySort },
  seed: PanelSeed,
): CatalogList<CountryItem> {
  const api = useApi()
  const seeded = choice.serviceId === seed.choice.serviceId && wanted.sort === 'popular'
  const first = useQuery({
    queryKey: ['countries', countriesInput(choice, 'first', wanted.sort)],
    queryFn: ({ signal }) => api('GET /api/countries', countriesInput(choice, 'first', wanted.sort), { signal }),
    placeholderData: keepPreviousData,
    ...(seeded ? { initialData: seed.countries } : {}),
  })
  const all = useQuery({
    queryKey: ['countries', countriesInput(choice, 'all', wanted.sort)],
    queryFn: ({ signal }) => api('GET /api/countries', countriesInput(choice, 'all', wanted.sort), { signal }),
    placeholderData: keepPreviousData,
    enabled: wanted.part === 'all',
  })
  return toList(wanted.part, first, all, (reply: CountriesReply) => reply.countries)
}

/** The price of the choice. Each choice has a place of its own, so a late answer can never stand for another choice. */
export function usePrice(choice: Choice, seed: PanelSeed) {
  const api = useApi()
  const input = priceInput(choice)
  const seeded = seed.price !== null && JSON.stringify(input) === JSON.stringify(priceInput(seed.choice))
  return useQuery({
    queryKey: ['price', input],
    queryFn: ({ signal }): Promise<PriceReply> => {
      if (input === null) throw new Error('a price was asked for without a choice')
      return api('GET /api/price', input, { signal })
    },
    enabled: input !== null,
    // Prices move: what is on the screen for a while is asked for again when it is looked at.
    staleTime: 15_000,
    ...(seeded && seed.price !== null ? { initialData: seed.price } : {}),
  })
}

type Loaded<Reply> = {
  data: Reply | undefined
  isPlaceholderData: boolean
  isError: boolean
  refetch: () => Promise<unknown>
}

function toList<Reply extends { count: number; favorites: number }, Item>(
  wanted: ListPart,
  first: Loaded<Reply>,
  all: Loaded<Reply>,
  itemsOf: (reply: Reply) => Item[],
): CatalogList<Item> {
  const complete = wanted === 'all' && all.data !== undefined
  const source = complete ? all : first
  return {
    items: source.data === undefined ? [] : itemsOf(source.data),
    count: source.data?.count ?? 0,
    favorites: source.data?.favorites ?? 0,
    stale: source.isPlaceholderData,
    complete,
    failed: source.isError || (wanted === 'all' && all.isError),
    retry: () => void (wanted === 'all' ? all : first).refetch(),
  }
}
