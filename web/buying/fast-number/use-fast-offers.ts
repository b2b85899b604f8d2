import { useQuery } from '@tanstack/react-query'
import type { Api } from '#contract/calls/calls.ts'
import { CATALOG_VERSION } from '#contract/constants.ts'
import { useApi, useAppContext } from '#web/house/app-context.ts'
import { useStore } from '#web/house/stores/store.ts'
import { FAVORITE_SERVICES, type FastOffer, favoriteOffers, latestOffers } from './fast-offers.ts'

export type FastOffers = { latest: FastOffer[]; favorites: FastOffer[] }

/** Loads offers of the latest purchases and of favourites, at the prices of the moment when the dialog opened. */
export function useFastOffers() {
  const api = useApi()
  const { locale } = useStore(useAppContext().language)
  return useQuery({
    queryKey: ['fast-offers', locale],
    queryFn: ({ signal }) => loadFastOffers(api, signal),
    // The reply is not cached, because the latest purchase has to be first in the list.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}

async function loadFastOffers(api: Api, signal: AbortSignal): Promise<FastOffers> {
  const [activations, rentals, pairs] = await Promise.all([
    api('GET /api/user/latest-purchases', {}, { signal }),
    api('GET /api/user/latest-rent-purchases', {}, { signal }),
    loadFavoritePairs(api, signal),
  ])
  const latest = latestOffers([activations.data, rentals.data])
  return { latest, favorites: favoriteOffers(pairs, latest) }
}

async function loadFavoritePairs(api: Api, signal: AbortSignal) {
  const { services } = await api(
    'GET /api/services',
    { version: CATALOG_VERSION, is_favorite: '1', per_page: FAVORITE_SERVICES },
    { signal },
  )
  return Promise.all(
    services.map(async (service) => {
      const input = { is_favorite: '1' as const, service_id: service.id, sort: 'price' as const }
      return { service, countries: (await api('GET /api/countries', input, { signal })).countries }
    }),
  )
}
