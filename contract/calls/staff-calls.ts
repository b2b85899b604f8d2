import { doneSchema } from '#contract/account.ts'
import {
  answerByIdSchema,
  answerInputSchema,
  answerReplySchema,
  answersReplySchema,
  categoryInputSchema,
  changedAnswerSchema,
  queueFilterSchema,
  queueReplySchema,
  refundInputSchema,
  refundReplySchema,
  staffMessageInputSchema,
  staffMessageReplySchema,
  staffTicketByIdSchema,
  staffTicketReplySchema,
  takeInputSchema,
  ticketIdSchema,
  timelineFilterSchema,
  timelineReplySchema,
  waitingReplySchema,
} from '#contract/staff/staff-room.ts'
import {
  muteAlarmSchema,
  supplierByCodeSchema,
  supplierReplySchema,
  suppliersReplySchema,
  turnSupplierSchema,
  unmuteAlarmSchema,
} from '#contract/staff/supply.ts'
import { type DeclaredCalls, nothing, OPERATOR, STAFF } from './call.ts'

export const staff = {
  tickets: { key: 'GET /api/v1/staff/tickets', who: STAFF, input: queueFilterSchema, reply: queueReplySchema },
  ticket: {
    key: 'GET /api/v1/staff/tickets/{id}',
    who: STAFF,
    input: staffTicketByIdSchema,
    reply: staffTicketReplySchema,
  },
  waiting: { key: 'GET /api/v1/staff/waiting', who: STAFF, input: nothing, reply: waitingReplySchema },
  writing: { key: 'POST /api/v1/staff/tickets/{id}/writing', who: STAFF, input: ticketIdSchema, reply: doneSchema },
  message: {
    key: 'POST /api/v1/staff/tickets/{id}/messages',
    who: STAFF,
    input: staffMessageInputSchema,
    reply: staffMessageReplySchema,
    status: 201,
    onceByKey: true,
  },
  take: { key: 'POST /api/v1/staff/tickets/{id}/take', who: STAFF, input: takeInputSchema, reply: doneSchema },
  release: { key: 'POST /api/v1/staff/tickets/{id}/release', who: STAFF, input: ticketIdSchema, reply: doneSchema },
  close: { key: 'POST /api/v1/staff/tickets/{id}/close', who: STAFF, input: ticketIdSchema, reply: doneSchema },
  reopen: { key: 'POST /api/v1/staff/tickets/{id}/reopen', who: STAFF, input: ticketIdSchema, reply: doneSchema },
  categorise: {
    key: 'POST /api/v1/staff/tickets/{id}/category',
    who: STAFF,
    input: categoryInputSchema,
    reply: doneSchema,
  },
  refund: {
    key: 'POST /api/v1/staff/tickets/{id}/refund',
    who: STAFF,
    input: refundInputSchema,
    reply: refundReplySchema,
  },
  timeline: {
    key: 'GET /api/v1/staff/tickets/{id}/timeline',
    who: STAFF,
    input: timelineFilterSchema,
    reply: timelineReplySchema,
  },
  answers: { key: 'GET /api/v1/staff/answers', who: STAFF, input: nothing, reply: answersReplySchema },
  addAnswer: {
    key: 'POST /api/v1/staff/answers',
    who: STAFF,
    input: answerInputSchema,
    reply: answerReplySchema,
    status: 201,
  },
  changeAnswer: {
    key: 'PUT /api/v1/staff/answers/{id}',
    who: STAFF,
    input: changedAnswerSchema,
    reply: answerReplySchema,
  },
  removeAnswer: { key: 'DELETE /api/v1/staff/answers/{id}', who: STAFF, input: answerByIdSchema, reply: doneSchema },
} as const satisfies DeclaredCalls

export const supply = {
  list: { key: 'GET /api/v1/staff/suppliers', who: OPERATOR, input: nothing, reply: suppliersReplySchema },
  one: {
    key: 'GET /api/v1/staff/suppliers/{code}',
    who: OPERATOR,
    input: supplierByCodeSchema,
    reply: supplierReplySchema,
  },
  pause: {
    key: 'POST /api/v1/staff/suppliers/{code}/pause',
    who: OPERATOR,
    input: turnSupplierSchema,
    reply: doneSchema,
  },
  resume: {
    key: 'POST /api/v1/staff/suppliers/{code}/resume',
    who: OPERATOR,
    input: turnSupplierSchema,
    reply: doneSchema,
  },
  muteAlarm: {
    key: 'POST /api/v1/staff/suppliers/{code}/mute',
    who: OPERATOR,
    input: muteAlarmSchema,
    reply: doneSchema,
  },
  unmuteAlarm: {
    key: 'POST /api/v1/staff/suppliers/{code}/unmute',
    who: OPERATOR,
    input: unmuteAlarmSchema,
    reply: doneSchema,
  },
} as const satisfies DeclaredCalls
