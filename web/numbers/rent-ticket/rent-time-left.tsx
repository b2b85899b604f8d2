import { useTranslations } from 'use-intl'
import { leftParts } from '#web/ui/time/period.ts'
import { formatSeconds, secondsUntil } from '#web/ui/time/time-left.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'

/** The time left is not a live region, because screen readers would read each change. */
export function RentTimeLeft({ at, short, className = '' }: { at: string; short: boolean; className?: string }) {
  const t = useTranslations('rent')
  // The selected value is a string, so the component renders only when its text changes.
  const left = useAtNow((nowMs) => {
    const parts = leftParts(secondsUntil(at, nowMs))
    switch (parts.unit) {
      case 'days':
        return t('leftDays', parts)
      case 'hours':
        return t('leftHours', parts)
      case 'seconds':
        return formatSeconds(parts.seconds)
      default:
        return parts satisfies never
    }
  })
  return (
    <time
      dateTime={at}
      role="timer"
      aria-live="off"
      className={`tabular whitespace-nowrap ${short ? 'text-soon' : ''} ${className}`}
    >
      {left}
    </time>
  )
}
