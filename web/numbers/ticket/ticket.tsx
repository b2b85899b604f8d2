import { useTranslations } from 'use-intl'
import type { ActivationRecord } from '#contract/activation.ts'
import { MessagesLink, TicketMessages } from '#web/numbers/codes/ticket-messages.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'
import { secondsUntil } from '#web/ui/time/time-left.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'
import { ClosedNotice } from './closed-notice.tsx'
import { TicketShell } from './ticket-shell.tsx'
import { TicketStub } from './ticket-stub.tsx'
import { useTicketCall } from './use-ticket-call.ts'

type TicketProps = {
  record: ActivationRecord
  heading: 'h2' | 'h3'
}

export function Ticket({ record, heading }: TicketProps) {
  const t = useTranslations('ticket')
  const { service, state } = record
  const waits = state === 'waiting' || state === 'waiting_again'
  return (
    <TicketShell
      kind="activation"
      record={record}
      endsAt={record.expires_at}
      look={lookOf(record)}
      heading={heading}
      title={service.name}
      mark={<Mark service={service} size="large" />}
      stub={<TicketStub record={record} />}
      links={
        <>
          <MessagesLink kind="activation" record={record} count={record.messages.length} most={waits ? 1 : 2} />
          <NotMyCode record={record} />
        </>
      }
    >
      {waits ? (
        <p className="text-muted after:content-['…']">{state === 'waiting' ? t('waiting') : t('waitingAgain')}</p>
      ) : null}
      {state === 'waiting' && record.messages.length === 0 ? (
        <p className="truncate text-[13px] text-muted">{t('waitingHint', { service: service.name })}</p>
      ) : null}
      <ClosedNotice record={record} />
      <TicketMessages record={record} most={waits ? 1 : 2} />
    </TicketShell>
  )
}

function hasCodeOnStub({ state, code, refunded }: ActivationRecord): boolean {
  return refunded === undefined && (state === 'received' || state === 'finished') && code !== null
}

function lookOf(record: ActivationRecord): 'waiting' | 'received' | 'ended' {
  if (record.final) return record.state === 'finished' && record.refunded === undefined ? 'received' : 'ended'
  return hasCodeOnStub(record) ? 'received' : 'waiting'
}

function NotMyCode({ record }: { record: ActivationRecord }) {
  const t = useTranslations('ticket')
  const { pending, run } = useTicketCall(record)
  const over = useAtNow((nowMs) => secondsUntil(record.expires_at, nowMs) === 0)
  if (over || !canBeReported(record)) return null
  return (
    <button
      type="button"
      className="inline-flex min-h-10 items-center text-muted underline underline-offset-2"
      aria-disabled={pending}
      onClick={() => run('not-my-code')}
    >
      {t('notMyCode')}
    </button>
  )
}

/**
 * Returns true if the buyer may report that the code is not theirs. After a notice (a message without a code) no report
 * is possible, because a buyer who pays to read a notice knows that it is no code.
 */
function canBeReported({ state, messages }: ActivationRecord): boolean {
  return (state === 'received' || state === 'waiting_again') && messages.every(({ notice }) => notice !== true)
}
