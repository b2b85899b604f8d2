import { useTranslations } from 'use-intl'
import { useTimeZone } from '#web/past/time-zone.ts'

/**
 * A printed sheet names its time zone, because it may be read in another one. Renders nothing until the browser knows
 * the zone.
 */
export function SheetZone() {
  const t = useTranslations('history')
  const zone = useTimeZone()
  return zone === null ? null : t('zone', { zone })
}
