import { Undo2 } from 'lucide-react'
import { useLocale, useTranslations } from 'use-intl'
import { formatPhone } from '#contract/formats/phone-format.ts'
import { formatMoney } from '#contract/money.ts'
import type { TicketRefund } from '#contract/support/support.ts'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'

export function RefundRow({ refund }: { refund: TicketRefund }) {
  const t = useTranslations('support')
  const locale = useLocale()
  const { at, phone, dial, service } = refund
  const amount = formatMoney(refund.amount, refund.currency, locale)
  return (
    <li
      data-refund
      className="flex flex-wrap items-baseline justify-center gap-x-3 px-4 py-1 text-center text-[14px] text-received"
    >
      <span className="tabular font-medium">
        <Undo2 size={14} aria-hidden className="mr-1.5 inline-block align-[-2px]" />
        {phone === null
          ? t('refundLineNoPhone', { amount, service })
          : t('refundLine', { amount, phone: formatPhone(phone, dial) })}
      </span>
      <LocalMoment at={at} className="text-[13px] text-muted" />
    </li>
  )
}
