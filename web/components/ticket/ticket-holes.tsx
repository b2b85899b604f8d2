import type { ActivationRecord } from '#contract/activation.ts'
import { useAtNow } from '../../live/use-at-now.ts'
import { isShort, secondsUntil, shareLeft } from '../time-left.ts'

/** The time of an activation in steps of one hole: finer changes are not seen. */
const STEPS = 20

/** The perforation between a ticket and its stub. Its dark holes are the time left: they go from the top, one by one. */
export function TicketHoles({ record }: { record: ActivationRecord }) {
  const steps = useAtNow((nowMs) => {
    if (record.final) return 0
    return Math.ceil(shareLeft({ from: record.created_at, until: record.expires_at, nowMs }) * STEPS)
  })
  const short = useAtNow((nowMs) => !record.final && isShort(secondsUntil(record.expires_at, nowMs)))
  return (
    <span
      aria-hidden
      className={`ticket-holes ${short ? 'text-soon' : 'text-ink'}`}
      style={{ '--left': `${(steps / STEPS) * 100}%` }}
    />
  )
}
