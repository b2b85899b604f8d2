import { ChevronDown } from 'lucide-react'
import { useLocale } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { PaymentRecord } from '#contract/payment.ts'
import { SystemMark } from '#web/money/system-mark.tsx'
import { OpenPayment, Progress } from './open-payment.tsx'

type OpenPaymentsProps = {
  payments: readonly PaymentRecord[]
  /** The payment that is shown in full. If it is not open, the newest open payment is shown. */
  chosen: string | null
  focused: string | null
  onChoose: (transactionId: string) => void
  onFocused: () => void
}

export function OpenPayments({ payments, chosen, focused, onChoose, onFocused }: OpenPaymentsProps) {
  const whole = payments.find(({ transaction_id: id }) => id === chosen) ?? payments[0]
  if (whole === undefined) return null
  return (
    <div className="mt-6 grid gap-2">
      {payments.map((payment) => {
        const { transaction_id: id } = payment
        return payment === whole ? (
          <OpenPayment key={id} payment={payment} takesFocus={id === focused} onFocused={onFocused} />
        ) : (
          <FoldedPayment key={id} payment={payment} onOpen={() => onChoose(id)} />
        )
      })}
    </div>
  )
}

function FoldedPayment({ payment, onOpen }: { payment: PaymentRecord; onOpen: () => void }) {
  const locale = useLocale()
  return (
    <button
      type="button"
      aria-expanded={false}
      data-folded={payment.transaction_id}
      className="flex w-full items-center gap-3 rounded border border-hairline bg-surface px-4 py-2.5 text-left hover:bg-sunken"
      onClick={onOpen}
    >
      <SystemMark mark={payment.mark} />
      <span className="min-w-0 grow">
        <span className="flex flex-wrap justify-between gap-x-3 font-medium">
          {payment.name}
          <span className="tabular font-semibold whitespace-nowrap">
            {formatMoney(payment.sum, payment.currency, locale)}
          </span>
        </span>
        <span className="block text-sm text-muted">
          <Progress payment={payment} />
        </span>
      </span>
      <ChevronDown size={18} aria-hidden className="shrink-0 text-muted" />
    </button>
  )
}
