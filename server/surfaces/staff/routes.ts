import { staff } from '#contract/calls/staff-calls.ts'
import { acknowledge } from '#server/house/http/acknowledge.ts'
import type { Call } from '#server/house/http/call.ts'
import { idempotencyKeyOf } from '#server/house/http/idempotency-key.ts'
import { addAnswer, changeAnswer, getAnswers, removeAnswer } from './answers.ts'
import { changeCategory, closeTicketByStaff, releaseTicket, reopenTicket, takeTicket } from './change-ticket.ts'
import { getStaffTicket } from './get-ticket.ts'
import { getQueue, getWaiting } from './queue/list-queue.ts'
import { refundOrder } from './refunds/refund-order.ts'
import { staffRoute } from './staff-call.ts'
import { tellWriting } from './tell-writing.ts'
import { getTimeline } from './timeline.ts'
import { writeInTicket } from './write-in-ticket.ts'

export const staffCalls: Call[] = [
  staffRoute(staff.tickets, getQueue),
  staffRoute(staff.ticket, getStaffTicket),
  staffRoute(staff.waiting, getWaiting),
  staffRoute(staff.writing, acknowledge(tellWriting)),
  staffRoute(staff.message, async (ctx, caller, input, wire) => {
    const idempotencyKey = idempotencyKeyOf(wire)
    return { status: true, data: await writeInTicket(ctx, caller, { ...input, idempotencyKey }) }
  }),
  staffRoute(staff.take, acknowledge(takeTicket)),
  staffRoute(staff.release, acknowledge(releaseTicket)),
  staffRoute(staff.close, acknowledge(closeTicketByStaff)),
  staffRoute(staff.reopen, acknowledge(reopenTicket)),
  staffRoute(staff.categorise, acknowledge(changeCategory)),
  staffRoute(staff.refund, refundOrder),
  staffRoute(staff.timeline, getTimeline),
  staffRoute(staff.answers, getAnswers),
  staffRoute(staff.addAnswer, async (ctx, caller, input) => ({
    status: true,
    data: await addAnswer(ctx, caller, input),
  })),
  staffRoute(staff.changeAnswer, async (ctx, caller, input) => ({
    status: true,
    data: await changeAnswer(ctx, caller, input),
  })),
  staffRoute(staff.removeAnswer, acknowledge(removeAnswer)),
]
