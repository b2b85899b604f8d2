import type { Log } from '#server/log.ts'

/** Why a serving process ends: somebody asked it to, or something failed that nobody handles. */
export type End = 'asked' | 'failed'

/** An orderly end takes less; one that hangs leaves nothing to whoever starts the service again. */
const FAILED_LIMIT_MS = 60_000

/**
 * Resolves when this process has to end. After an unhandled failure nobody knows what is true any more: it is logged, and
 * the process ends in order with exit code 1.
 */
export function untilEnd(log: Log): Promise<End> {
  return new Promise((resolve) => {
    // The same stop often comes twice: systemd signals the launcher and us, and the launcher passes it on. Without a
    // handler the second one would cut the drain off.
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve('asked'))
    // Rejections come here too, as nobody else listens for them.
    process.on('uncaughtException', (error) => {
      log.error({ error }, 'an unhandled failure ends this process')
      process.exitCode = 1
      setTimeout(() => process.exit(1), FAILED_LIMIT_MS).unref()
      resolve('failed')
    })
  })
}
