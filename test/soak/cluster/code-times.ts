import { OWN_PREFIX } from './furnish.ts'
import type { Bought, Record, Way } from './record.ts'
import { sleep } from './wait.ts'

/** A code must be with its buyer so soon after its message, or after the healing. */
const LIMIT_MS = 3_000
/** A code that is not there after this time will not come, however busy the machine is. */
const NEVER_MS = 20_000
/** The simulator sends its message a second after the sale, or after another node took its work. */
const SIMULATED_MS = 1_000
const LOOK_MS = 100
const WAYS: readonly Way[] = ['page', 'call']

/** Waits for each code that is due. Returns those that were late or never came, and the longest time of the others. */
export async function checkCodes(
  record: Record,
  { sinceMs, healedAtMs }: { sinceMs: number; healedAtMs: number },
): Promise<{ late: string[]; never: string[]; longestMs: number; count: number }> {
  const untilMs = Date.now()
  const dueAt = ({ id, phone, by, at }: Bought) => {
    const isOwn = phone.startsWith(OWN_PREFIX)
    const sentAtMs = isOwn ? record.sent.get(id)?.at : at
    // A sold-out operator is replaced by any other in this protocol, also by one whose numbers stay silent.
    const isSilent = !isOwn && by === 'handler-api'
    if (sentAtMs === undefined || isSilent || record.givenBack.has(id)) return null
    return Math.max(sentAtMs, healedAtMs) + (isOwn ? 0 : SIMULATED_MS)
  }
  const due = [...record.bought.values()].flatMap((bought) => {
    const dueAtMs = bought.at < sinceMs ? null : dueAt(bought)
    const { id, phone } = bought
    return dueAtMs === null || dueAtMs > untilMs ? [] : WAYS.map((way) => ({ id, phone, way, dueAtMs }))
  })
  const isThere = ({ id, way }: { id: number; way: Way }) => record.codeOf(id, way) !== undefined
  const endMs = Math.max(0, ...due.map(({ dueAtMs }) => dueAtMs)) + NEVER_MS
  while (!due.every(isThere) && Date.now() < endMs) await sleep(LOOK_MS)
  const late: string[] = []
  const never: string[] = []
  let longestMs = 0
  for (const { id, phone, way, dueAtMs } of due) {
    const shown = `the code of order ${id} (${phone}) by ${way}`
    const line = record.codeOf(id, way)
    const tookMs = line === undefined ? 0 : line.at - dueAtMs
    if (line === undefined) never.push(shown)
    else if (tookMs > LIMIT_MS) late.push(`${shown}: ${tookMs} ms`)
    else longestMs = Math.max(longestMs, tookMs)
  }
  return { late, never, longestMs, count: due.length }
}
