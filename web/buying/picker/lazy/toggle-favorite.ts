import type { QueryClient } from '@tanstack/react-query'
import type { Api } from '#contract/calls/calls.ts'
import type { CountriesReply, ServicesReply } from '#contract/catalog.ts'
import type { PanelMode } from '#web/buying/panel/panel-mode.ts'
import { inBackground } from '#web/house/in-background.ts'
import { refetch } from '#web/session/refetch.ts'

type FavoriteKind = 'service' | 'country'
export type Toggled = { kind: FavoriteKind; id: string | number; isFavorite: boolean }

/** Stores the favourite on the server, then changes it in the cached lists. Rejects as the API call does. */
export async function toggleFavorite(
  { api, queryClient }: { api: Api; queryClient: QueryClient },
  { calls }: Pick<PanelMode, 'calls'>,
  toggled: Toggled,
): Promise<void> {
  const { kind, id, isFavorite } = toggled
  const lists = { queryKey: [kind === 'service' ? calls.services : calls.countries] }
  const before = updatesOf(queryClient, lists)
  await api(isFavorite ? calls.removeFavorite : calls.addFavorite, { type: kind, id })
  // A list that loaded during the call may be older or newer than the change, so it is fetched again.
  const inDoubt = queryClient.isFetching(lists) > 0 || updatesOf(queryClient, lists) !== before
  if (kind === 'service') {
    queryClient.setQueriesData<ServicesReply>(lists, (list) => {
      if (list === undefined) return list
      const { items, favorites } = flipFavorite(list.services, list.favorites, toggled)
      return { ...list, services: items, favorites }
    })
  } else {
    queryClient.setQueriesData<CountriesReply>(lists, (list) => {
      if (list === undefined) return list
      const { items, favorites } = flipFavorite(list.countries, list.favorites, toggled)
      return { ...list, countries: items, favorites }
    })
  }
  if (inDoubt) inBackground(refetch(queryClient, lists))
}

/** Returns how often the cached lists have been updated. A changed number means that a list has loaded. */
function updatesOf(queryClient: QueryClient, lists: { queryKey: string[] }): number {
  const queries = queryClient.getQueryCache().findAll(lists)
  return queries.reduce((count, { state }) => count + state.dataUpdateCount, 0)
}

type Favorable = { id: string | number; is_favorite: boolean }

/**
 * Changes the favourite flag of an item in place, so no row moves. The number of favourites changes even if the item is
 * not among `items`.
 */
export function flipFavorite<Item extends Favorable>(
  items: readonly Item[],
  favorites: number,
  toggled: { id: string | number; isFavorite: boolean },
): { items: Item[]; favorites: number } {
  if (items.some((item) => item.id === toggled.id && item.is_favorite !== toggled.isFavorite)) {
    return { items: [...items], favorites }
  }
  return {
    items: items.map((item) => (item.id === toggled.id ? { ...item, is_favorite: !toggled.isFavorite } : item)),
    favorites: Math.max(0, favorites + (toggled.isFavorite ? -1 : 1)),
  }
}
