import { useLocale } from 'use-intl'
import { formatMoment } from './moment-format.ts'
import { useShownMoment } from './use-shown-moment.ts'

type LocalMomentProps = {
  at: string
  className?: string
  /** If true, the year is always shown, because people may read a printed page in another year. */
  withYear?: boolean
  withSeconds?: boolean
}

/** Renders a moment; empty until the time zone is known, so give it a size. The current year is not shown. */
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
