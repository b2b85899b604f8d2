import { SECOND } from '#contract/time.ts'
import type { Account } from '../account.ts'
import { takeOpen } from '../look.ts'

/** Numbers that something is said to have happened to: they are looked at now. */
export type Hints = {
  note(reference: string): void
  stop(): Promise<void>
}

/** However many hints come: whoever has the address makes no more looks than this. */
const PAUSE_MS = SECOND
const MOST_HINTED = 1_000

/** Beside the regular looks, which it neither replaces nor delays. */
export function createHints(account: Account): Hints {
  const hinted = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  const stopping = new AbortController()
  let nextMs = 0

  const schedule = (): void => {
    if (stopping.signal.aborted || running !== null || timer !== undefined || hinted.size === 0) return
    const run = () => {
      timer = undefined
      nextMs = performance.now() + PAUSE_MS
      running = look().finally(() => {
        running = null
        schedule()
      })
    }
    timer = setTimeout(run, Math.max(0, nextMs - performance.now()))
  }
  const look = async (): Promise<void> => {
    const numbers = [...hinted].flatMap((reference) => account.open.get(reference) ?? [])
    hinted.clear()
    // The regular looks go on: what this one misses comes a little later.
    if (numbers.length === 0) return
    // By the same call as the regular looks: another one may word the same message differently.
    const these = { open: numbers, stopping: stopping.signal }
    await takeOpen(account, these, async () => undefined).catch((error: unknown) => {
      if (stopping.signal.aborted) return
      account.ctx.log.warn({ error, supplier: account.code }, 'a number could not be looked at after a push')
    })
  }
  return {
    note(reference) {
      if (hinted.size < MOST_HINTED) hinted.add(reference)
      schedule()
    },
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}
