import { use, useSyncExternalStore } from 'react'
import { formatMoment } from '#web/ui/time/moment-format.ts'
import { ShownTimeZone } from '#web/ui/time/shown-time-zone.ts'

const never = () => () => undefined

/** Empty on the server and in the first rendering, because only the browser knows the time zone. */
export function LocalTime({ at, className = '' }: { at: string; className?: string }) {
  const timeZone = use(ShownTimeZone)
  const text = useSyncExternalStore(
    never,
    () => formatMoment(at, { look: 'time', locale: 'en-GB', timeZone }),
    () => '',
  )
  return (
    <time dateTime={at} className={`tabular inline-block min-w-[5ch] ${className}`}>
      {text}
    </time>
  )
}
