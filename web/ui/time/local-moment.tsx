import { useLocale } from 'use-intl'
import { formatMoment } from './moment-format.ts'
import { useShownMoment } from './use-shown-moment.ts'

type LocalMomentProps = {
  at: string
  className?: string
  /** Always shows the year, because paper is read in other years. */
  withYear?: boolean
  /** Shows seconds, for lists in which two moments fall in one minute. */
  withSeconds?: boolean
}

/**
 * Shows a moment in the reader's zone. The element is empty until the zone is known, so give it a size. The year shows
 * if it is not the current one.
 */
export function LocalMoment({ at, className = '', withYear = false, withSeconds = false }: LocalMomentProps) {
  const locale = useLocale()
  const text = useShownMoment(({ timeZone, nowMs }) => {
    const yearOf = (moment: string | number) => formatMoment(moment, { look: 'year', locale, timeZone })
    const sameYear = !withYear && yearOf(at) === yearOf(nowMs)
    return formatMoment(at, { look: sameYear ? 'moment' : 'momentWithYear', locale, timeZone, withSeconds })
  }, '')
  return (
    <time suppressHydrationWarning dateTime={at} className={`tabular ${className}`}>
      {text}
    </time>
  )
}
