import { useSyncExternalStore } from 'react'
import { useLocale } from 'use-intl'

const never = () => () => undefined

type LocalMomentProps = {
  at: string
  className?: string
  /** Paper is read in other years. */
  withYear?: boolean
}

/** Empty until the browser knows the time zone, so give it a size. Another year is named. */
export function LocalMoment({ at, className = '', withYear = false }: LocalMomentProps) {
  const locale = useLocale()
  const text = useSyncExternalStore(
    never,
    () => formatMoment(at, locale, withYear),
    () => '',
  )
  return (
    <time dateTime={at} className={`tabular ${className}`}>
      {text}
    </time>
  )
}

function formatMoment(at: string, locale: string, withYear: boolean): string {
  const moment = new Date(at)
  const sameYear = !withYear && moment.getFullYear() === new Date().getFullYear()
  return formatOf(locale, sameYear).format(moment)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Construction costs more than a hundred uses. */
function formatOf(locale: string, sameYear: boolean): Intl.DateTimeFormat {
  const key = `${locale} ${sameYear}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(key, made)
  return made
}
