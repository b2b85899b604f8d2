import type { Log } from '#server/log.ts'

/** Something done again and again until stopped. */
export type Loop = { stop(): Promise<void> }

/**
 * Runs `work` every `everyMs`, never twice at once: the next wait begins when the work is done. A failure is logged and
 * the loop goes on. `stop` waits for the work under way.
 */
export function startLoop(log: Log, input: { name: string; everyMs: number; work: () => Promise<unknown> }): Loop {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  const turn = async (): Promise<void> => {
    try {
      await input.work()
    } catch (error) {
      log.error({ error, loop: input.name }, 'a periodic task failed')
    }
    if (!stopped) schedule()
  }
  const schedule = (): void => {
    timer = setTimeout(() => {
      running = turn()
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
