import { use, useSyncExternalStore } from 'react'
import { useLocale } from 'use-intl'
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
  const text = useSyncExternalStore(
    never,
    () => formatMoment(at, { locale, withYear, withSeconds, timeZone }),
    () => '',
  )
  return (
    <time dateTime={at} className={`tabular ${className}`}>
      {text}
    </time>
  )
}

type Look = { locale: string; withYear: boolean; withSeconds: boolean; timeZone: string | undefined }

function formatMoment(at: string, { withYear, ...look }: Look): string {
  const moment = new Date(at)
  const sameYear = !withYear && moment.getFullYear() === new Date().getFullYear()
  return formatOf(sameYear, look).format(moment)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Construction costs more than a hundred uses. */
function formatOf(sameYear: boolean, { locale, withSeconds, timeZone }: Omit<Look, 'withYear'>): Intl.DateTimeFormat {
  const key = `${locale} ${sameYear} ${withSeconds} ${timeZone}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    ...(withSeconds && { second: '2-digit' }),
    hourCycle: 'h23',
    timeZone,
  })
  formats.set(key, made)
  return made
}
