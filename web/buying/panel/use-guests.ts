import { useState } from 'react'
import { CallError } from '#contract/calls/calls.ts'
import { useAppContext, useSettings } from '#web/house/app-context.ts'
import { usePages } from '#web/navigation/use-page.ts'
import { originHeaders } from '#web/session/origin.ts'
import { beginSession } from '#web/session/session-life.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { usePanelMode } from './panel-mode.ts'

/** How a visitor gets to buy: 'full' means by registering, because the demo takes no more guests for a while. */
export type VisitorWay = 'guest' | 'full' | 'register'

type Guests = { way: VisitorWay; entering: boolean; enter: (buy: () => void) => void }

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
  const [full, setFull] = useState(false)
  const way = !demo || name !== 'activation' ? 'register' : full ? 'full' : 'guest'
  const enter = async (buy: () => void) => {
    try {
      beginSession(app, await app.api('POST /api/guest', {}, { headers: originHeaders() }))
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.code === 'TOO_MANY_REQUESTS') setFull(true)
      // Somebody has signed in since this page was loaded.
      else if (error.code === 'FORBIDDEN') location.reload()
      else throw error
      return
    }
    buy()
    await pages.reload()
  }
  return {
    way,
    entering: pending,
    enter: (buy) => (way === 'guest' ? once(() => enter(buy)) : app.dialogs.open('registration', {})),
  }
}
