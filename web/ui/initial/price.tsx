import { useLocale } from 'use-intl'
import { type Currency, formatMoney } from '#contract/money.ts'
import { useAppContext, useUser } from '#web/house/app-context.ts'

/** Renders an amount of money. `amount` is a decimal string such as "12.50". */
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

export const CURRENCY_SIGNS: Record<Currency, string> = { rub: '₽', usd: '$' }

/** Returns the account's currency, or for visitors the currency of the site's zone. */
export function useCurrency(): Currency {
  const { page } = useAppContext()
  return useUser()?.currency ?? page.zone.currency
}
