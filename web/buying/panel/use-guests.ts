import { useState } from 'react'
import { CallError } from '#contract/calls/calls.ts'
import { useAppContext, useSettings } from '#web/house/app-context.ts'
import { usePages } from '#web/navigation/use-page.ts'
import { originHeaders } from '#web/session/origin.ts'
import { beginSession } from '#web/session/session-life.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { usePanelMode } from './panel-mode.ts'

/** How a visitor gets to buy: as a guest of the demo or by registering. */
export type VisitorWay = 'guest' | 'register'

/** Why the demo takes no guest now: nobody more at all, or from this address. `words` are those of the server. */
export type NoGuest = { by: 'all' } | { by: 'address'; words: string }

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
    try {
      beginSession(app, await app.api('POST /api/guest', {}, { headers: originHeaders() }))
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.code === 'TOO_MANY_REQUESTS') setNoGuest({ by: 'all' })
      else if (error.code === 'TOO_MANY_GUESTS') setNoGuest({ by: 'address', words: error.message })
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
    noGuest: isOffered ? noGuest : null,
    entering: pending,
    enter: (buy) => (way === 'guest' ? once(() => enter(buy)) : app.dialogs.open('registration', {})),
  }
}
