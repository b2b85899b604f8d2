import { queueFilterSchema, queueReplySchema } from '#contract/staff.ts'
import type { Call } from '#server/http/call.ts'
import { getQueue } from './list-queue.ts'
import { defineStaffCall } from './staff-call.ts'

export const staffCalls: Call[] = [
  defineStaffCall('GET /api/v1/staff/tickets', {
    input: queueFilterSchema,
    reply: queueReplySchema,
    handle: getQueue,
  }),
]
