import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { PaymentRecord } from '#contract/payment.ts'
import { useApi, useSession, useUser } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { PAYMENTS_KEY } from '#web/live/apply-payment.ts'
import { paymentWord } from '#web/money/payment-word.ts'
import { Link } from '#web/navigation/link.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { type HistoryChoice, writeHistory } from '../history-filter.ts'
import { isNothing } from '../money/signed.ts'
import { PrintButton } from '../print-button.tsx'
import { SheetHead } from '../sheet-head.tsx'
import { SheetZone } from '../sheet-zone.tsx'

/** Renders a payment on a page for printing. The page states that it is no fiscal receipt. */
export function Receipt({ transactionId, choice }: { transactionId: string; choice: HistoryChoice }) {
  const t = useTranslations('history.receipt')
  const api = useApi()
  const { signedIn } = useSession()
  const query = useQuery({
    queryKey: [PAYMENTS_KEY, 'one', transactionId],
    queryFn: ({ signal }) =>
      api('GET /api/v1/payments/{transaction_id}', { transaction_id: transactionId }, { signal }),
    enabled: signedIn,
  })
  const payment = query.data?.data
  // If no money was received, the page is no receipt, because there is nothing to certify.
  const isReceipt = payment === undefined || !isNothing(payment.received)
  const back = { search: writeHistory(new URLSearchParams(), { ...choice, payment: null }).toString() }
  return (
    <div className="mx-auto max-w-2xl">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 print:hidden">
        <Link to={back} className={`inline-flex min-h-10 items-center ${TEXT_BUTTON_LOOK}`}>
          {t('back')}
        </Link>
        {payment !== undefined && isReceipt ? <PrintButton /> : null}
      </div>
      {query.isError && payment === undefined ? (
        <EmptyState kind="error" title={t('failedTitle')} text={t('failedText')}>
          <Button onClick={() => inBackground(query.refetch())}>{t('retry')}</Button>
        </EmptyState>
      ) : (
        <article className="sheet" aria-busy={payment === undefined}>
          <SheetHead title={t(isReceipt ? 'title' : 'titleDetails')} />
          {payment === undefined ? <Skeleton className="h-80 w-full" /> : <Facts payment={payment} />}
        </article>
      )}
    </div>
  )
}

function Facts({ payment }: { payment: PaymentRecord }) {
  const t = useTranslations('history.receipt')
  const locale = useLocale()
  const email = useUser()?.email
  const money = (amount: string) => formatMoney(amount, payment.currency, locale)
  return (
    <>
      <p className="text-lg font-medium" data-state={payment.state}>
        {t(`state.${paymentWord(payment)}`, { amount: money(payment.refunded) })}
      </p>
      <dl className="sheet-facts mt-4">
        <Fact name={t('number')}>
          <span className="font-mono text-[14px] break-all">{payment.transaction_id}</span>
        </Fact>
        <Fact name={t('way')}>{payment.name}</Fact>
        <Fact name={t('account')}>{email}</Fact>
        <Fact name={t('began')}>
          <LocalMoment at={payment.created_at} withYear />
        </Fact>
        {payment.paid_at === null ? null : (
          <Fact name={t('paid')}>
            <LocalMoment at={payment.paid_at} withYear />
          </Fact>
        )}
        <Fact name={t('asked')}>{money(payment.sum)}</Fact>
        {isNothing(payment.received) ? null : <Sums payment={payment} />}
      </dl>
      <p className="mt-6 text-[13px] text-muted">
        <SheetZone />
      </p>
      {isNothing(payment.received) ? null : <p className="text-[13px] text-muted">{t('notFiscal')}</p>}
    </>
  )
}

/** Renders the amounts. Fee and bonus are only expected amounts until money has arrived. */
function Sums({ payment }: { payment: PaymentRecord }) {
  const t = useTranslations('history.receipt')
  const locale = useLocale()
  const money = (amount: string) => formatMoney(amount, payment.currency, locale)
  const { fee, bonus, refunded } = payment
  return (
    <>
      <Fact name={t('arrived')}>{money(payment.received)}</Fact>
      {isNothing(fee) ? null : <Fact name={t('fee')}>{money(`-${fee}`)}</Fact>}
      {payment.paid_at === null || isNothing(bonus) ? null : <Fact name={t('bonus')}>{money(bonus)}</Fact>}
      {isNothing(refunded) ? null : <Fact name={t('refunded')}>{money(`-${refunded}`)}</Fact>}
      <Fact name={t('credited')} isTotal>
        {money(payment.credited)}
      </Fact>
    </>
  )
}

function Fact({ name, isTotal = false, children }: { name: string; isTotal?: boolean; children: ReactNode }) {
  return (
    <div className={isTotal ? 'font-semibold' : ''}>
      <dt className={isTotal ? '' : 'text-muted'}>{name}</dt>
      <dd className="tabular">{children}</dd>
    </div>
  )
}
