import { MINUTE, SECOND } from '#contract/time.ts'
import type { ResoldAccount } from './account.ts'

export type Poll = { wake(): void; stop(): Promise<void> }

/** The time after a purchase in which most codes arrive. Later polls are less frequent. */
const FRESH_MS = 2 * MINUTE
const SELDOM = 3
const LONGEST_PAUSE_MS = 60 * SECOND

/** `open` holds the numbers to poll. `look` ends early when its signal aborts. */
type Looked = {
  pauseMs: number
  open: ReadonlyMap<string, { wantedSinceMs: number }>
  look: (stopping: AbortSignal) => Promise<void>
}

export function createPoll(account: ResoldAccount, { pauseMs, open, look }: Looked): Poll {
  const { ctx } = account
  let timer: NodeJS.Timeout | undefined
  let dueMs = 0
  let running: Promise<void> | null = null
  const stopping = new AbortController()
  let failures = 0

  const nextMs = (): number => {
    const since = performance.now() - FRESH_MS
    const isFresh = [...open.values()].some(({ wantedSinceMs }) => wantedSinceMs > since)
    return Math.min(LONGEST_PAUSE_MS, pauseMs * (isFresh ? 1 : SELDOM) * 2 ** Math.min(failures, 8))
  }
  const schedule = (ms: number): void => {
    if (stopping.signal.aborted || open.size === 0) return
    dueMs = performance.now() + ms
    timer = setTimeout(() => {
      timer = undefined
      running = round().finally(() => {
        running = null
        schedule(nextMs())
      })
    }, ms)
  }
  const round = async (): Promise<void> => {
    try {
      await look(stopping.signal)
      failures = 0
    } catch (error) {
      if (stopping.signal.aborted) return
      failures += 1
      ctx.log.warn({ error, supplier: account.code }, 'open numbers of a supplier could not be looked at')
    }
  }

  return {
    wake() {
      if (running !== null || stopping.signal.aborted) return
      // A slow poll is brought forward when a new number opens, but steady sales must not postpone it.
      const ms = Math.min(pauseMs, nextMs())
      if (timer !== undefined && dueMs <= performance.now() + ms) return
      clearTimeout(timer)
      schedule(ms)
    },
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}

/** Runs work for each open number, even if it fails for some. Throws if it fails for all. */
export async function forEachOpen<Open extends { reference: string }>(
  { ctx, code }: ResoldAccount,
  { open, stopping }: { open: readonly Open[]; stopping: AbortSignal },
  work: (number: Open) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = []
  for (const number of open) {
    if (stopping.aborted) return
    await work(number).catch((error: unknown) => {
      errors.push(error)
      ctx.log.debug({ error, supplier: code, reference: number.reference }, 'a number could not be looked at')
    })
  }
  if (errors.length > 0 && errors.length === open.length) throw errors[0]
}
