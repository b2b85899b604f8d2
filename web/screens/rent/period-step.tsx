import { useId } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { RENT_PERIODS_HOURS } from '#contract/constants.ts'
import { type Currency, formatMoney } from '#contract/money.ts'
import type { TermsProps } from '#web/buying/panel/panel-mode.ts'
import { StepNumber } from '#web/buying/panel/step-number.tsx'
import { Price, useCurrency } from '#web/ui/initial/price.tsx'
import { usePeriodWords } from '#web/ui/time/period.ts'
import { pricePerDay } from './per-day.ts'

const PERIOD =
  'flex h-full min-h-11 w-full flex-col items-center justify-center rounded-sm border py-1 text-[14px] leading-tight whitespace-nowrap'
const CHOSEN = 'border-signal bg-signal-wash inset-ring inset-ring-signal'

export function PeriodStep({ choice, choose, offered, stale }: TermsProps) {
  const t = useTranslations('rent')
  const titleId = useId()
  const currency = useCurrency()
  const words = usePeriodWords()
  const priceOf = (hours: number) => offered?.periods?.find(({ period, count }) => period === hours && count > 0)?.price
  const priceLook = `tracking-tight text-muted ${stale ? 'opacity-45' : ''}`
  return (
    <section aria-labelledby={titleId} className="flex gap-3 border-t border-hairline px-4 py-2.5">
      <StepNumber number={3} className="mt-1.5" />
      <h3 id={titleId} className="sr-only">
        {t('period')}
      </h3>
      <ul className="grid flex-auto grid-cols-[repeat(auto-fill,minmax(5.75rem,1fr))] gap-1.5 lg:grid-cols-[repeat(auto-fill,minmax(4.125rem,1fr))]">
        {RENT_PERIODS_HOURS.map((hours) => {
          const price = priceOf(hours) ?? null
          return (
            <li key={hours}>
              <button
                type="button"
                className={`${PERIOD} ${hours === choice.periodHours ? CHOSEN : 'border-hairline hover:border-edge'}`}
                aria-pressed={hours === choice.periodHours}
                onClick={() => choose({ ...choice, periodHours: hours })}
              >
                <span className="font-medium">{words(hours)}</span>
                {offered === null ? null : price === null ? (
                  <span className={`text-[14px] lg:text-[12px] ${priceLook}`}>{t('noneLeft')}</span>
                ) : (
                  <>
                    <Price amount={price} currency={currency} className={`text-[14px] lg:text-[12px] ${priceLook}`} />
                    <PerDay price={price} hours={hours} currency={currency} className={priceLook} />
                  </>
                )}
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

type PerDayProps = { price: string; hours: number; currency: Currency; className: string }

function PerDay({ price, hours, currency, className }: PerDayProps) {
  const t = useTranslations('rent')
  const locale = useLocale()
  const perDay = pricePerDay(price, hours)
  if (perDay === null) return null
  return (
    <span className={`rent-per-day tabular text-[14px] lg:text-[11px] ${className}`}>
      {t('perDayShort', { amount: formatMoney(perDay, currency, locale) })}
    </span>
  )
}
