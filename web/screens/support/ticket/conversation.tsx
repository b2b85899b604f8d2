import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useTranslations } from 'use-intl'
import type { SupportMessage, TicketReply } from '#contract/support/support.ts'
import { useApi, useConfirm } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { NOTIFICATIONS_KEY } from '#web/live/apply-notification.ts'
import { SUPPORT_KEY } from '#web/live/support-key.ts'
import { Link } from '#web/navigation/link.tsx'
import { type LoaderInput, notThere } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { refetch } from '#web/session/refetch.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { AboutLine } from '#web/support/about-line.tsx'
import { inOrder } from '#web/support/in-order.ts'
import { MessageRow } from '#web/support/message-row.tsx'
import { RefundRow } from '#web/support/refund-row.tsx'
import { TicketState } from '#web/support/ticket-state.tsx'
import { Button } from '#web/ui/button.tsx'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'
import { ReplyForm } from './reply-form.tsx'
import { useTicket } from './use-ticket.ts'

const TICKET_PATH = /^[1-9]\d{0,14}$/

export type TicketSeed = { reply: TicketReply; loadedAt: string }

export async function loadTicket({ api, params, now }: LoaderInput): Promise<TicketSeed> {
  if (!TICKET_PATH.test(params.ticket ?? '')) throw notThere()
  return { reply: await api('GET /api/v1/support/tickets/{id}', { id: Number(params.ticket) }), loadedAt: now }
}

/** Renders a ticket's messages. Give it the ticket's id as React key, because each ticket has its own draft. */
export function Conversation({ reply, loadedAt }: TicketSeed) {
  const t = useTranslations('support')
  const { ticket, messages, older } = useTicket(reply, loadedAt)
  useMarkRead(ticket, messages)
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead title={ticket.subject} indexable={false} />
      <Link to="/support" className={`inline-flex min-h-10 items-center ${TEXT_BUTTON_LOOK}`}>
        {t('toList')}
      </Link>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <div className="min-w-0">
          <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">{ticket.subject}</h1>
          <p className="mt-1 flex flex-wrap items-baseline gap-x-2 text-[14px] text-muted">
            {t('number', { id: ticket.id })} · {t(`category.${ticket.category}`)} · <TicketState state={ticket.state} />
          </p>
        </div>
        {ticket.state === 'closed' ? null : <CloseButton id={ticket.id} />}
      </div>
      {ticket.about === null ? null : (
        <div className="mt-4">
          <AboutLine about={ticket.about} />
        </div>
      )}
      {older.hasNextPage ? (
        <Button
          className="mt-4 w-full"
          aria-busy={older.isFetchingNextPage}
          onClick={() => (older.isFetchingNextPage ? undefined : inBackground(older.fetchNextPage()))}
        >
          {t('older')}
        </Button>
      ) : null}
      <ol className="mt-4 grid grid-cols-1 gap-3" aria-live="polite" aria-relevant="additions">
        {inOrder(messages, ticket.refunds, older.hasNextPage).map((line) =>
          'refund' in line ? (
            <RefundRow key={line.key} refund={line.refund} />
          ) : (
            <MessageRow key={line.key} message={line.message} />
          ),
        )}
      </ol>
      <Latest messages={messages} />
      <ReplyForm ticket={ticket} />
    </div>
  )
}

/** Links in lists lead to the end of the messages. The page scrolls to a new message if the reader is at the end. */
function Latest({ messages }: { messages: SupportMessage[] }) {
  const end = useRef<HTMLDivElement>(null)
  const lastId = messages.at(-1)?.id
  const seen = useRef(lastId)
  useEffect(() => {
    if (lastId === seen.current) return
    seen.current = lastId
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [lastId])
  return <div ref={end} id="latest" className="scroll-mt-40" />
}

function CloseButton({ id }: { id: number }) {
  const t = useTranslations('support')
  const api = useApi()
  const fail = useFailure()
  const confirm = useConfirm()
  const queryClient = useQueryClient()
  async function close(): Promise<void> {
    if (!(await confirm({ text: t('closeQuestion'), action: t('close') }))) return
    try {
      await api('POST /api/v1/support/tickets/{id}/close', { id })
    } catch (error) {
      fail(error)
    }
    await refetch(queryClient, { queryKey: [SUPPORT_KEY] })
  }
  return (
    <Button kind="plain" onClick={() => inBackground(close())}>
      {t('close')}
    </Button>
  )
}

function useMarkRead(ticket: { id: number; unread: number }, messages: SupportMessage[]): void {
  const api = useApi()
  const queryClient = useQueryClient()
  const { id, unread } = ticket
  const newest = messages.at(-1)?.id
  const told = useRef<number>(undefined)
  const mark = useEffectEvent(async (through: number) => {
    if (document.visibilityState !== 'visible' || told.current === through) return
    told.current = through
    try {
      await api('POST /api/v1/support/tickets/{id}/read', { id, through })
      // The bell counted the read messages, too, so it is refetched.
      const changed = [[SUPPORT_KEY], ['user'], [NOTIFICATIONS_KEY]]
      await Promise.all(changed.map((queryKey) => refetch(queryClient, { queryKey })))
    } catch {
      // Reading is reported again with the next message or at the next visit of the page.
      told.current = undefined
    }
  })
  useEffect(() => {
    if (newest === undefined || unread === 0) return
    const look = () => inBackground(mark(newest))
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [newest, unread])
}
