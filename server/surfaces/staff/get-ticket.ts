import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { toDecimal } from '#contract/money.ts'
import type { StaffMessage, StaffTicketReply } from '#contract/staff/staff-room.ts'
import { refundsOf } from '#server/core/support/about.ts'
import { MESSAGES_SHOWN } from '#server/core/support/limits.ts'
import { renderMessage } from '#server/core/support/markdown/render-message.ts'
import { listFilesOf } from '#server/core/support/queries/files.ts'
import { listAllMessages, type StaffMessageRow } from '#server/core/support/queries/staff-messages.ts'
import { toFileRecord } from '#server/core/support/record.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { buyerCardOf } from './buyer-card.ts'
import { refundedIn } from './queries/refunds.ts'
import { findStaffTicket } from './queries/tickets.ts'
import { toTicketFields } from './queue/list-queue.ts'
import type { StaffCaller } from './staff-call.ts'

/** Returns a ticket with its messages. With `before`, returns messages older than that message. Throws NOT_FOUND. */
export async function getStaffTicket(
  ctx: Context,
  { staff, locale }: StaffCaller,
  { id, before = null }: { id: number; before?: number | null | undefined },
): Promise<StaffTicketReply> {
  const ticket = await findStaffTicket(ctx.db, id)
  if (ticket === null) throw notFound()
  const [newestFirst, buyer, refunded, refunds] = await Promise.all([
    listAllMessages(ctx.db, { ticketId: ticket.id, readerId: staff.id, before, limit: MESSAGES_SHOWN + 1 }),
    buyerCardOf(ctx, ticket, { staff, locale }),
    refundedIn(ctx.db, ticket.id),
    refundsOf(ctx, ticket, locale),
  ])
  const cap = staff.role === 'operator' ? null : ctx.config.staffRefundCapMicros[buyer.currency]
  return {
    status: true,
    data: {
      ...toTicketFields(ticket),
      messages: await toStaffMessages(ctx, newestFirst.slice(0, MESSAGES_SHOWN).reverse()),
      refunds,
      has_older: newestFirst.length > MESSAGES_SHOWN,
      buyer,
      refunded: toDecimal(refunded),
      cap: cap === null ? null : toDecimal(cap),
      can_refund: ticket.user_id !== staff.id,
      me: staff,
    },
  }
}

export async function toStaffMessages(ctx: Context, rows: StaffMessageRow[]): Promise<StaffMessage[]> {
  const files = await listFilesOf(
    ctx.db,
    rows.map(({ id }) => id),
  )
  const records: StaffMessage[] = []
  for (const row of rows) {
    records.push({
      id: Number(row.id),
      kind: row.kind,
      author: { id: row.author_id, name: row.author },
      text: row.body,
      html: renderMessage(row.body),
      files: files.filter(({ message_id }) => message_id === row.id).map(toFileRecord),
      created_at: row.created_at.toISOString(),
    })
    // The longest text takes tens of milliseconds to render, so other requests are served after each message.
    await yieldToOthers()
  }
  return records
}
