import { useLocale, useTranslations } from 'use-intl'
import { HOUR } from '#contract/time.ts'
import { formatMoment } from '#web/ui/time/moment-format.ts'
import { useShownMoment } from '#web/ui/time/use-shown-moment.ts'

/** Says when a rental of this many hours would end if it began now; empty until the time zone is known. */
export function RentEnd({ hours }: { hours: number }) {
  const t = useTranslations('rent')
  const locale = useLocale()
  const text = useShownMoment(
    // The text has whole minutes, because React compares it with that of a moment ago.
    ({ timeZone, nowMs }) =>
      `${t('until')} ${formatMoment(nowMs + hours * HOUR, { look: 'moment', locale, timeZone })}`,
    '',
  )
  return (
    <span suppressHydrationWarning className="tabular inline-block min-h-[1lh]">
      {text}
    </span>
  )
}
