import { useSyncExternalStore } from 'react'
import { useLocale } from 'use-intl'

const never = () => () => undefined

/**
 * The day, hour and minute of a moment where the reader is; the year when it is another one. Like LocalTime it leaves its
 * place empty where the reader's time zone is not known: give the place its size.
 */
export function LocalMoment({ at, className = '' }: { at: string; className?: string }) {
  const locale = useLocale()
  const text = useSyncExternalStore(
    never,
    () => formatMoment(at, locale),
    () => '',
  )
  return (
    <time dateTime={at} className={`tabular ${className}`}>
      {text}
    </time>
  )
}

function formatMoment(at: string, locale: string): string {
  const moment = new Date(at)
  const sameYear = moment.getFullYear() === new Date().getFullYear()
  return formatOf(locale, sameYear).format(moment)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making one takes longer than a hundred uses of it. */
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
