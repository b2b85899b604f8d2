import { ArrowLeft } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { StaffTicketReply } from '#contract/staff/staff-room.ts'
import { useApi } from '#web/house/app-context.ts'
import { Link } from '#web/navigation/link.tsx'
import { type LoaderInput, notThere } from '#web/navigation/loader-input.ts'
import { loadSeed, type Seed, useSeededQuery } from '#web/session/seeded-query.ts'
import { StaffLayout } from '../staff-layout.tsx'
import { requireStillThere, StaffNotLoaded } from '../staff-not-loaded.tsx'
import { useStaffNews } from '../use-staff-news.ts'
import { WaitingTime } from '../waiting-time.tsx'
import { AtNewest } from './at-newest.tsx'
import { BuyerPanel } from './buyer/buyer-panel.tsx'
import { Compose } from './compose.tsx'
import { Conversation } from './conversation.tsx'
import { TicketActions, TicketEnd } from './ticket-actions.tsx'
import { TICKET_KEY } from './use-ticket-call.ts'
import { Writers } from './writing/writers.tsx'

export type TicketSeed = Seed<StaffTicketReply> & { id: number }

export async function loadTicket({ api, now, params }: LoaderInput): Promise<TicketSeed> {
  const { ticket = '' } = params
  if (!/^[1-9]\d{0,14}$/.test(ticket)) throw notThere()
  const id = Number(ticket)
  return { id, ...(await loadSeed(now, api('GET /api/v1/staff/tickets/{id}', { id }))) }
}

export function StaffTicket({ seed: { id, ...seed } }: { seed: TicketSeed }) {
  const t = useTranslations('staff')
  const tSupport = useTranslations('support')
  const api = useApi()
  const query = useSeededQuery({
    name: TICKET_KEY,
    seed,
    queryFn: ({ signal }) => api('GET /api/v1/staff/tickets/{id}', { id }, { signal }),
  })
  requireStillThere(query)
  useStaffNews(TICKET_KEY, id)
  const ticket = query.data?.data
  const number = t('queue.number', { id: String(id) })
  if (ticket === undefined) {
    return (
      <StaffLayout title={number}>
        <h1 className="mb-4 text-2xl font-semibold tracking-tight">{number}</h1>
        <StaffNotLoaded query={query} skeletons={['h-24', 'h-40', 'h-52']} />
      </StaffLayout>
    )
  }
  return (
    <StaffLayout title={`${number} ${ticket.subject}`}>
      <Link to="/staff/tickets" className="inline-flex min-h-10 items-center gap-1.5 text-muted hover:text-ink">
        <ArrowLeft size={16} aria-hidden />
        {t('ticket.back')}
      </Link>
      <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">{ticket.subject}</h1>
      <p className="mt-1 mb-4 text-muted">
        <span className="tabular">{number}</span> · {tSupport(`category.${ticket.category}`)} ·{' '}
        {t(`states.${ticket.state}`)}
        {ticket.waits_since === null ? null : (
          <>
            {' · '}
            <WaitingTime since={ticket.waits_since} />
          </>
        )}
      </p>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-5">
          <TicketActions ticket={ticket} />
          <Conversation key={ticket.id} ticket={ticket} />
          <AtNewest key={`${ticket.id} new`}>
            <Writers ticketId={ticket.id} />
            <Compose ticket={ticket} />
          </AtNewest>
          <TicketEnd ticket={ticket} />
        </div>
        <BuyerPanel ticket={ticket} />
      </div>
    </StaffLayout>
  )
}
