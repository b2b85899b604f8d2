import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { usePanelMode } from '#web/buying/panel/panel-mode.ts'
import { useApi } from '#web/house/app-context.ts'
import { useFailure } from '#web/session/use-failure.ts'
import type { Toggled } from './lazy/toggle-favorite.ts'

const busy = new WeakSet<QueryClient>()

/** Returns a function that toggles a favourite, one call at a time on the whole page (specification 9). */
export function useFavorite(): (toggled: Toggled) => void {
  const api = useApi()
  const mode = usePanelMode()
  const queryClient = useQueryClient()
  const fail = useFailure()

  return useCallback(
    (toggled: Toggled) => {
      if (busy.has(queryClient)) return
      busy.add(queryClient)
      // The script loads on demand, as visitors have no favourites.
      import('./lazy/toggle-favorite.ts')
        .then(({ toggleFavorite }) => toggleFavorite({ api, queryClient }, mode, toggled))
        .finally(() => busy.delete(queryClient))
        .catch(fail)
    },
    [api, queryClient, mode, fail],
  )
}
