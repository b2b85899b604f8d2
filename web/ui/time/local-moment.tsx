import { use, useSyncExternalStore } from 'react'
import { useLocale } from 'use-intl'
import { formatMoment } from './moment-format.ts'
import { ShownTimeZone } from './shown-time-zone.ts'

const never = () => () => undefined

type LocalMomentProps = {
  at: string
  className?: string
  /** Paper is read in other years. */
  withYear?: boolean
  /** Where two fall in one minute. */
  withSeconds?: boolean
}

/** Empty until the browser knows the time zone, so give it a size. Another year is named. */
export function LocalMoment({ at, className = '', withYear = false, withSeconds = false }: LocalMomentProps) {
  const locale = useLocale()
  const timeZone = use(ShownTimeZone)
  const yearOf = (moment: string | number) => formatMoment(moment, { look: 'year', locale, timeZone })
  const text = useSyncExternalStore(
    never,
    () => {
      const sameYear = !withYear && yearOf(at) === yearOf(Date.now())
      return formatMoment(at, { look: sameYear ? 'moment' : 'momentWithYear', locale, timeZone, withSeconds })
    },
    () => '',
  )
  return (
    <time dateTime={at} className={`tabular ${className}`}>
      {text}
    </time>
  )
}
