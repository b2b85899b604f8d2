import { useSyncExternalStore } from 'react'
import { useUser } from '#web/house/app-context.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'
import { todayIn } from './past-days.ts'

const never = () => () => undefined

/**
 * Returns the IANA zone of the reader's settings or browser; null on the server and in the first rendering. A page
 * rendered in UTC would visibly change, so only the browser requests sums by day.
 */
export function useTimeZone(): string | null {
  const chosen = useUser()?.settings.time_zone
  return useSyncExternalStore(
    never,
    () => chosen ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => null,
  )
}

/** Returns the current day by the server's clock; null until the time zone is known. */
export function useToday(): string | null {
  const timeZone = useTimeZone()
  const today = useAtNow((nowMs) => (timeZone === null ? '' : todayIn(timeZone, nowMs)))
  return today === '' ? null : today
}
