import { useLocation } from 'react-router'
import { isWide } from '#web/buying/picker/use-wide.ts'
import { inBackground } from '#web/in-background.ts'
import { useNavigate } from '#web/navigation/use-page.ts'
import { routeNamed } from '#web/routes.ts'

export type TicketKind = 'activation' | 'rental'

/** Brings a ticket into view: where tickets stand already it is scrolled to, else its screen is gone to. */
export function useShowTicket(): (kind: TicketKind, id: number) => void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return (kind, id) => {
    const path = routeNamed(kind === 'rental' ? 'rent' : 'activations')?.path
    const showsTickets = pathname === path || (kind === 'activation' && pathname === '/' && isWide())
    if (!showsTickets && path !== undefined) {
      inBackground(navigate(path))
      return
    }
    // It is drawn after this; a filter may also hide it.
    requestAnimationFrame(() => {
      const ticket = document.querySelector(`[data-${kind}="${id}"]`)
      if (ticket === null && path !== undefined && pathname === path) inBackground(navigate(path))
      else ticket?.scrollIntoView({ block: 'nearest' })
    })
  }
}
