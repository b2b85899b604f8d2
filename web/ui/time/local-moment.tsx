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

/** The element is empty until the time zone is known, so give it a size. Another year is shown. */
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
