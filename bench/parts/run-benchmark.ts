import { availableParallelism, cpus } from 'node:os'

/** A benchmark that is not done by then is stopped: something is wrong, or the machine too busy for figures. */
const DEFAULT_LIMIT_SECONDS = 90

/**
 * Runs one benchmark and takes down whatever it started: when it is done, when it fails, at Ctrl-C, and when its time
 * is over. The exit code tells whether it could measure, never whether the figures were good.
 */
export async function runBenchmark(
  measure: (stack: AsyncDisposableStack) => Promise<void>,
  { limitSeconds = DEFAULT_LIMIT_SECONDS }: { limitSeconds?: number } = {},
): Promise<void> {
  const stack = new AsyncDisposableStack()
  const { promise: stopped, reject: stop } = Promise.withResolvers<never>()
  const timer = setTimeout(() => stop(new Error(`not done within ${limitSeconds} s`)), limitSeconds * 1000)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stop(new Error(`stopped by ${signal}`)))
  console.log(`${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}`)
  try {
    await Promise.race([measure(stack), stopped])
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  } finally {
    clearTimeout(timer)
    await stack.disposeAsync()
  }
  // Whatever a stopped measurement still waits for will never come.
  process.exit()
}
