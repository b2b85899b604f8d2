import type { z } from 'zod'
import type * as support from '#contract/support/support.ts'
import type { AboutKind } from '#contract/support/support-constants.ts'

type In<Schema extends z.ZodType> = z.input<Schema>

/** Files go up and down by routes of their own, because they are no JSON: see server/core/support/files. */
export type SupportCalls = {
  'GET /api/v1/support/tickets': { input: support.TicketsFilter; reply: support.TicketsReply }
  'POST /api/v1/support/tickets': { input: support.NewTicket; reply: support.TicketReply }
  'GET /api/v1/support/tickets/{id}': { input: { id: number; before?: number }; reply: support.TicketReply }
  'POST /api/v1/support/tickets/{id}/messages': {
    input: In<typeof support.replyInputSchema>
    reply: support.MessageReply
  }
  'POST /api/v1/support/tickets/{id}/read': { input: { id: number; through: number }; reply: support.TicketDone }
  'POST /api/v1/support/tickets/{id}/close': { input: { id: number }; reply: support.TicketDone }
  'GET /api/v1/support/subjects': {
    input: { kind?: AboutKind; id?: string }
    reply: support.SubjectsReply
  }
}
