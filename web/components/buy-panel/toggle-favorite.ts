import type { QueryClient } from '@tanstack/react-query'
import type { Api } from '#contract/calls.ts'
import type { CountriesReply, ServicesReply } from '#contract/catalog.ts'
import { inBackground } from '../../in-background.ts'
import { flipFavorite } from './flip-favorite.ts'
import type { PanelMode } from './panel-mode.ts'

type FavoriteKind = 'service' | 'country'
export type Toggled = { kind: FavoriteKind; id: string | number; isFavorite: boolean }

/** Marks or unmarks a favourite, and shows it in every list of its mode. Fails as the call does. */
export async function toggleFavorite(
  { api, queryClient }: { api: Api; queryClient: QueryClient },
  { calls }: Pick<PanelMode, 'calls'>,
  toggled: Toggled,
): Promise<void> {
  const { kind, id, isFavorite } = toggled
  await api(isFavorite ? calls.removeFavorite : calls.addFavorite, { type: kind, id })
  const lists = { queryKey: [kind === 'service' ? calls.services : calls.countries] }
  const onTheWay = queryClient.isFetching(lists) > 0
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
  // What was asked for before would come without it: it is asked for again.
  if (onTheWay) inBackground(queryClient.invalidateQueries(lists))
}
