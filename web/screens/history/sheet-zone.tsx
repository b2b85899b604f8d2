import { useTranslations } from 'use-intl'
import { useTimeZone } from '#web/past/time-zone.ts'

/**
 * A printed page names its time zone, because people may read it in another one. Renders nothing until the zone is
 * known.
 */
export function SheetZone() {
  const t = useTranslations('history')
  const zone = useTimeZone()
  return zone === null ? null : t('zone', { zone })
}
