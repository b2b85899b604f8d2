import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { CountriesReply, CountryItem, PriceReply, ServiceItem, ServicesReply } from '#contract/catalog.ts'
import type { RentPriceFilter, RentPriceReply } from '#contract/rental.ts'
import { useApi } from '#web/app-context.ts'
import type { PanelSeed } from '#web/buying/panel/load-panel.ts'
import { usePanelMode } from '#web/buying/panel/panel-mode.ts'
import { inBackground } from '#web/in-background.ts'
import { type CountrySort, countriesInput, type ListPart, priceInput, servicesInput } from './catalog-inputs.ts'
import type { Choice } from './choice.ts'

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
  const mode = usePanelMode()
  const inputOf = (part: ListPart) => servicesInput(mode, choice, part)
  const asked = (part: ListPart) => ({
    queryKey: [mode.calls.services, inputOf(part)],
    queryFn: ({ signal }: Asked) => api(mode.calls.services, inputOf(part), { signal }),
    placeholderData: keepPreviousData<ServicesReply>,
  })
  const seeded = isSame(inputOf('first'), servicesInput(mode, seed.choice, 'first'))
  const first = useQuery({ ...asked('first'), ...(seeded ? { initialData: seed.services } : {}) })
  const all = useQuery({ ...asked('all'), enabled: wanted === 'all' })
  return toList(wanted, first, all, (reply: ServicesReply) => reply.services)
}

/** The countries, priced for the chosen service. */
export function useCountries(
  choice: Choice,
  { part: wanted, sort }: { part: ListPart; sort: CountrySort },
  seed: PanelSeed,
): CatalogList<CountryItem> {
  const api = useApi()
  const mode = usePanelMode()
  const inputOf = (part: ListPart) => countriesInput(mode, choice, { part, sort })
  const asked = (part: ListPart) => ({
    queryKey: [mode.calls.countries, inputOf(part)],
    queryFn: ({ signal }: Asked) => api(mode.calls.countries, inputOf(part), { signal }),
    placeholderData: keepPreviousData<CountriesReply>,
  })
  const seeded = isSame(inputOf('first'), countriesInput(mode, seed.choice, { part: 'first', sort: 'popular' }))
  const first = useQuery({ ...asked('first'), ...(seeded ? { initialData: seed.countries } : {}) })
  const all = useQuery({ ...asked('all'), enabled: wanted === 'all' })
  return toList(wanted, first, all, (reply: CountriesReply) => reply.countries)
}

/**
 * The price of the choice. Each choice has a place of its own, so a late answer can never stand for another choice. While
 * one of the same service and country is on its way, the former answer is there as a placeholder: its list of operators
 * and periods stays where it is. `exists`: there are such a service and such a country.
 */
export function usePrice(choice: Choice, seed: PanelSeed, exists: boolean) {
  const api = useApi()
  const mode = usePanelMode()
  const input = priceInput(mode, choice)
  const seeded = seed.price !== null && isSame(input, priceInput(mode, seed.choice))
  return useQuery({
    queryKey: [mode.calls.price, input] as const,
    queryFn: ({ signal }): Promise<PriceReply | RentPriceReply> => {
      if (input === null) throw new Error('a price was asked for without a choice')
      return api(mode.calls.price, input, { signal })
    },
    enabled: exists && input !== null,
    // Prices move: what is on the screen for a while is asked for again when it is looked at.
    staleTime: 15_000,
    placeholderData: (shown, query) => (isSamePair(query?.queryKey[1], input) ? shown : undefined),
    ...(seeded && seed.price !== null ? { initialData: seed.price } : {}),
  })
}

type Asked = { signal: AbortSignal }

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

function isSamePair(left: RentPriceFilter | null | undefined, right: RentPriceFilter | null): boolean {
  return left?.service_id === right?.service_id && left?.country_id === right?.country_id
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
    retry: () => inBackground((wanted === 'all' ? all : first).refetch()),
  }
}
