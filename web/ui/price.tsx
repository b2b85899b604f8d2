import { useLocale } from 'use-intl'
import { type Currency, formatMoney } from '#contract/money.ts'
import { useAppContext, useUser } from '#web/app-context.ts'

/** An amount of the wire, "12.50", as people read it. */
export function Price({
  amount,
  currency,
  className = '',
}: {
  amount: string
  currency: Currency
  className?: string
}) {
  const locale = useLocale()
  return <span className={`tabular whitespace-nowrap ${className}`}>{formatMoney(amount, currency, locale)}</span>
}

/** Beside a field for an amount. */
export const CURRENCY_SIGNS: Record<Currency, string> = { rub: '₽', usd: '$' }

/** The currency prices are shown in: the account's, or the zone's for a visitor. */
export function useCurrency(): Currency {
  const { page } = useAppContext()
  return useUser()?.currency ?? page.zone.currency
}
