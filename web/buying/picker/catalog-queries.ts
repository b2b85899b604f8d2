import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { CountriesReply, CountryItem, PriceReply, ServiceItem, ServicesReply } from '#contract/catalog.ts'
import type { RentPriceFilter, RentPriceReply } from '#contract/rental.ts'
import type { Choice } from '#web/buying/initial/choice.ts'
import type { PanelSeed } from '#web/buying/panel/load-panel.ts'
import { usePanelMode } from '#web/buying/panel/panel-mode.ts'
import { useApi } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { type CountrySort, countriesInput, type ListPart, priceInput, servicesInput } from './catalog-inputs.ts'

export type CatalogList<Item> = {
  items: readonly Item[]
  count: number
  favorites: number
  /** True as long as the prices belong to an earlier choice and new prices are being fetched. */
  stale: boolean
  complete: boolean
  failed: boolean
  retry: () => void
}

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
 * Loads the price of a choice if its service and country exist (`exists`). The query key has the whole choice, so a
 * late reply cannot appear for another choice. Until the reply arrives, the operators and periods of the previous reply
 * for the same service and country are shown.
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
    // Prices change, so a price older than this time is fetched again when the window gets the focus.
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
