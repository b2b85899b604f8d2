import type { ReactNode } from 'react'
import { useUser } from '#web/app-context.ts'
import { ShownTimeZone } from './shown-time-zone.ts'

/** Every moment below is told in the zone of the reader's settings. */
export function ReaderTimeZone({ children }: { children: ReactNode }) {
  const chosen = useUser()?.settings.time_zone ?? undefined
  return <ShownTimeZone value={chosen !== undefined && isKnown(chosen) ? chosen : undefined}>{children}</ShownTimeZone>
}

/** Browsers know other zones than the server, and would throw. */
function isKnown(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    // The zone of the browser is shown instead.
    return false
  }
}
