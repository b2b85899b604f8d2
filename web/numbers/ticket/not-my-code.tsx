import { useTranslations } from 'use-intl'
import type { ActivationRecord } from '#contract/activation.ts'
import { secondsUntil } from '#web/ui/time/time-left.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'
import { useTicketCall } from './use-ticket-call.ts'

/** Lets a buyer report a message that took the price but is no code of the service. */
export function NotMyCode({ record }: { record: ActivationRecord }) {
  const t = useTranslations('ticket')
  const { pending, run } = useTicketCall(record)
  const over = useAtNow((nowMs) => secondsUntil(record.expires_at, nowMs) === 0)
  if (over || !canBeReported(record)) return null
  return (
    <button
      type="button"
      className="-mt-1 -mb-3 inline-flex min-h-10 items-center self-start text-[13px] text-muted underline underline-offset-2"
      aria-disabled={pending}
      onClick={() => run('not-my-code')}
    >
      {t('notMyCode')}
    </button>
  )
}

/** Returns false after a notice, because a buyer who pays to read a notice knows that it is no code. */
function canBeReported({ state, messages }: ActivationRecord): boolean {
  return (state === 'received' || state === 'waiting_again') && messages.every(({ notice }) => notice !== true)
}
