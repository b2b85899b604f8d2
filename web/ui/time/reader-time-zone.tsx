import type { ReactNode } from 'react'
import { isTimeZone } from '#contract/formats/time-zone.ts'
import { useUser } from '#web/house/app-context.ts'
import { ShownTimeZone } from './shown-time-zone.ts'

export function ReaderTimeZone({ children }: { children: ReactNode }) {
  const chosen = useUser()?.settings.time_zone ?? undefined
  const shown = chosen !== undefined && isTimeZone(chosen) ? chosen : undefined
  return <ShownTimeZone value={shown}>{children}</ShownTimeZone>
}
