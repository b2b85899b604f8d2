import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { StaffMessage, StaffTicket } from '#contract/staff/staff-room.ts'
import { useApi } from '#web/house/app-context.ts'
import { Prose } from '#web/reading/prose.tsx'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { FileList } from '#web/support/file-list.tsx'
import { inOrder } from '#web/support/in-order.ts'
import { RefundRow } from '#web/support/refund-row.tsx'
import { Button } from '#web/ui/button.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'

export function Conversation({ ticket }: { ticket: StaffTicket }) {
  const t = useTranslations('staff.ticket')
  const api = useApi()
  const { pending, once } = useSingleFlight()
  const [earlier, setEarlier] = useState<{ messages: StaffMessage[]; hasMore: boolean } | null>(null)
  const newest = new Set(ticket.messages.map(({ id }) => id))
  const messages = [...(earlier?.messages ?? []).filter(({ id }) => !newest.has(id)), ...ticket.messages]
  const hasMore = earlier?.hasMore ?? ticket.has_older
  async function showEarlier(): Promise<void> {
    const { data } = await api('GET /api/v1/staff/tickets/{id}', { id: ticket.id, before: messages[0]?.id ?? 1 })
    setEarlier({ messages: [...data.messages, ...(earlier?.messages ?? [])], hasMore: data.has_older })
  }
  return (
    <section aria-label={t('conversation')} className="grid gap-3">
      {hasMore ? (
        <Button className="justify-self-center" aria-disabled={pending} onClick={() => once(showEarlier)}>
          {t('older')}
        </Button>
      ) : null}
      <ol className="grid gap-3">
        {inOrder(messages, ticket.refunds, hasMore).map((line) =>
          'refund' in line ? (
            <RefundRow key={line.key} refund={line.refund} />
          ) : (
            <Message key={line.key} message={line.message} />
          ),
        )}
      </ol>
    </section>
  )
}

const LOOKS: Record<StaffMessage['kind'], string> = {
  member: 'bg-surface border-hairline sm:mr-12',
  staff: 'bg-sunken border-hairline sm:ml-12',
  note: 'bg-soon-wash border-soon border-dashed sm:ml-12',
}

function Message({ message }: { message: StaffMessage }) {
  const t = useTranslations('staff.ticket')
  const { kind, author } = message
  return (
    <li data-kind={kind} className={`min-w-0 rounded border px-4 py-3 ${LOOKS[kind]}`}>
      <p className="mb-1 flex flex-wrap justify-between gap-x-3 text-sm">
        <span>
          <span className="font-semibold">{kind === 'member' ? t('buyer') : author.name}</span>
          {kind === 'note' ? <span className="text-soon"> · {t('note')}</span> : null}
        </span>
        <LocalMoment at={message.created_at} className="text-muted" />
      </p>
      <div className="support-text wrap-anywhere">
        <Prose html={message.html} />
      </div>
      <FileList files={message.files} />
    </li>
  )
}
