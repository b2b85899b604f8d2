/** One event of a Chromium trace; times in microseconds. */
type TraceEvent = {
  name: string
  ph: string
  ts: number
  dur?: number
  pid: number
  tid: number
  args: { data?: { type?: string } }
}

/** What Chromium is asked to write down for `longestAfterKeys`. */
export const TRACE_CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline']

/**
 * From a trace: for each change of a text field, the longest task of the page's main thread until the next one, in ms.
 * Tasks are uninterrupted: while one lasts, nothing is drawn.
 */
export function longestAfterKeys(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const changes = traceEvents.filter(({ name, args }) => name === 'EventDispatch' && args.data?.type === 'input')
  const [first] = changes
  if (first === undefined) throw new Error('nothing was typed')
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid }) => name === 'RunTask' && ph === 'X' && pid === first.pid && tid === first.tid,
  )
  return changes.map(({ ts }, index) => {
    const until = changes[index + 1]?.ts ?? Number.POSITIVE_INFINITY
    // The task that tells of the change began before it.
    const own = tasks.filter((task) => task.ts < until && task.ts + (task.dur ?? 0) > ts)
    if (own.length === 0) throw new Error('the trace has no tasks')
    return Math.max(...own.map(({ dur = 0 }) => dur / 1000))
  })
}
