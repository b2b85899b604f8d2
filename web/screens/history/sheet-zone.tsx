import { useTranslations } from 'use-intl'
import { useTimeZone } from '#web/past/time-zone.ts'

/** A printed page names its time zone, because its reader may be in another zone. Renders nothing until it is known. */
export function SheetZone() {
  const t = useTranslations('history')
  const zone = useTimeZone()
  return zone === null ? null : t('zone', { zone })
}
