import { type ReactNode, useId } from 'react'
import { useTranslations } from 'use-intl'
import { formatPhone } from '#contract/formats/phone-format.ts'
import type { NumberKindName, NumberRecord } from '#web/live/numbers-cache.ts'
import { CopyButton } from '#web/ui/initial/copy-button.tsx'
import { Price } from '#web/ui/initial/price.tsx'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { ProblemLink } from './problem-link.tsx'
import { TicketHoles } from './ticket-holes.tsx'

/** A phone number with more digits than this is drawn smaller, so that it never breaks into two lines. */
const USUAL_DIGITS = 12

type TicketShellProps = {
  kind: NumberKindName
  record: NumberRecord
  endsAt: string
  look: 'waiting' | 'received' | 'ended'
  heading: 'h2' | 'h3'
  title: string
  mark: ReactNode
  short?: boolean
  children: ReactNode
  /** The last line of the body offers what may be done about the messages. */
  links: ReactNode
  stub: ReactNode
}

export function TicketShell(props: TicketShellProps) {
  const { kind, record, endsAt, look, short } = props
  const headingId = useId()
  return (
    <div className="@container">
      <article aria-labelledby={headingId} className="ticket" data-look={look} {...{ [`data-${kind}`]: record.id }}>
        <div className="ticket-body flex min-w-0 flex-col gap-1.5 px-5 py-4">
          <TicketHeading {...props} headingId={headingId} />
          <TicketPhone record={record} />
          <div className="flex min-h-11 flex-col text-[14px]">{props.children}</div>
          <div className="mt-auto -mb-2 flex min-h-10 flex-wrap items-center gap-x-4 text-[13px]">
            {props.links}
            {record.phone === null ? null : <ProblemLink kind={kind} id={record.id} className="ml-auto" />}
          </div>
        </div>
        <div className="ticket-stub">
          <TicketHoles record={record} endsAt={endsAt} short={short} />
          {props.stub}
        </div>
      </article>
    </div>
  )
}

function TicketHeading(props: TicketShellProps & { headingId: string }) {
  const { record, heading: Heading, headingId, title, mark } = props
  const { country, operator } = record
  return (
    <div className="flex items-center gap-3">
      {mark}
      <div className="min-w-0 flex-1 leading-tight">
        <Heading id={headingId} className="truncate font-semibold">
          {title}
        </Heading>
        <p className="mt-0.5 flex items-center gap-1.5 text-[14px] text-muted">
          <Flag iso2={country.iso2} size="tiny" />
          <span className="dotted min-w-0 break-words">
            <span>{country.name}</span>
            {operator === null ? null : <span>{operator}</span>}
          </span>
        </p>
      </div>
      <p className="shrink-0 self-start text-right text-[13px] leading-tight text-muted">
        <span className="ticket-number block font-mono text-[12px]">{record.id}</span>
        <Price amount={record.price} currency={record.currency} className="mt-1 block text-[14px] text-ink" />
      </p>
    </div>
  )
}

function TicketPhone({ record }: Pick<TicketShellProps, 'record'>) {
  const { phone, country, state } = record
  const t = useTranslations('ticket')
  if (phone === null) {
    return <p className="flex min-h-10 items-center text-muted">{state === 'reserving' ? t('noPhoneYet') : null}</p>
  }
  return (
    <p className="flex min-h-10 items-center gap-1">
      <span className="ticket-phone tabular" data-long={phone.length > USUAL_DIGITS || undefined}>
        {formatPhone(phone, country.dial)}
      </span>
      <CopyButton text={phone} label={t('copyPhone')} />
    </p>
  )
}
