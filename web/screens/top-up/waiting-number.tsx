import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'
import { usePeriodWords } from '#web/ui/time/period.ts'
import type { Waiting } from './missing-for.ts'

export function WaitingNumber({ waiting }: { waiting: Waiting }) {
  const t = useTranslations('topUp')
  const locale = useLocale()
  const periodWords = usePeriodWords()
  const { service, country, hours, price } = waiting
  return (
    <div className="mt-6 rounded border border-hairline bg-surface px-4 py-3" data-waiting={service.id}>
      <p className="text-sm text-muted">{hours === null ? t('waiting') : t('waitingRent')}</p>
      <p className="mt-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
          <Mark service={service} />
          <span className="font-medium">{service.name}</span>
          <span className="inline-flex items-center gap-1.5 text-muted">
            <Flag iso2={country.iso2} size="tiny" />
            {country.name}
            {hours === null ? null : ` · ${periodWords(hours)}`}
          </span>
        </span>
        {price === null ? null : (
          <span className="tabular font-semibold whitespace-nowrap">
            {formatMoney(price.price, price.currency, locale)}
          </span>
        )}
      </p>
    </div>
  )
}
