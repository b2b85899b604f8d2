import { useTranslations } from 'use-intl'
import type { RentalRecord } from '#contract/rental.ts'
import { MessagesLink, TicketMessages } from '#web/numbers/codes/ticket-messages.tsx'
import { TicketShell } from '#web/numbers/ticket/ticket-shell.tsx'
import { FULL_NUMBER, RentMark } from './rent-mark.tsx'
import { RentalStub } from './rental-stub.tsx'

type RentTicketProps = {
  record: RentalRecord
  heading: 'h2' | 'h3'
  /** False in the list of ended rentals, from which tickets cannot be removed. */
  dismissible: boolean
}

export function RentTicket({ record, heading, dismissible }: RentTicketProps) {
  const t = useTranslations('rent')
  const { service, final, state, expiring } = record
  const hasCode = !final && record.code !== null
  const most = expiring && !final ? 1 : 2
  return (
    <TicketShell
      kind="rental"
      record={record}
      endsAt={record.expired_date}
      look={final ? 'ended' : hasCode ? 'received' : 'waiting'}
      heading={heading}
      title={service.id === FULL_NUMBER ? t('anyService') : service.name}
      mark={<RentMark service={service} size="large" />}
      short={expiring}
      links={<MessagesLink kind="rental" record={record} count={record.messages_count} most={most} />}
      stub={<RentalStub record={record} dismissible={dismissible} />}
    >
      {expiring && !final ? <p className="font-medium text-soon">{t('expiring')}</p> : null}
      {state === 'active' && record.messages_count === 0 ? (
        <p className="text-muted after:content-['…']">{t('waiting')}</p>
      ) : null}
      <TicketMessages record={record} most={most} />
    </TicketShell>
  )
}
