import { MailWarning } from 'lucide-react'
import { useLocale, useTranslations } from 'use-intl'
import type { ActivationRecord, MessageRecord } from '#contract/activation.ts'
import { formatMoney } from '#contract/money.ts'
import { MessageTime } from '#web/numbers/codes/message-time.tsx'
import { closedNotices } from '#web/numbers/codes/notices.ts'
import { Button } from '#web/ui/button.tsx'
import { secondsUntil } from '#web/ui/time/time-left.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'
import { useTicketCall } from './use-ticket-call.ts'

/** Offers to open notices (messages without a code) before a code comes. A single payment opens all notices. */
export function ClosedNotice({ record }: { record: ActivationRecord }) {
  const [newest, ...others] = closedNotices(record)
  return newest === undefined ? null : <Sealed record={record} newest={newest} count={others.length + 1} />
}

type SealedProps = { record: ActivationRecord; newest: MessageRecord; count: number }

function Sealed({ record, newest, count }: SealedProps) {
  const t = useTranslations('ticket.notice')
  const locale = useLocale()
  const { pending, run } = useTicketCall(record)
  // After the activation's end only the server knows the outcome, so the notice can no longer be opened.
  const over = useAtNow((nowMs) => secondsUntil(record.expires_at, nowMs) === 0)
  return (
    <section
      aria-label={t('came', { count })}
      className="mt-1 rounded-sm border border-dashed border-edge bg-sunken px-3 py-2.5 text-[14px] leading-snug"
    >
      <p className="flex items-center gap-2">
        <MailWarning size={16} aria-hidden className="shrink-0" />
        <span className="min-w-0 flex-1 font-semibold">{t('came', { count })}</span>
        <MessageTime at={newest.received_at} className="shrink-0 text-right text-[13px] text-muted" />
      </p>
      <p className="mt-1 text-muted">{t('meaning')}</p>
      {over ? null : (
        <Button className="mt-2.5" aria-disabled={pending} aria-busy={pending} onClick={() => run('open')}>
          {t('open', { price: formatMoney(record.price, record.currency, locale) })}
        </Button>
      )}
    </section>
  )
}
