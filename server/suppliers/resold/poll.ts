import { MINUTE, SECOND } from '#contract/time.ts'
import type { ResoldAccount } from './account.ts'
import type { OpenNumber } from './open-number.ts'

export type Poll = { wake(): void; stop(): Promise<void> }

/** Codes mostly come at once; later a look is more seldom. */
const FRESH_MS = 2 * MINUTE
const SELDOM = 3
const LONGEST_PAUSE_MS = 60 * SECOND

/** One look at all open numbers, again and again, while there are any. */
export function createPoll(
  account: ResoldAccount,
  { pauseMs, look }: { pauseMs: number; look: () => Promise<void> },
): Poll {
  const { ctx } = account
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let isStopped = false
  let failures = 0

  const nextMs = (): number => {
    const since = performance.now() - FRESH_MS
    const isFresh = [...account.open.values()].some(({ wantedSinceMs }) => wantedSinceMs > since)
    return Math.min(LONGEST_PAUSE_MS, pauseMs * (isFresh ? 1 : SELDOM) * 2 ** Math.min(failures, 8))
  }
  const schedule = (ms: number): void => {
    if (isStopped || account.open.size === 0) return
    timer = setTimeout(() => {
      timer = undefined
      running = turn().finally(() => {
        running = null
        schedule(nextMs())
      })
    }, ms)
  }
  const turn = async (): Promise<void> => {
    try {
      await look()
      failures = 0
    } catch (error) {
      failures += 1
      ctx.log.warn({ error, supplier: account.code }, 'open numbers of a supplier could not be looked at')
    }
  }

  return {
    wake() {
      if (running !== null || isStopped) return
      // What waits long for its next look is looked at as soon as something new is.
      clearTimeout(timer)
      schedule(Math.min(pauseMs, nextMs()))
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}

/** One number that fails holds up no other. Throws when all of them fail. */
export async function forEachNumber(
  { ctx, code }: ResoldAccount,
  numbers: readonly OpenNumber[],
  work: (number: OpenNumber) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = []
  for (const number of numbers) {
    await work(number).catch((error: unknown) => {
      errors.push(error)
      ctx.log.debug({ error, supplier: code, reference: number.reference }, 'a number could not be looked at')
    })
  }
  if (errors.length > 0 && errors.length === numbers.length) throw errors[0]
}
