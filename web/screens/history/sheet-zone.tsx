import { useTranslations } from 'use-intl'
import { useTimeZone } from '#web/past/time-zone.ts'

/** Names the time zone on a printed page, whose reader may be in another zone; nothing until the zone is known. */
export function SheetZone() {
  const t = useTranslations('history')
  const zone = useTimeZone()
  return zone === null ? null : t('zone', { zone })
}
