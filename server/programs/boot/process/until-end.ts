import type { Log } from '#server/house/log.ts'

export type End = 'asked' | 'failed'

/** A stop that hangs is ended after this time. */
const FAILED_LIMIT_MS = 60_000

/** After an unhandled failure the state is unknown, so the process shuts down with exit code 1. */
export function untilEnd(log: Log): Promise<End> {
  return new Promise((resolve) => {
    // systemd signals both the launcher and this process, and the launcher passes its signal on.
    // Without a handler the second signal would abort the drain.
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve('asked'))
    // Unhandled rejections arrive here too.
    process.on('uncaughtException', (error) => {
      log.error({ error }, 'an unhandled failure ends this process')
      process.exitCode = 1
      setTimeout(() => process.exit(1), FAILED_LIMIT_MS).unref()
      resolve('failed')
    })
  })
}
