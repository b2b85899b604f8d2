import { useLocale, useTranslations } from 'use-intl'
import type { MovementItem } from '#contract/history.ts'
import { formatMoney } from '#contract/money.ts'
import { Price } from '#web/ui/first/price.tsx'
import { Flag } from '#web/ui/marks/first/flag.tsx'
import { Mark } from '#web/ui/marks/first/mark.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'

export function MovementRow({ item }: { item: MovementItem }) {
  const t = useTranslations('history')
  const locale = useLocale()
  const { subject, amount, balance, currency } = item
  return (
    <tr className="past-row" data-movement={item.id}>
      <td data-cell="at" className="max-lg:text-[13px]">
        <LocalMoment at={item.at} className="text-muted" />
      </td>
      <td data-cell="what">
        <span className="block font-medium">{t(`movement.${wordOf(item)}`)}</span>
        <span className="block truncate text-[13px] text-muted">
          {subject === null ? (item.payment?.name ?? t('byStaff')) : t(`purpose.${subject.purpose}`)}
          {subject === null ? null : (
            <span className="font-mono text-[12px]">{` · ${t('number', { id: String(subject.id) })}`}</span>
          )}
        </span>
      </td>
      <td data-cell="subject" className="flex items-center gap-3">
        {subject === null ? null : (
          <>
            <Mark service={subject.service} />
            <span className="min-w-0">
              <span className="block truncate">{subject.service.name}</span>
              <span className="flex items-center gap-1.5 text-[13px] text-muted">
                <Flag iso2={subject.country.iso2} size="tiny" />
                <span className="truncate">{subject.country.name}</span>
              </span>
            </span>
          </>
        )}
      </td>
      <td data-cell="amount" className="text-right">
        <span className="tabular font-semibold whitespace-nowrap">
          {amount.startsWith('-') ? '' : '+'}
          {formatMoney(amount, currency, locale)}
        </span>
      </td>
      <td data-cell="balance" className="text-right text-muted max-lg:text-[13px]">
        <span className="max-lg:hidden">
          <Price amount={balance} currency={currency} />
        </span>
        <span className="tabular lg:hidden">
          {t('balanceAfter', { amount: formatMoney(balance, currency, locale) })}
        </span>
      </td>
    </tr>
  )
}

/** A hold is no payment yet: it is captured, or released by a row of its own. */
function wordOf({ kind, subject }: MovementItem): MovementItem['kind'] | 'charged' {
  return kind === 'hold' && subject?.money === 'captured' ? 'charged' : kind
}
