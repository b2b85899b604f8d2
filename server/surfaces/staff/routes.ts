import { doneSchema } from '#contract/account.ts'
import * as contract from '#contract/staff/staff-room.ts'
import { acknowledge } from '#server/house/http/acknowledge.ts'
import type { Call } from '#server/house/http/call.ts'
import { idempotencyKeyOf } from '#server/house/http/idempotency-key.ts'
import { addAnswer, changeAnswer, getAnswers, removeAnswer } from './answers.ts'
import { changeCategory, closeTicketByStaff, releaseTicket, reopenTicket, takeTicket } from './change-ticket.ts'
import { getStaffTicket } from './get-ticket.ts'
import { getQueue, getWaiting } from './queue/list-queue.ts'
import { refundOrder } from './refunds/refund-order.ts'
import { defineStaffCall } from './staff-call.ts'
import { tellWriting } from './tell-writing.ts'
import { getTimeline } from './timeline.ts'
import { writeInTicket } from './write-in-ticket.ts'

const { answerByIdSchema, answerReplySchema, ticketIdSchema } = contract

export const staffCalls: Call[] = [
  defineStaffCall('GET /api/v1/staff/tickets', {
    input: contract.queueFilterSchema,
    reply: contract.queueReplySchema,
    handle: getQueue,
  }),
  defineStaffCall('GET /api/v1/staff/tickets/{id}', {
    input: contract.staffTicketByIdSchema,
    reply: contract.staffTicketReplySchema,
    handle: getStaffTicket,
  }),
  defineStaffCall('GET /api/v1/staff/waiting', {
    input: contract.noInputSchema,
    reply: contract.waitingReplySchema,
    handle: getWaiting,
  }),
  defineStaffCall('POST /api/v1/staff/tickets/{id}/writing', {
    input: ticketIdSchema,
    reply: doneSchema,
    handle: acknowledge(tellWriting),
  }),
  defineStaffCall('POST /api/v1/staff/tickets/{id}/messages', {
    input: contract.staffMessageInputSchema,
    reply: contract.staffMessageReplySchema,
    status: 201,
    onceByKey: true,
    async handle(ctx, caller, input, wire) {
      const idempotencyKey = idempotencyKeyOf(wire)
      return { status: true, data: await writeInTicket(ctx, caller, { ...input, idempotencyKey }) }
    },
  }),
  defineStaffCall('POST /api/v1/staff/tickets/{id}/take', {
    input: contract.takeInputSchema,
    reply: doneSchema,
    handle: acknowledge(takeTicket),
  }),
  defineStaffCall('POST /api/v1/staff/tickets/{id}/release', {
    input: ticketIdSchema,
    reply: doneSchema,
    handle: acknowledge(releaseTicket),
  }),
  defineStaffCall('POST /api/v1/staff/tickets/{id}/close', {
    input: ticketIdSchema,
    reply: doneSchema,
    handle: acknowledge(closeTicketByStaff),
  }),
  defineStaffCall('POST /api/v1/staff/tickets/{id}/reopen', {
    input: ticketIdSchema,
    reply: doneSchema,
    handle: acknowledge(reopenTicket),
  }),
  defineStaffCall('POST /api/v1/staff/tickets/{id}/category', {
    input: contract.categoryInputSchema,
    reply: doneSchema,
    handle: acknowledge(changeCategory),
  }),
  defineStaffCall('POST /api/v1/staff/tickets/{id}/refund', {
    input: contract.refundInputSchema,
    reply: contract.refundReplySchema,
    handle: refundOrder,
  }),
  defineStaffCall('GET /api/v1/staff/tickets/{id}/timeline', {
    input: contract.timelineFilterSchema,
    reply: contract.timelineReplySchema,
    handle: getTimeline,
  }),
  defineStaffCall('GET /api/v1/staff/answers', {
    input: contract.noInputSchema,
    reply: contract.answersReplySchema,
    handle: getAnswers,
  }),
  defineStaffCall('POST /api/v1/staff/answers', {
    input: contract.answerInputSchema,
    reply: answerReplySchema,
    status: 201,
    handle: async (ctx, caller, input) => ({ status: true, data: await addAnswer(ctx, caller, input) }),
  }),
  defineStaffCall('PUT /api/v1/staff/answers/{id}', {
    input: contract.changedAnswerSchema,
    reply: answerReplySchema,
    handle: async (ctx, caller, input) => ({ status: true, data: await changeAnswer(ctx, caller, input) }),
  }),
  defineStaffCall('DELETE /api/v1/staff/answers/{id}', {
    input: answerByIdSchema,
    reply: doneSchema,
    handle: acknowledge(removeAnswer),
  }),
]
