import { useTranslations } from 'use-intl'
import type { PaymentsFilter } from '#contract/payment.ts'
import { isNarrowed } from '../history-filter.ts'
import type { ViewProps } from '../numbers-view.tsx'
import { PastList } from '../past-list.tsx'
import { usePayments } from '../use-history.ts'
import { PaymentRow } from './payment-row.tsx'

const COLUMNS = ['at', 'way', 'state', 'asked', 'credited'] as const
const AMOUNTS: readonly string[] = ['asked', 'credited']

export function PaymentsView({ choice, input, seed, onChoose }: ViewProps<PaymentsFilter>) {
  const t = useTranslations('history')
  const query = usePayments(input, seed)
  const items = query.data?.pages.flatMap(({ history }) => history.data) ?? []
  // Duplicate rows are removed, because a payment that begins during loading shifts the pages by one row.
  const payments = [...new Map(items.map((item) => [item.transaction_id, item])).values()]
  return (
    <PastList
      look="payments"
      caption={t('view.payments')}
      columns={COLUMNS.map((column) => ({
        key: column,
        text: t(`column.${column}`),
        isAmount: AMOUNTS.includes(column),
      }))}
      query={query}
      isEmpty={payments.length === 0}
      empty={{ title: t('paymentsEmptyTitle'), text: t('paymentsEmptyText') }}
      view={choice.view}
      narrowed={isNarrowed(choice)}
      onClear={onChoose}
    >
      {payments.map((payment) => (
        <PaymentRow key={payment.transaction_id} payment={payment} choice={choice} />
      ))}
    </PastList>
  )
}
