import { availableParallelism, cpus } from 'node:os'

const DEFAULT_LIMIT_SECONDS = 90

/** Runs a benchmark and cleans up, even after Ctrl-C or a time-out. The exit code is 1 if it could not measure. */
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
  // The process must exit explicitly, because a stopped measurement may wait for ever.
  process.exit()
}
