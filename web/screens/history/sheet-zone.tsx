import { useTranslations } from 'use-intl'
import { useTimeZone } from '#web/past/time-zone.ts'

/** Paper may be read in another time zone, so it names its own. Renders nothing until the zone is known. */
export function SheetZone() {
  const t = useTranslations('history')
  const zone = useTimeZone()
  return zone === null ? null : t('zone', { zone })
}
