import { useState } from 'react'
import { useAppContext, useSettings } from '#web/house/app-context.ts'
import { usePages } from '#web/navigation/use-page.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import type { NoGuest } from './lazy/begin-guest.ts'
import { usePanelMode } from './panel-mode.ts'

/** How a visitor gets to buy: as a guest of the demo or by registering. */
export type VisitorWay = 'guest' | 'register'

type Guests = { way: VisitorWay; noGuest: NoGuest | null; entering: boolean; enter: (buy: () => void) => void }

/**
 * Lets a visitor buy. In the demo the visitor becomes a guest, and `enter` then calls `buy`. Elsewhere, and if there are
 * too many guests, `enter` opens the registration.
 */
export function useGuests(): Guests {
  const app = useAppContext()
  const pages = usePages()
  const { pending, once } = useSingleFlight()
  const { demo } = useSettings()
  const { name } = usePanelMode()
  const [noGuest, setNoGuest] = useState<NoGuest | null>(null)
  const isOffered = demo && name === 'activation'
  const way = isOffered && noGuest === null ? 'guest' : 'register'
  const enter = async (buy: () => void) => {
    const { beginGuest } = await import('./lazy/begin-guest.ts')
    const begun = await beginGuest(app)
    if (begun === 'reload') return location.reload()
    if (begun !== 'begun') return setNoGuest(begun)
    buy()
    await pages.reload()
  }
  return {
    way,
    noGuest: isOffered ? noGuest : null,
    entering: pending,
    enter: (buy) => (way === 'guest' ? once(() => enter(buy)) : app.dialogs.open('registration', {})),
  }
}
