import { useSyncExternalStore } from 'react'
import { useUser } from '#web/house/app-context.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'
import { todayIn } from './past-days.ts'

const never = () => () => undefined

/**
 * That of the reader's settings, else of the browser: an IANA name; null on the server and in the first rendering. Sums by day depend on the zone, so only the browser
 * requests them. A page rendered in UTC would change visibly.
 */
export function useTimeZone(): string | null {
  const chosen = useUser()?.settings.time_zone
  return useSyncExternalStore(
    never,
    () => chosen ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => null,
  )
}

/** By the server's clock; null until the time zone is known. */
export function useToday(): string | null {
  const timeZone = useTimeZone()
  const today = useAtNow((nowMs) => (timeZone === null ? '' : todayIn(timeZone, nowMs)))
  return today === '' ? null : today
}
