import { useTranslations } from 'use-intl'
import type { ActivationRecord } from '#contract/activation.ts'
import { TicketMessages } from '#web/numbers/codes/ticket-messages.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'
import { ClosedNotice } from './closed-notice.tsx'
import { NotMyCode } from './not-my-code.tsx'
import { TicketShell } from './ticket-shell.tsx'
import { TicketStub } from './ticket-stub.tsx'

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
      priced={hasCodeOnStub(record)}
      stub={<TicketStub record={record} />}
    >
      <div className="flex flex-col gap-1.5 text-[14px]">
        {waits ? (
          <p className="text-muted after:content-['…']">{state === 'waiting' ? t('waiting') : t('waitingAgain')}</p>
        ) : null}
        <ClosedNotice record={record} />
        <TicketMessages kind="activation" record={record} count={record.messages.length} />
        <NotMyCode record={record} />
      </div>
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
