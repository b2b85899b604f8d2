import { useTranslations } from 'use-intl'
import type { TicketRecord } from '#contract/support/support.ts'
import { Link } from '#web/navigation/link.tsx'
import { TicketState } from '#web/support/ticket-state.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'

export function TicketRow({ ticket }: { ticket: TicketRecord }) {
  const t = useTranslations('support')
  const isUnread = ticket.unread > 0
  return (
    <li
      data-ticket={ticket.id}
      className="relative grid grid-cols-[1fr_auto] items-baseline gap-x-4 gap-y-1 px-4 py-3 hover:bg-sunken"
    >
      <Link
        to={`/support/${ticket.id}#latest`}
        className={`min-w-0 wrap-anywhere after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-signal ${isUnread ? 'font-semibold' : 'font-medium'}`}
      >
        {ticket.subject}
      </Link>
      <span className="flex items-baseline justify-end gap-2">
        {isUnread ? (
          <span className="tabular rounded-full bg-signal-fill px-2 text-[13px] font-semibold text-on-signal">
            <span className="sr-only">{t('unread')} </span>
            {ticket.unread}
          </span>
        ) : null}
        <TicketState state={ticket.state} />
      </span>
      <span className="dotted min-w-0 items-baseline text-[14px] text-muted">
        <span>{t(`category.${ticket.category}`)}</span>
        <span className="font-mono text-[12px]">{ticket.id}</span>
      </span>
      <LocalMoment at={ticket.changed_at} className="text-right text-[14px] text-muted" />
    </li>
  )
}
