import type { QueuedTicket, QueueFilter, QueueReply, WaitingReply } from '#contract/staff/staff-room.ts'
import type { Context } from '#server/house/context.ts'
import { countQueue, countWaiting, listQueue, type QueueWanted } from '../queries/queue.ts'
import type { StaffTicketRow } from '../queries/tickets.ts'
import type { StaffCaller } from '../staff-call.ts'
import { readSearch } from './search-terms.ts'

export async function getQueue(ctx: Context, { staff }: StaffCaller, filter: QueueFilter): Promise<QueueReply> {
  const { search = '', page, per_page: limit } = filter
  const wanted: QueueWanted = {
    state: filter.state,
    category: filter.category ?? null,
    takenBy: filter.mine === undefined ? null : staff.id,
    terms: search === '' ? null : readSearch(search),
  }
  const [rows, total, waiting] = await Promise.all([
    listQueue(ctx.db, { ...wanted, offset: (page - 1) * limit, limit }),
    countQueue(ctx.db, wanted),
    countWaiting(ctx.db),
  ])
  return {
    status: true,
    tickets: { data: rows.map(toQueued), meta: { last_page: Math.max(1, Math.ceil(total / limit)), total } },
    waiting,
  }
}

export async function getWaiting(ctx: Context): Promise<WaitingReply> {
  return { status: true, waiting: await countWaiting(ctx.db) }
}

export function toTicketFields(row: StaffTicketRow): Omit<QueuedTicket, 'buyer'> {
  return {
    id: Number(row.id),
    subject: row.subject,
    category: row.category,
    state: row.state,
    waits_since: row.waits_since?.toISOString() ?? null,
    unread: row.unread_staff,
    messages_count: row.messages_count,
    taken_by: row.taken_by === null ? null : { id: row.taken_by, name: row.taker ?? `#${row.taken_by}` },
    created_at: row.created_at.toISOString(),
    changed_at: row.changed_at.toISOString(),
  }
}

function toQueued(row: StaffTicketRow): QueuedTicket {
  return { ...toTicketFields(row), buyer: { id: row.user_id, name: row.name, email: row.email } }
}
