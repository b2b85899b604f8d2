import type { NumberRecord } from '#web/live/numbers-cache.ts'
import { isShort, secondsUntil, shareLeft } from '#web/ui/time/time-left.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'

/** The number of steps in which the time left is drawn. Smaller steps would not be visible. */
const STEPS = 20

type TicketHolesProps = {
  record: Pick<NumberRecord, 'final' | 'created_at'>
  endsAt: string
  /** True if little time is left. The default is true in the last two minutes. */
  short?: boolean | undefined
}

export function TicketHoles({ record, endsAt, short }: TicketHolesProps) {
  const steps = useAtNow((nowMs) => {
    if (record.final) return 0
    return Math.ceil(shareLeft({ from: record.created_at, until: endsAt, nowMs }) * STEPS)
  })
  const lastMinutes = useAtNow((nowMs) => !record.final && isShort(secondsUntil(endsAt, nowMs)))
  return (
    <span
      aria-hidden
      className={`ticket-holes ${(short ?? lastMinutes) ? 'text-soon' : 'text-ink'}`}
      style={{ '--left': `${(steps / STEPS) * 100}%` }}
    />
  )
}
