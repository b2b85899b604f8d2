import { useTranslations } from 'use-intl'
import { useTimeZone } from '#web/past/time-zone.ts'

/** Paper is read where another time may hold. Nothing until the browser knows. */
export function SheetZone() {
  const t = useTranslations('history')
  const zone = useTimeZone()
  return zone === null ? null : t('zone', { zone })
}
