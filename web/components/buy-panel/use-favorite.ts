import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../frame.ts'
import { useFailure } from '../../session/failure.ts'
import { usePanelMode } from './panel-mode.ts'
import type { Toggled } from './toggle-favorite.ts'

/** Pages with a call under way. */
const busy = new WeakSet<QueryClient>()

/** Marks and unmarks a favourite. At most one call is under way on the whole page (product.md section 9). */
export function useFavorite(): (toggled: Toggled) => void {
  const api = useApi()
  const mode = usePanelMode()
  const queryClient = useQueryClient()
  const fail = useFailure()

  async function toggle(toggled: Toggled): Promise<void> {
    if (busy.has(queryClient)) return
    busy.add(queryClient)
    try {
      // Visitors have no favourites.
      const { toggleFavorite } = await import('./toggle-favorite.ts')
      await toggleFavorite({ api, queryClient }, mode, toggled)
    } catch (error) {
      fail(error)
    } finally {
      busy.delete(queryClient)
    }
  }
  return (toggled) => void toggle(toggled)
}
