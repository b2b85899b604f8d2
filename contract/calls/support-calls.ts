import {
  closeInputSchema,
  messageReplySchema,
  newTicketSchema,
  readInputSchema,
  replyInputSchema,
  subjectsFilterSchema,
  subjectsReplySchema,
  ticketByIdSchema,
  ticketDoneSchema,
  ticketReplySchema,
  ticketsFilterSchema,
  ticketsReplySchema,
} from '#contract/support/support.ts'
import { BLOCKED_TOO, type DeclaredCalls } from './call.ts'

/** Files are uploaded and downloaded by separate routes, because files are not JSON (server/core/support/files). */
export const support = {
  tickets: {
    key: 'GET /api/v1/support/tickets',
    who: BLOCKED_TOO,
    input: ticketsFilterSchema,
    reply: ticketsReplySchema,
  },
  open: {
    key: 'POST /api/v1/support/tickets',
    who: BLOCKED_TOO,
    input: newTicketSchema,
    reply: ticketReplySchema,
    status: 201,
    onceByKey: true,
  },
  ticket: {
    key: 'GET /api/v1/support/tickets/{id}',
    who: BLOCKED_TOO,
    input: ticketByIdSchema,
    reply: ticketReplySchema,
  },
  reply: {
    key: 'POST /api/v1/support/tickets/{id}/messages',
    who: BLOCKED_TOO,
    input: replyInputSchema,
    reply: messageReplySchema,
    status: 201,
    onceByKey: true,
  },
  read: {
    key: 'POST /api/v1/support/tickets/{id}/read',
    who: BLOCKED_TOO,
    input: readInputSchema,
    reply: ticketDoneSchema,
  },
  close: {
    key: 'POST /api/v1/support/tickets/{id}/close',
    who: BLOCKED_TOO,
    input: closeInputSchema,
    reply: ticketDoneSchema,
  },
  subjects: {
    key: 'GET /api/v1/support/subjects',
    who: BLOCKED_TOO,
    input: subjectsFilterSchema,
    reply: subjectsReplySchema,
  },
} as const satisfies DeclaredCalls
