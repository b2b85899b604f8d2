import { useTranslations } from 'use-intl'
import type { QueuedTicket } from '#contract/staff/staff-room.ts'
import { useUser } from '#web/house/app-context.ts'
import { Link } from '#web/navigation/link.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { WaitingTime } from '../waiting-time.tsx'

export function QueueRow({ ticket }: { ticket: QueuedTicket }) {
  const t = useTranslations('staff')
  const tSupport = useTranslations('support')
  const { buyer, taken_by: taker } = ticket
  const me = useUser()?.id
  return (
    <li className="relative grid gap-x-4 gap-y-0.5 px-3 py-3 hover:bg-sunken sm:grid-cols-[1fr_auto] sm:px-4">
      <p className="min-w-0">
        <Link
          to={`/staff/tickets/${ticket.id}`}
          className="font-semibold wrap-anywhere after:absolute after:inset-0 hover:underline"
        >
          {ticket.subject}
        </Link>
        {ticket.unread > 0 ? (
          <span className="ml-2 rounded-full bg-signal-fill px-2 text-xs leading-5 font-semibold whitespace-nowrap text-on-signal tabular">
            {t('queue.unread', { count: ticket.unread })}
          </span>
        ) : null}
      </p>
      <p className="text-sm sm:text-right">
        {ticket.waits_since === null ? (
          <span className="text-muted">
            {t(`states.${ticket.state}`)} · <LocalMoment at={ticket.changed_at} />
          </span>
        ) : (
          <WaitingTime since={ticket.waits_since} />
        )}
      </p>
      <p className="min-w-0 text-sm text-muted wrap-anywhere">
        <span className="tabular">{t('queue.number', { id: String(ticket.id) })}</span> ·{' '}
        {tSupport(`category.${ticket.category}`)} · {buyer.email ?? `#${buyer.id}`}
      </p>
      {taker === null ? null : (
        <p className="text-sm text-muted sm:text-right">
          {taker.id === me ? t('queue.mineMark') : t('queue.takenBy', { name: taker.name })}
        </p>
      )}
    </li>
  )
}
