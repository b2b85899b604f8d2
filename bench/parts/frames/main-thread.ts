/** An event of a browser trace. Times are in microseconds. */
type TraceEvent = {
  name: string
  ph: string
  ts: number
  dur?: number
  pid: number
  tid: number
  args: { data?: { type?: string } }
}

export const TRACE_CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline']

/** The longest frame, and the longest task of any kind, between a key press and the next key press. */
export type KeyCost = { frameMs: number; taskMs: number }

/**
 * Reads from a browser trace how long the page was busy after each key press. A task blocks drawing and input; a frame
 * is a task that draws.
 */
export function readKeys(trace: Buffer): KeyCost[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const changes = traceEvents.filter(({ name, args }) => name === 'EventDispatch' && args.data?.type === 'input')
  const [first] = changes
  if (first === undefined) throw new Error('nothing was typed')
  const own = traceEvents.filter(({ ph, pid, tid }) => ph === 'X' && pid === first.pid && tid === first.tid)
  const tasks = own.filter(({ name }) => name === 'RunTask').sort((one, other) => one.ts - other.ts)
  const paints = own.filter(({ name }) => name === 'PrePaint').map(({ ts }) => ts)
  const draws = (task: TraceEvent) => paints.some((paint) => paint >= task.ts && paint < endOf(task))
  return changes.map(({ ts }, index) => {
    const until = changes[index + 1]?.ts ?? Number.POSITIVE_INFINITY
    // A key's task begins before its event, so only tasks that end before the next key's event count.
    const after = tasks.filter((task) => endOf(task) > ts && endOf(task) < until)
    const frames = after.filter(draws)
    // On a busy machine, one frame may show the results of two key presses.
    const shared = tasks.find((task) => endOf(task) > ts && draws(task))
    if (shared === undefined) throw new Error('the trace has a key after which nothing was drawn')
    return { frameMs: longestMs(frames.length === 0 ? [shared] : frames), taskMs: longestMs([...after, shared]) }
  })
}

function endOf({ ts, dur = 0 }: TraceEvent): number {
  return ts + dur
}

function longestMs(tasks: TraceEvent[]): number {
  return Math.max(...tasks.map(({ dur = 0 }) => dur / 1000))
}
