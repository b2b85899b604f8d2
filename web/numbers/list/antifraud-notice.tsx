import { useTranslations } from 'use-intl'
import type { ActiveNumbers } from '#contract/activation.ts'
import type { NumberKindName } from '#web/live/numbers-cache.ts'
import { LocalTime } from '#web/numbers/codes/local-time.tsx'
import { useCountryNames, useServiceNames } from '#web/past/catalog-names.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'
import { Countdown } from '#web/ui/time/countdown.tsx'
import { secondsUntil } from '#web/ui/time/time-left.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'

export type Pauses = ActiveNumbers['antifraud']
type NoticeProps = { pauses: Pauses; kind: NumberKindName }

export function AntifraudNotice(props: NoticeProps) {
  return (
    <WithAllTexts>
      <Notice {...props} />
    </WithAllTexts>
  )
}

function Notice({ pauses, kind }: NoticeProps) {
  const t = useTranslations('antifraud')
  const names = useNames(kind)
  const over = useAtNow((nowMs) => pauses.every(({ until }) => secondsUntil(until, nowMs) === 0))
  if (over) return null
  return (
    <section aria-label={t('title')} className="rounded border border-hairline bg-soon-wash px-4 py-3 text-[14px]">
      <p className="font-semibold">{t('title')}</p>
      <ul className="my-1 flex flex-col gap-1">
        {pauses.map((pause) => (
          <PauseRow key={`${pause.service_id}-${pause.country_id}`} pause={pause} names={names} />
        ))}
      </ul>
      <p className="text-muted">{t('why')}</p>
    </section>
  )
}

type Names = {
  services: readonly { id: string; name: string }[]
  countries: readonly { id: number; name: string; iso2: string }[]
}

function PauseRow({ pause, names }: { pause: Pauses[number]; names: Names }) {
  const t = useTranslations('antifraud')
  const service = names.services.find(({ id }) => id === pause.service_id)
  const country = names.countries.find(({ id }) => id === pause.country_id)
  return (
    <li className="flex min-h-7 flex-wrap items-center gap-x-2">
      {service === undefined ? null : <Mark service={service} />}
      <span className="font-medium">{service?.name ?? t('unnamed')}</span>
      {country === undefined ? null : (
        <span className="inline-flex items-center gap-1.5">
          <Flag iso2={country.iso2} size="tiny" />
          {country.name}
        </span>
      )}
      <span className="text-soon">
        {t('until')} <LocalTime at={pause.until} /> · <Countdown at={pause.until} />
      </span>
    </li>
  )
}

/** Loads all names of services and countries, because the records of paused pairs carry only ids. */
function useNames(kind: NumberKindName): Names {
  const services = useServiceNames({ kind })
  const countries = useCountryNames({ kind })
  return { services: services.data ?? [], countries: countries.data ?? [] }
}
