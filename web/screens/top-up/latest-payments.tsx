import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { PaymentRecord } from '#contract/payment.ts'
import { paymentWord, STATE_LOOKS } from '#web/money/payment-word.ts'
import { SystemMark } from '#web/money/system-mark.tsx'
import { Link } from '#web/navigation/link.tsx'
import { routeNamed } from '#web/navigation/routes.ts'
import { ProblemLink } from '#web/numbers/ticket/problem-link.tsx'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'

export function LatestPayments({ payments }: { payments: readonly PaymentRecord[] }) {
  const t = useTranslations('topUp')
  const history = routeNamed('history')
  if (payments.length === 0) return null
  return (
    <section className="mt-12" aria-labelledby="latest-payments">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="latest-payments" className="text-lg font-semibold">
          {t('latest')}
        </h2>
        {history === undefined ? null : (
          <Link
            to={`${history.path}?view=payments`}
            className={`inline-flex min-h-10 items-center ${TEXT_BUTTON_LOOK}`}
          >
            {t('all')}
          </Link>
        )}
      </div>
      <ul className="mt-2 overflow-hidden rounded border border-hairline bg-surface">
        {payments.map((payment) => (
          <PaymentRow key={payment.transaction_id} payment={payment} />
        ))}
      </ul>
    </section>
  )
}

function PaymentRow({ payment }: { payment: PaymentRecord }) {
  const t = useTranslations('topUp')
  const locale = useLocale()
  const { credited, sum, currency } = payment
  const word = paymentWord(payment)
  const hasCome = Number(payment.received) > 0
  return (
    <li className="flex items-center gap-3 border-hairline px-4 py-3 not-first:border-t">
      <SystemMark mark={payment.mark} />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap justify-between gap-x-3 font-medium">
          {payment.name}
          <span className={`tabular ml-auto font-semibold whitespace-nowrap ${hasCome ? '' : 'text-muted'}`}>
            {hasCome && Number(credited) > 0 ? '+' : ''}
            {formatMoney(hasCome ? credited : sum, currency, locale)}
          </span>
        </p>
        <p className="flex flex-wrap justify-between gap-x-3 text-sm text-muted">
          <LocalMoment at={payment.created_at} />
          <ProblemLink kind="payment" id={payment.transaction_id} className="-my-2.5" />
          <span className={`ml-auto text-right ${STATE_LOOKS[word] ?? ''}`}>{t(`state.${word}`)}</span>
        </p>
      </div>
    </li>
  )
}
