import { useLocale, useTranslations } from 'use-intl'
import { type Currency, formatMoney } from '#contract/money.ts'
import type { Choice } from '#web/buying/initial/choice.ts'
import { usePeriodWords } from '#web/ui/time/period.ts'
import { pricePerDay } from './per-day.ts'
import { RentEnd } from './rent-end.tsx'

/** Sums up the chosen rental in one line: for how long, until when, and the price of a day. */
export function RentSummary({ choice, price, currency }: { choice: Choice; price: string; currency: Currency }) {
  const t = useTranslations('rent')
  const locale = useLocale()
  const words = usePeriodWords()
  const perDay = pricePerDay(price, choice.periodHours)
  return (
    <div className="rent-summary">
      <p className="mb-2 flex min-h-5 flex-wrap justify-between gap-x-4 text-[14px] leading-5">
        <span>
          <span className="font-medium">{words(choice.periodHours)}</span>{' '}
          <span className="text-muted">
            <RentEnd hours={choice.periodHours} />
          </span>
        </span>
        {perDay === null ? null : (
          <span className="tabular text-muted">{t('perDay', { price: formatMoney(perDay, currency, locale) })}</span>
        )}
      </p>
    </div>
  )
}
