import { useLocale } from 'use-intl'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { formatMoment } from '#web/ui/time/moment-format.ts'

/** Renders a moment in the visitor's zone, or in UTC if the browser runs no scripts. */
export function StatusMoment({ at }: { at: string }) {
  const locale = useLocale()
  return (
    <>
      <LocalMoment at={at} className="inline-block min-h-[1lh]" />
      <noscript>{`${formatMoment(at, { look: 'moment', locale, timeZone: 'UTC' })} UTC`}</noscript>
    </>
  )
}
