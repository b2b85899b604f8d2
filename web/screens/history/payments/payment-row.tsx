import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { PaymentRecord } from '#contract/payment.ts'
import { paymentWord, STATE_LOOKS } from '#web/money/payment-word.ts'
import { SystemMark } from '#web/money/system-mark.tsx'
import { Link } from '#web/navigation/link.tsx'
import { ProblemLink } from '#web/numbers/ticket/problem-link.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { type HistoryChoice, writeHistory } from '../history-filter.ts'
import { isNothing } from '../money/signed.ts'
import { PaymentNumber } from './payment-number.tsx'

export function PaymentRow({ payment, choice }: { payment: PaymentRecord; choice: HistoryChoice }) {
  const t = useTranslations('history')
  const states = useTranslations('topUp.state')
  const locale = useLocale()
  const { transaction_id: id, currency } = payment
  const word = paymentWord(payment)
  const money = (amount: string) => formatMoney(amount, currency, locale)
  const hasCome = !isNothing(payment.received)
  return (
    <tr className="past-row hover:bg-sunken" data-payment={id}>
      <td data-cell="at" className="max-lg:text-[13px]">
        <LocalMoment at={payment.created_at} className="text-muted" />
      </td>
      <td data-cell="way" className="flex items-center gap-3">
        <SystemMark mark={payment.mark} />
        <span className="min-w-0">
          <span className="block font-medium wrap-anywhere">{payment.name}</span>
          <span className="block text-muted">
            <PaymentNumber id={id} />
          </span>
        </span>
      </td>
      <td data-cell="state">
        <span className={`block ${STATE_LOOKS[word] ?? 'text-muted'}`}>{states(word)}</span>
        <Link
          to={{ search: writeHistory(new URLSearchParams(), { ...choice, payment: id }).toString() }}
          aria-label={t(hasCome ? 'receipt.open' : 'receipt.openDetails', { name: payment.name, id })}
          className="inline-block text-[13px] text-signal underline underline-offset-2 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-sm focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-signal"
        >
          {t(hasCome ? 'receipt.link' : 'receipt.details')}
        </Link>
        <ProblemLink kind="payment" id={id} className="relative z-10 -my-2.5 lg:ml-3" />
        {isNothing(payment.refunded) ? null : (
          <span className="block text-[13px] text-muted">{t('wentBack', { amount: money(payment.refunded) })}</span>
        )}
      </td>
      <td data-cell="asked" className="text-right">
        <span className="tabular block whitespace-nowrap max-lg:font-semibold">{money(payment.sum)}</span>
        {!hasCome || payment.received === payment.sum ? null : (
          <span className="tabular block text-[13px] text-muted">
            {t('arrived', { amount: money(payment.received) })}
          </span>
        )}
      </td>
      <td data-cell="credited" className="text-right">
        <span className={`tabular whitespace-nowrap max-lg:hidden ${hasCome ? 'font-semibold' : 'text-muted'}`}>
          {hasCome ? money(payment.credited) : t('nothingCame')}
        </span>
        {hasCome && payment.credited !== payment.sum ? (
          <span className="tabular text-[13px] whitespace-nowrap text-muted lg:hidden">
            {t('creditedSum', { amount: money(payment.credited) })}
          </span>
        ) : null}
        {hasCome ? <Terms payment={payment} /> : null}
      </td>
    </tr>
  )
}

function Terms({ payment }: { payment: PaymentRecord }) {
  const t = useTranslations('topUp')
  const locale = useLocale()
  const money = (amount: string) => formatMoney(amount, payment.currency, locale)
  const words = [
    ...(isNothing(payment.fee) ? [] : [t('ofFee', { amount: money(payment.fee) })]),
    ...(payment.paid_at === null || isNothing(payment.bonus) ? [] : [t('ofBonus', { amount: money(payment.bonus) })]),
  ]
  return words.map((word) => (
    <span key={word} className="tabular block text-[13px] text-muted">
      {word}
    </span>
  ))
}
