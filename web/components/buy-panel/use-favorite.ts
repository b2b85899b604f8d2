import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CountriesReply, ServicesReply } from '#contract/catalog.ts'
import { useApi } from '../../frame.ts'
import { useFailure } from '../../session/failure.ts'
import { flipFavorite } from './flip-favorite.ts'

export type FavoriteKind = 'service' | 'country'
type Toggled = { id: string | number; isFavorite: boolean }

const MUTATION_KEY = ['favorite']

/** Marks and unmarks a favourite. At most one call is under way on the whole page (product.md section 9). */
export function useFavorite(kind: FavoriteKind): (toggled: Toggled) => void {
  const api = useApi()
  const queryClient = useQueryClient()
  const fail = useFailure()
  const { mutate } = useMutation({
    mutationKey: MUTATION_KEY,
    mutationFn: ({ id, isFavorite }: Toggled) =>
      isFavorite
        ? api('DELETE /api/activation/remove-from-favorite/{type}/{id}', { type: kind, id })
        : api('POST /api/activation/add-to-favorite', { type: kind, id }),
    onSuccess: (_reply, toggled) => {
      if (kind === 'service') {
        queryClient.setQueriesData<ServicesReply>({ queryKey: ['services'] }, (list) => {
          if (list === undefined) return list
          const { items, favorites } = flipFavorite(list.services, list.favorites, toggled)
          return { ...list, services: items, favorites }
        })
      } else {
        queryClient.setQueriesData<CountriesReply>({ queryKey: ['countries'] }, (list) => {
          if (list === undefined) return list
          const { items, favorites } = flipFavorite(list.countries, list.favorites, toggled)
          return { ...list, countries: items, favorites }
        })
      }
    },
    onError: fail,
  })
  return (toggled) => {
    if (queryClient.isMutating({ mutationKey: MUTATION_KEY }) === 0) mutate(toggled)
  }
}
