import { CallError } from '#contract/calls/calls.ts'
import type { AppContext } from '#web/house/app-context.ts'
import { originHeaders } from '#web/session/origin.ts'
import { beginSession } from '#web/session/session-life.ts'

/** Why the demo takes no guest now: nobody more at all, or from this address. `words` are those of the server. */
export type NoGuest = { by: 'all' } | { by: 'address'; words: string }

/** Signs the visitor in as a guest of the demo. Returns why not, or 'reload' if somebody has signed in since. */
export async function beginGuest(app: AppContext): Promise<'begun' | 'reload' | NoGuest> {
  try {
    beginSession(app, await app.api('POST /api/guest', {}, { headers: originHeaders() }))
    return 'begun'
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (error.code === 'TOO_MANY_REQUESTS') return { by: 'all' }
    if (error.code === 'TOO_MANY_GUESTS') return { by: 'address', words: error.message }
    if (error.code === 'FORBIDDEN') return 'reload'
    throw error
  }
}
