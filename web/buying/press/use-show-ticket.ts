import { isWide } from '#web/buying/initial/use-wide.ts'
import { inBackground } from '#web/house/in-background.ts'
import type { NumberKindName } from '#web/live/numbers-cache.ts'
import { routeNamed } from '#web/navigation/routes.ts'
import { useLocation, useNavigate } from '#web/navigation/use-page.ts'

export function useShowTicket(): (kind: NumberKindName, id: number) => void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return (kind, id) => {
    const path = routeNamed(kind === 'rental' ? 'rent' : 'activations')?.path
    const showsTickets = pathname === path || (kind === 'activation' && pathname === '/' && isWide())
    if (!showsTickets && path !== undefined) {
      inBackground(navigate(path))
      return
    }
    // React renders the ticket later, or never if a filter hides it.
    requestAnimationFrame(() => {
      const ticket = document.querySelector(`[data-${kind}="${id}"]`)
      if (ticket === null && path !== undefined && pathname === path) inBackground(navigate(path))
      else ticket?.scrollIntoView({ block: 'nearest' })
    })
  }
}
