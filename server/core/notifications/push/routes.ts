import { z } from 'zod'
import { doneSchema } from '#contract/account.ts'
import { pushInputSchema, pushReplySchema, readNotificationSchema } from '#contract/notifications/notification.ts'
import { acknowledge } from '#server/house/http/acknowledge.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { listPush, subscribe, unsubscribe } from './subscriptions.ts'

export const pushCalls: Call[] = [
  defineCall('GET /api/v1/push', {
    auth: 'required',
    scope: 'session',
    input: z.object({}),
    reply: pushReplySchema,
    handle: (ctx, { member }) => listPush(ctx, member),
  }),
  defineCall('POST /api/v1/push/subscriptions', {
    auth: 'required',
    scope: 'session',
    input: pushInputSchema,
    reply: pushReplySchema,
    handle: (ctx, { member }, { endpoint, keys }) => subscribe(ctx, member, { endpoint, ...keys }),
  }),
  defineCall('DELETE /api/v1/push/subscriptions/{id}', {
    auth: 'required',
    scope: 'session',
    input: readNotificationSchema,
    reply: doneSchema,
    handle: acknowledge((ctx, { member }, { id }) => unsubscribe(ctx, member, id)),
  }),
]
