import type { Log } from '#server/house/log.ts'

export type Loop = { stop(): Promise<void> }

/** Starts to run `work` at an interval, which begins at the end of a run, so runs never overlap. Logs failures. */
export function startLoop(log: Log, input: { name: string; everyMs: number; work: () => Promise<unknown> }): Loop {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  const round = async (): Promise<void> => {
    try {
      await input.work()
    } catch (error) {
      log.error({ error, loop: input.name }, 'a periodic task failed')
    }
    if (!stopped) schedule()
  }
  const schedule = (): void => {
    timer = setTimeout(() => {
      running = round()
    }, input.everyMs)
  }
  schedule()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
