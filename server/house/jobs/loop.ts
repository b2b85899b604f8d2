import type { Log } from '#server/house/log.ts'

export type Loop = { stop(): Promise<void> }

/** `wake` runs the work at once, or once more if it runs already. */
export type WakingLoop = Loop & { wake(): void }

/** Starts to run `work` at an interval, which begins at the end of a run, so runs never overlap. Logs failures. */
export function startLoop(
  log: Log,
  input: { name: string; everyMs: number; work: () => Promise<unknown> },
): WakingLoop {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  let isRunning = false
  let isWoken = false
  const round = async (): Promise<void> => {
    isRunning = true
    isWoken = false
    try {
      await input.work()
    } catch (error) {
      log.error({ error, loop: input.name }, 'a periodic task failed')
    }
    isRunning = false
    if (!stopped) schedule(isWoken ? 0 : input.everyMs)
  }
  const schedule = (afterMs: number): void => {
    timer = setTimeout(() => {
      running = round()
    }, afterMs)
  }
  schedule(input.everyMs)
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
    wake() {
      isWoken = true
      if (stopped || isRunning) return
      clearTimeout(timer)
      schedule(0)
    },
  }
}
