import * as contract from '#contract/support/support.ts'
import { requireSession } from '#server/core/accounts/sessions/require-session.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { idempotencyKeyOf } from '#server/house/http/idempotency-key.ts'
import { listAbouts } from './about.ts'
import { openTicket } from './open-ticket.ts'
import { closeTicket, getTicket, getTickets, markRead, withFiles } from './read-tickets.ts'
import { toTicketRecord } from './record.ts'
import { replyToTicket } from './reply.ts'

const { newTicketSchema, replyInputSchema, ticketByIdSchema, ticketsFilterSchema } = contract

/**
 * These calls refuse API keys, because a program must not read conversations. Blocked people may use them to ask why.
 */
export const supportCalls: Call[] = [
  defineCall('GET /api/v1/support/tickets', {
    auth: 'required',
    scope: 'session',
    admitsBlocked: true,
    input: ticketsFilterSchema,
    reply: contract.ticketsReplySchema,
    handle: async (ctx, caller, input) =>
      getTickets(ctx, { userId: requireSession(caller).userId, search: input.search, state: input.state, ...input }),
  }),
  defineCall('POST /api/v1/support/tickets', {
    auth: 'required',
    scope: 'session',
    admitsBlocked: true,
    input: newTicketSchema,
    reply: contract.ticketReplySchema,
    status: 201,
    onceByKey: true,
    async handle(ctx, caller, input, wire) {
      const { userId } = requireSession(caller)
      const idempotencyKey = idempotencyKeyOf(wire)
      const ticket = await openTicket(ctx, { ...input, about: input.about, userId, idempotencyKey })
      return getTicket(ctx, { id: ticket.id, userId, locale: caller.locale, before: null })
    },
  }),
  defineCall('GET /api/v1/support/tickets/{id}', {
    auth: 'required',
    scope: 'session',
    admitsBlocked: true,
    input: ticketByIdSchema,
    reply: contract.ticketReplySchema,
    handle: async (ctx, caller, { id, before }) =>
      getTicket(ctx, {
        id: BigInt(id),
        userId: requireSession(caller).userId,
        locale: caller.locale,
        before: before === undefined ? null : BigInt(before),
      }),
  }),
  defineCall('POST /api/v1/support/tickets/{id}/messages', {
    auth: 'required',
    scope: 'session',
    admitsBlocked: true,
    input: replyInputSchema,
    reply: contract.messageReplySchema,
    status: 201,
    onceByKey: true,
    async handle(ctx, caller, { id, text, files }, wire) {
      const { userId } = requireSession(caller)
      const idempotencyKey = idempotencyKeyOf(wire)
      const message = await replyToTicket(ctx, { ticketId: BigInt(id), userId, text, files, idempotencyKey })
      const [data] = await withFiles(ctx.db, [message])
      if (data === undefined) throw new Error('the message has no record')
      return { status: true as const, data }
    },
  }),
  defineCall('POST /api/v1/support/tickets/{id}/read', {
    auth: 'required',
    scope: 'session',
    admitsBlocked: true,
    input: contract.readInputSchema,
    reply: contract.ticketDoneSchema,
    async handle(ctx, caller, { id, through }) {
      const { userId } = requireSession(caller)
      const row = await markRead(ctx, { id: BigInt(id), userId, through: BigInt(through) })
      return { status: true as const, data: toTicketRecord(row) }
    },
  }),
  defineCall('POST /api/v1/support/tickets/{id}/close', {
    auth: 'required',
    scope: 'session',
    admitsBlocked: true,
    input: contract.closeInputSchema,
    reply: contract.ticketDoneSchema,
    async handle(ctx, caller, { id }) {
      const row = await closeTicket(ctx, { id: BigInt(id), userId: requireSession(caller).userId })
      return { status: true as const, data: toTicketRecord(row) }
    },
  }),
  defineCall('GET /api/v1/support/subjects', {
    auth: 'required',
    scope: 'session',
    admitsBlocked: true,
    input: contract.subjectsFilterSchema,
    reply: contract.subjectsReplySchema,
    async handle(ctx, caller, { kind, id }) {
      const wanted = kind === undefined || id === undefined ? null : { kind, id }
      const { userId } = requireSession(caller)
      const data = await listAbouts(ctx, { userId, locale: caller.locale, wanted })
      return { status: true as const, data }
    },
  }),
]
