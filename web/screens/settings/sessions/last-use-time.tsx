import { use, useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { useStore } from '#web/house/stores/store.ts'
import { formatMoment } from '#web/ui/time/moment-format.ts'
import { ShownTimeZone } from '#web/ui/time/shown-time-zone.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'

const MINUTES_OF_HOUR = HOUR / MINUTE
const MINUTES_OF_DAY = DAY / MINUTE

const never = () => () => undefined

export function LastUse({ at }: { at: string }) {
  const t = useTranslations('settings.sessions')
  const { locale } = useStore(useAppContext().language)
  const minutes = useAtNow((nowMs) => Math.floor((nowMs - Date.parse(at)) / MINUTE))
  const timeZone = use(ShownTimeZone)
  const age = ageOf(minutes)
  // The server does not know the reader's time zone, so only the browser renders the exact time.
  const exact = useSyncExternalStore(
    never,
    () => formatMoment(at, { look: 'momentWithYear', locale, timeZone }),
    () => undefined,
  )
  return (
    <time dateTime={at} title={exact}>
      {age === null ? t('justNow') : t(`ago.${age.unit}`, { count: age.count })}
    </time>
  )
}

type Age = { unit: 'minute' | 'hour' | 'day'; count: number }

/** Returns whole minutes, hours or days, the largest unit that fits; null below a minute and for the future. */
export function ageOf(minutes: number): Age | null {
  if (minutes < 1) return null
  if (minutes < MINUTES_OF_HOUR) return { unit: 'minute', count: minutes }
  if (minutes < MINUTES_OF_DAY) return { unit: 'hour', count: Math.floor(minutes / MINUTES_OF_HOUR) }
  return { unit: 'day', count: Math.floor(minutes / MINUTES_OF_DAY) }
}
