import { SECOND } from '#contract/time.ts'
import type { Account } from '../account.ts'
import { takeOpen } from '../poll-open.ts'

/** Collects the numbers that pushes name as changed, and polls them at once. */
export type Hints = {
  note(reference: string): void
  stop(): Promise<void>
}

/** The pause between two polls caused by pushes, because anybody who knows the URL can send pushes. */
const PAUSE_MS = SECOND
const MOST_HINTED = 1_000

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
    // The regular polls go on, so a message that this poll misses only comes a little later.
    if (numbers.length === 0) return
    // The poll must use the regular polls' action, because other actions may word the message differently.
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
