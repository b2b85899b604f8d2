import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { MovementItem } from '#contract/past/history.ts'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { movedBy } from '../money/moved-by.ts'
import { signed } from '../money/signed.ts'
import { PaymentNumber } from '../payments/payment-number.tsx'
import { movementWord } from './movement-word.ts'

export function StatementLines({ items }: { items: readonly MovementItem[] }) {
  const t = useTranslations('history')
  const locale = useLocale()
  return (
    <table className="sheet-table mt-6">
      <caption className="pb-2 text-left text-base font-semibold">{t('statement.lines')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('column.what')}</th>
          <th scope="col" data-amount>
            {t('column.amount')}
          </th>
          <th scope="col" data-amount className="max-sm:hidden print:table-cell">
            {t('column.balance')}
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id} data-movement={item.id}>
            <td>
              <span className="block">{t(`movement.${movementWord(item.kind, item.subject)}`)}</span>
              <span className="block text-[13px] wrap-anywhere text-muted">
                <LocalMoment at={item.at} withYear />
                <About item={item} />
              </span>
            </td>
            <td data-amount>
              {signed(item.amount, item.currency, locale)}
              <span className="block text-[13px] text-muted sm:hidden print:hidden">
                {t('balanceAfter', { amount: formatMoney(item.balance, item.currency, locale) })}
              </span>
            </td>
            <td data-amount className="text-muted max-sm:hidden print:table-cell">
              {formatMoney(item.balance, item.currency, locale)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function About({ item: { kind, subject, payment } }: { item: MovementItem }) {
  const t = useTranslations('history')
  if (subject !== null) {
    const { purpose, service, country, id } = subject
    return ` · ${t(`purpose.${purpose}`)} · ${service.name}, ${country.name} · ${t('number', { id: String(id) })}`
  }
  if (payment === null) return ` · ${t(movedBy(kind))}`
  return (
    <>
      {` · ${payment.name} · `}
      <PaymentNumber id={payment.transaction_id} />
    </>
  )
}
