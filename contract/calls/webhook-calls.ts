import { doneSchema } from '#contract/account.ts'
import {
  byWebhookSchema,
  deliveriesFilterSchema,
  editWebhookInputSchema,
  madeWebhookReplySchema,
  replayInputSchema,
  rotateWebhookInputSchema,
  webhookDeliveriesReplySchema,
  webhookDeliveryReplySchema,
  webhookInputSchema,
  webhookReplySchema,
  webhooksReplySchema,
} from '#contract/webhooks/webhook.ts'
import { BUYER, type DeclaredCalls, nothing, READER } from './call.ts'

export const webhooks = {
  list: { key: 'GET /api/v1/webhooks', who: READER, input: nothing, reply: webhooksReplySchema },
  make: {
    key: 'POST /api/v1/webhooks',
    who: BUYER,
    input: webhookInputSchema,
    reply: madeWebhookReplySchema,
    status: 201,
    onceByKey: true,
  },
  change: { key: 'PATCH /api/v1/webhooks/{id}', who: BUYER, input: editWebhookInputSchema, reply: webhookReplySchema },
  remove: { key: 'DELETE /api/v1/webhooks/{id}', who: BUYER, input: byWebhookSchema, reply: doneSchema },
  rotate: {
    key: 'POST /api/v1/webhooks/{id}/rotate',
    who: BUYER,
    input: rotateWebhookInputSchema,
    reply: madeWebhookReplySchema,
  },
  test: {
    key: 'POST /api/v1/webhooks/{id}/test',
    who: BUYER,
    input: byWebhookSchema,
    reply: webhookDeliveryReplySchema,
  },
  deliveries: {
    key: 'GET /api/v1/webhooks/{id}/deliveries',
    who: READER,
    input: deliveriesFilterSchema,
    reply: webhookDeliveriesReplySchema,
  },
  replay: {
    key: 'POST /api/v1/webhooks/{id}/deliveries/{delivery}/replay',
    who: BUYER,
    input: replayInputSchema,
    reply: webhookDeliveryReplySchema,
  },
} as const satisfies DeclaredCalls
