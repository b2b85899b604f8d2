import { useSyncExternalStore } from 'react'
import { useAtNow } from '#web/ui/time/use-at-now.ts'
import { todayIn } from './past-days.ts'

const never = () => () => undefined

/**
 * The reader's time zone (an IANA name); null on the server and in the browser's first rendering, which must equal the
 * server's. The server cannot know it, so what depends on it (days, and with them most sums) is asked for by the browser
 * alone and stands as placeholders of the final size until then: a page in UTC first would change before one's eyes.
 */
export function useTimeZone(): string | null {
  return useSyncExternalStore(
    never,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => null,
  )
}

/** The reader's day now, by the server's clock; null as long as the time zone is not known. */
export function useToday(): string | null {
  const timeZone = useTimeZone()
  const today = useAtNow((nowMs) => (timeZone === null ? '' : todayIn(timeZone, nowMs)))
  return today === '' ? null : today
}
