import { formatMoment } from '#web/ui/time/moment-format.ts'
import { useShownMoment } from '#web/ui/time/use-shown-moment.ts'

export function LocalTime({ at, className = '' }: { at: string; className?: string }) {
  const text = useShownMoment(({ timeZone }) => formatMoment(at, { look: 'time', locale: 'en-GB', timeZone }), '')
  return (
    <time suppressHydrationWarning dateTime={at} className={`tabular inline-block min-w-[5ch] ${className}`}>
      {text}
    </time>
  )
}
