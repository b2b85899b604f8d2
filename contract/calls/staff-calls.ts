import type { z } from 'zod'
import type { Done } from '#contract/account.ts'
import type * as staff from '#contract/staff/staff-room.ts'
import type * as supply from '#contract/staff/supply.ts'

type In<Schema extends z.ZodType> = z.input<Schema>

export type StaffCalls = {
  'GET /api/v1/staff/tickets': { input: Partial<staff.QueueFilter>; reply: staff.QueueReply }
  'GET /api/v1/staff/tickets/{id}': { input: { id: number; before?: number }; reply: staff.StaffTicketReply }
  'GET /api/v1/staff/waiting': { input: object; reply: staff.WaitingReply }
  'POST /api/v1/staff/tickets/{id}/writing': { input: { id: number }; reply: Done }
  'POST /api/v1/staff/tickets/{id}/messages': {
    input: In<typeof staff.staffMessageInputSchema>
    reply: staff.StaffMessageReply
  }
  'POST /api/v1/staff/tickets/{id}/take': { input: { id: number; from?: number | undefined }; reply: Done }
  'POST /api/v1/staff/tickets/{id}/release': { input: { id: number }; reply: Done }
  'POST /api/v1/staff/tickets/{id}/close': { input: { id: number }; reply: Done }
  'POST /api/v1/staff/tickets/{id}/reopen': { input: { id: number }; reply: Done }
  'POST /api/v1/staff/tickets/{id}/category': { input: In<typeof staff.categoryInputSchema>; reply: Done }
  'POST /api/v1/staff/tickets/{id}/refund': { input: In<typeof staff.refundInputSchema>; reply: staff.RefundReply }
  'GET /api/v1/staff/tickets/{id}/timeline': {
    input: In<typeof staff.timelineFilterSchema>
    reply: staff.TimelineReply
  }
  'GET /api/v1/staff/answers': { input: object; reply: staff.AnswersReply }
  'POST /api/v1/staff/answers': { input: In<typeof staff.answerInputSchema>; reply: staff.AnswerReply }
  'PUT /api/v1/staff/answers/{id}': { input: In<typeof staff.changedAnswerSchema>; reply: staff.AnswerReply }
  'DELETE /api/v1/staff/answers/{id}': { input: { id: number }; reply: Done }
  'GET /api/v1/staff/suppliers': { input: object; reply: supply.SuppliersReply }
  'GET /api/v1/staff/suppliers/{code}': { input: In<typeof supply.supplierByCodeSchema>; reply: supply.SupplierReply }
  'POST /api/v1/staff/suppliers/{code}/pause': { input: In<typeof supply.turnSupplierSchema>; reply: Done }
  'POST /api/v1/staff/suppliers/{code}/resume': { input: In<typeof supply.turnSupplierSchema>; reply: Done }
  'POST /api/v1/staff/suppliers/{code}/mute': { input: In<typeof supply.muteAlarmSchema>; reply: Done }
  'POST /api/v1/staff/suppliers/{code}/unmute': { input: In<typeof supply.unmuteAlarmSchema>; reply: Done }
}
