import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLocale } from 'use-intl'
import type { DirectoryItem } from '#contract/content.ts'
import { readBoardView } from '#web/catalogue/board/board-rows.ts'
import type { DirectoryKind } from '#web/catalogue/directory-paths.ts'
import { useApi } from '#web/house/app-context.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { listItems, loadPrices, type Prices, type PricesWanted, readWanted } from './load-prices.ts'

export type PricesSeed = { wanted: PricesWanted; items: DirectoryItem[]; prices: Prices }

/** Returns the list of services or countries that fits the words, and the popular ones without words. */
export function useItems(kind: DirectoryKind, search: string, seed: PricesSeed): readonly DirectoryItem[] {
  const api = useApi()
  const locale = useLocale()
  const isSeeded = search === '' && kind === seed.wanted.by
  const { data } = useQuery({
    queryKey: ['price-items', locale, kind, search],
    queryFn: () => listItems(api, kind, search),
    placeholderData: keepPreviousData,
    ...(isSeeded ? { initialData: seed.items } : {}),
  })
  return data ?? []
}

/**
 * Returns the prices that the URL asks for. Until they are loaded, or if they cannot be, the previous ones stay, with
 * their own question as `wanted`, and `stale` is true.
 */
export function usePrices(seed: PricesSeed): { prices: Prices; wanted: PricesWanted; stale: boolean } {
  const api = useApi()
  const locale = useLocale()
  const [params] = useSearchParams()
  const wanted = readWanted(params)
  const view = readBoardView(params)
  const isSeeded = JSON.stringify(wanted) === JSON.stringify(seed.wanted)
  const known = wanted.by === seed.wanted.by ? seed.items : []
  const whole = useQuery({
    queryKey: ['prices', locale, wanted],
    queryFn: () => loadPrices(api, wanted, known),
    placeholderData: keepPreviousData,
    ...(isSeeded ? { initialData: seed.prices } : {}),
  })
  const prices = whole.data ?? seed.prices
  // The browser orders a whole list itself. The server orders a longer list, and sends its first rows.
  const ordered = useQuery({
    queryKey: ['prices', locale, wanted, view],
    queryFn: () => loadPrices(api, wanted, known, view),
    enabled: prices.total > prices.rows.length && !whole.isPlaceholderData,
    placeholderData: keepPreviousData,
  })
  const isLong = prices.total > prices.rows.length && ordered.data !== undefined
  const shown = isLong ? ordered.data : prices
  const isAnswer = JSON.stringify(shown.wanted) === JSON.stringify(wanted)
  return { prices: shown, wanted: shown.wanted, stale: !isAnswer || ordered.isPlaceholderData }
}
