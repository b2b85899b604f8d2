import { support } from '#contract/calls/support-calls.ts'
import { requireSession } from '#server/core/accounts/sessions/require-session.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { idempotencyKeyOf } from '#server/house/http/idempotency-key.ts'
import { listAbouts } from './about.ts'
import { openTicket } from './open-ticket.ts'
import { closeTicket, getTicket, getTickets, markRead, withFiles } from './read-tickets.ts'
import { toTicketRecord } from './record.ts'
import { replyToTicket } from './reply.ts'

/** Only sessions may use support, because an API key must not read conversations. Blocked users may use it. */
export const supportCalls: Call[] = [
  route(support.tickets, async (ctx, caller, input) =>
    getTickets(ctx, { userId: requireSession(caller).userId, search: input.search, state: input.state, ...input }),
  ),
  route(support.open, async (ctx, caller, input, wire) => {
    const { userId } = requireSession(caller)
    const idempotencyKey = idempotencyKeyOf(wire)
    const ticket = await openTicket(ctx, { ...input, about: input.about, userId, idempotencyKey })
    return getTicket(ctx, { id: ticket.id, userId, locale: caller.locale, before: null })
  }),
  route(support.ticket, async (ctx, caller, { id, before }) =>
    getTicket(ctx, {
      id: BigInt(id),
      userId: requireSession(caller).userId,
      locale: caller.locale,
      before: before === undefined ? null : BigInt(before),
    }),
  ),
  route(support.reply, async (ctx, caller, { id, text, files }, wire) => {
    const { userId } = requireSession(caller)
    const idempotencyKey = idempotencyKeyOf(wire)
    const message = await replyToTicket(ctx, { ticketId: BigInt(id), userId, text, files, idempotencyKey })
    const [data] = await withFiles(ctx.db, [message])
    if (data === undefined) throw new Error('the message has no record')
    return { status: true as const, data }
  }),
  route(support.read, async (ctx, caller, { id, through }) => {
    const { userId } = requireSession(caller)
    const row = await markRead(ctx, { id: BigInt(id), userId, through: BigInt(through) })
    return { status: true as const, data: toTicketRecord(row) }
  }),
  route(support.close, async (ctx, caller, { id }) => {
    const row = await closeTicket(ctx, { id: BigInt(id), userId: requireSession(caller).userId })
    return { status: true as const, data: toTicketRecord(row) }
  }),
  route(support.subjects, async (ctx, caller, { kind, id }) => {
    const wanted = kind === undefined || id === undefined ? null : { kind, id }
    const { userId } = requireSession(caller)
    const data = await listAbouts(ctx, { userId, locale: caller.locale, wanted })
    return { status: true as const, data }
  }),
]
