import { useLocale, useTranslations } from 'use-intl'
import type { Currency } from '#contract/money.ts'
import type { BonusRuleRecord } from '#contract/payment.ts'
import { shortMoney } from '#web/money/amount-text.ts'
import { percentWords } from '#web/text/percent-words.ts'

export function BonusOffers({ bonuses, currency }: { bonuses: readonly BonusRuleRecord[]; currency: Currency }) {
  if (bonuses.length === 0) return null
  return (
    <ul className="mt-6 grid gap-1">
      {bonuses.map((rule) => (
        <li key={JSON.stringify(rule)} className="tabular">
          <Offer rule={rule} currency={currency} />
        </li>
      ))}
    </ul>
  )
}

function Offer({ rule, currency }: { rule: BonusRuleRecord; currency: Currency }) {
  const t = useTranslations('topUp')
  const locale = useLocale()
  const { kind, percent, amount, least, most } = rule
  const money = (decimal: string) => shortMoney(decimal, currency, locale)
  const given =
    amount === null
      ? t('bonus', { percent: percentWords(percent ?? '0', locale) })
      : t('bonusAmount', { amount: money(amount) })
  const limits = [
    ...(kind === 'first' && least !== '0.00' ? [t('offerLeast', { least: money(least) })] : []),
    ...(most === null ? [] : [t('offerMost', { most: money(most) })]),
  ]
  return (
    <>
      <strong className="rounded-sm bg-received-wash px-1.5 font-semibold text-received">{given}</strong>{' '}
      {kind === 'first' ? t('offerFirst') : t('offerAbove', { least: money(least) })}
      {limits.length === 0 ? null : <span className="text-muted"> ({limits.join(', ')})</span>}
    </>
  )
}
