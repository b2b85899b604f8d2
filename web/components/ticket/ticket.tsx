import { useId } from 'react'
import { useTranslations } from 'use-intl'
import type { ActivationRecord } from '#contract/activation.ts'
import { formatPhone } from '#contract/phone-format.ts'
import { useDialogs } from '../../frame.ts'
import { CopyButton } from '../copy-button.tsx'
import { Flag } from '../flag.tsx'
import { Mark } from '../mark.tsx'
import { Price } from '../price.tsx'
import { TicketHoles } from './ticket-holes.tsx'
import { TicketMessages } from './ticket-messages.tsx'
import { TicketStub } from './ticket-stub.tsx'

/** Messages seen on the ticket itself; the rest are in the dialog of the number. */
const MESSAGES_ON_TICKET = 2

type TicketProps = {
  record: ActivationRecord
  /** The level below that of the list's own heading. */
  heading: 'h2' | 'h3'
}

/** One bought number: what it is for, the number, its messages; on the stub the time left, then the code. */
export function Ticket({ record, heading }: TicketProps) {
  const headingId = useId()
  return (
    <div className="@container">
      <article aria-labelledby={headingId} className="ticket" data-look={lookOf(record)} data-activation={record.id}>
        <div className="flex min-w-0 flex-col gap-1.5 px-5 py-4">
          <TicketHeading record={record} heading={heading} headingId={headingId} />
          <TicketPhone record={record} />
          <TicketNews record={record} />
        </div>
        <div className="ticket-stub">
          <TicketHoles record={record} />
          <TicketStub record={record} />
        </div>
      </article>
    </div>
  )
}

function TicketHeading({ record, heading: Heading, headingId }: TicketProps & { headingId: string }) {
  const { service, country, operator } = record
  return (
    <div className="flex items-center gap-3">
      <Mark service={service} size="large" />
      <div className="min-w-0 flex-1 leading-tight">
        <Heading id={headingId} className="truncate font-semibold">
          {service.name}
        </Heading>
        <p className="mt-0.5 flex items-center gap-1.5 text-[14px] text-muted">
          <Flag iso2={country.iso2} size="tiny" />
          <span className="truncate">{operator === null ? country.name : `${country.name} · ${operator}`}</span>
        </p>
      </div>
      <p className="shrink-0 self-start text-right text-[13px] leading-tight text-muted">
        <span className="block font-mono text-[12px]">№&nbsp;{record.id}</span>
        {hasCodeOnStub(record) ? (
          <Price amount={record.price} currency={record.currency} className="mt-1 block" />
        ) : null}
      </p>
    </div>
  )
}

function TicketPhone({ record: { phone, country, state } }: { record: ActivationRecord }) {
  const t = useTranslations('ticket')
  if (phone === null) {
    return <p className="flex min-h-10 items-center text-muted">{state === 'reserving' ? t('noPhoneYet') : null}</p>
  }
  return (
    <p className="flex min-h-10 items-center gap-1">
      <span className="ticket-phone tabular">{formatPhone(phone, country.dial)}</span>
      <CopyButton text={phone} label={t('copyPhone')} />
    </p>
  )
}

function TicketNews({ record }: { record: ActivationRecord }) {
  const t = useTranslations('ticket')
  const { open } = useDialogs()
  const { messages, state } = record
  const waits = state === 'waiting' || state === 'waiting_again'
  return (
    <div className="flex flex-col gap-1.5 text-[14px]">
      {waits ? (
        <p className="ticket-waiting text-muted">{state === 'waiting' ? t('waiting') : t('waitingAgain')}</p>
      ) : null}
      {messages.length === 0 ? null : <TicketMessages messages={messages} limit={MESSAGES_ON_TICKET} />}
      {messages.length <= MESSAGES_ON_TICKET ? null : (
        <button
          type="button"
          className="min-h-10 self-start font-medium text-signal underline-offset-4 hover:underline"
          onClick={() => open('activation', { id: record.id })}
        >
          {t('allMessages', { count: messages.length })}
        </button>
      )}
    </div>
  )
}

/** Then the stub has no place for the price. */
function hasCodeOnStub({ state, code }: ActivationRecord): boolean {
  return (state === 'received' || state === 'finished') && code !== null
}

function lookOf(record: ActivationRecord): 'waiting' | 'received' | 'ended' {
  if (record.final) return record.state === 'finished' ? 'received' : 'ended'
  return hasCodeOnStub(record) ? 'received' : 'waiting'
}
