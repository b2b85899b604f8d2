import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Locale } from '#contract/constants.ts'
import type { SupportMessage, TicketReply, TicketsReply } from '#contract/support/support.ts'
import type { TicketState } from '#contract/support/support-constants.ts'
import { markReadByLink } from '#server/core/notifications/queries/bell.ts'
import { announceToStaff } from '#server/core/support/announce-to-staff.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { aboutOf, refundsOf } from './about.ts'
import { MESSAGES_SEARCHED, MESSAGES_SHOWN } from './limits.ts'
import { listFilesOf } from './queries/files.ts'
import { listMessages } from './queries/messages.ts'
import type { MessageRow, TicketRow } from './queries/row.ts'
import { findTicket, listTickets, lockTicket, setClosed, setRead } from './queries/tickets.ts'
import { toMessageRecord, toTicketRecord } from './record.ts'
import { searchTickets } from './search-tickets.ts'
import { ticketPath } from './ticket-path.ts'

const TICKET_NUMBER = /^#?(\d{1,15})$/

export async function getTickets(
  ctx: Context,
  input: {
    userId: number
    search: string | undefined
    state: TicketState | undefined
    page: number
    per_page: number
  },
): Promise<TicketsReply> {
  const { userId, state = null, page, per_page: limit } = input
  const search = input.search?.trim() ?? ''
  const number = TICKET_NUMBER.exec(search)?.[1]
  const wanted = {
    userId,
    state,
    search: search === '' ? null : `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`,
    exactId: number === undefined ? null : BigInt(number),
    searched: MESSAGES_SEARCHED,
  }
  const asked = { ...wanted, offset: (page - 1) * limit, limit }
  const found = await (search === '' ? listTickets(ctx.db, asked) : searchTickets(ctx, asked))
  const meta = { last_page: Math.max(1, Math.ceil(found.total / limit)), total: found.total }
  return { status: true, tickets: { data: found.page.map(toTicketRecord), meta }, unread: found.unread }
}

/** Returns a ticket with its messages older than `before`. Throws NOT_FOUND. */
export async function getTicket(
  ctx: Context,
  input: { id: bigint; userId: number; locale: Locale; before: bigint | null },
): Promise<TicketReply> {
  const ticket = await findTicket(ctx.db, input)
  if (ticket === null) throw notFound()
  const wanted = { ticketId: ticket.id, before: input.before, limit: MESSAGES_SHOWN + 1 }
  const [newestFirst, about, refunds] = await Promise.all([
    listMessages(ctx.db, wanted),
    aboutOf(ctx, ticket, input.locale),
    refundsOf(ctx, ticket, input.locale),
  ])
  const messages = await withFiles(ctx.db, newestFirst.slice(0, MESSAGES_SHOWN).reverse())
  const has_older = newestFirst.length > MESSAGES_SHOWN
  return { status: true, data: { ...toTicketRecord(ticket), about, messages, refunds, has_older } }
}

export async function withFiles(db: Db, rows: MessageRow[]): Promise<SupportMessage[]> {
  const ids = rows.map(({ id }) => id)
  const files = await listFilesOf(db, ids)
  const records: SupportMessage[] = []
  for (const row of rows) {
    const own = files.filter(({ message_id }) => message_id === row.id)
    records.push(toMessageRecord(row, own))
    // A text may take tens of milliseconds to render, so other requests are served between messages.
    await yieldToOthers()
  }
  return records
}

/** Closes a ticket; idempotent, and a repetition notifies nobody. Throws NOT_FOUND. */
export async function closeTicket(ctx: Context, input: { id: bigint; userId: number }): Promise<TicketRow> {
  const closed = await setClosed(ctx.db, { ...input, now: ctx.clock.now() })
  if (closed !== null) {
    ctx.background.run('announce', () => announceToStaff(ctx, closed.id))
    return closed
  }
  const before = await findTicket(ctx.db, input)
  if (before === null) throw notFound()
  return before
}

/** Marks answers up to the message `through` as seen. Throws NOT_FOUND. */
export async function markRead(
  ctx: Context,
  input: { id: bigint; userId: number; through: bigint },
): Promise<TicketRow> {
  return transaction(ctx.db, async (tx) => {
    const locked = await lockTicket(tx, input)
    const row = locked === null ? null : await setRead(tx, input)
    if (row === null) throw notFound()
    if (row.unread_member === 0) {
      await markReadByLink(tx, { userId: input.userId, link: ticketPath(input.id), now: ctx.clock.now() })
    }
    return row
  })
}
