import { z } from 'zod'
import { MAX_PAGE_SIZE } from '#contract/constants.ts'
import { wholeNumber } from '#contract/formats/whole-number.ts'

export const WEBHOOK_EVENTS = [
  'code.received',
  'code.another',
  'activation.cancelled',
  'activation.expired',
  'order.refunded',
  'rental.ending',
  'rental.ended',
  'preorder.bought',
  'preorder.ended',
  'payment.credited',
] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]
export const TEST_EVENT = 'test'
export const CODE_EVENTS = ['code.received', 'code.another'] as const satisfies WebhookEvent[]

/** `field` is the unsigned body format of handler_api, which covers only code events. */
export const WEBHOOK_FORMS = ['standard', 'field'] as const
export type WebhookForm = (typeof WEBHOOK_FORMS)[number]

export const MAX_WEBHOOKS = 10
export const MAX_WEBHOOK_LABEL = 60
export const MAX_WEBHOOK_URL = 1_000
export const MAX_WEBHOOK_OVERLAP_HOURS = 168
export const WEBHOOK_DELIVERY_KEEP_DAYS = 14
/** The number of bytes of an endpoint's reply body that are stored. */
export const WEBHOOK_REPLY_BYTES = 2_048
const DELIVERIES_SHOWN = 20

export const WEBHOOK_DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const
export const WEBHOOK_FAILURES = ['status', 'timeout', 'unreached', 'tls', 'broken', 'refused', 'late', 'off'] as const
export type WebhookFailure = (typeof WEBHOOK_FAILURES)[number]
/** The reasons for which the server, not the owner, turns a webhook off. */
export const WEBHOOK_OFF_REASONS = ['failing', 'gone'] as const

const webhookId = wholeNumber(1, 2_147_483_647)
const deliveryId = wholeNumber(1, Number.MAX_SAFE_INTEGER)

const label = z
  .string()
  .trim()
  .min(1)
  .max(MAX_WEBHOOK_LABEL)
  .regex(/^\P{C}*$/u)
const url = z.url({ protocol: /^https?$/ }).max(MAX_WEBHOOK_URL)
const events = z
  .array(z.enum(WEBHOOK_EVENTS))
  .min(1)
  .max(WEBHOOK_EVENTS.length)
  .transform((chosen) => WEBHOOK_EVENTS.filter((event) => chosen.includes(event)))

/** The webhook receives every event that its `form` supports if `events` is missing. */
export const webhookInputSchema = z.object({
  label,
  url,
  form: z.enum(WEBHOOK_FORMS).default('standard'),
  events: events.optional(),
})
export const editWebhookInputSchema = z.object({
  id: webhookId,
  label: label.optional(),
  url: url.optional(),
  events: events.optional(),
  on: z.boolean().optional(),
})
export const byWebhookSchema = z.object({ id: webhookId })
export const rotateWebhookInputSchema = z.object({
  id: webhookId,
  /** The number of hours for which the old secret still signs deliveries after a renewal. */
  overlap_hours: z.number().int().min(0).max(MAX_WEBHOOK_OVERLAP_HOURS),
})
/** Deliveries come newest first. `before` is the id of the oldest delivery that the page has. */
export const deliveriesFilterSchema = z.object({
  id: webhookId,
  state: z.enum(WEBHOOK_DELIVERY_STATES).optional(),
  before: deliveryId.optional(),
  per_page: wholeNumber(1, MAX_PAGE_SIZE).default(DELIVERIES_SHOWN),
})
export const replayInputSchema = z.object({ id: webhookId, delivery: deliveryId })

export const webhookRecordSchema = z.object({
  id: z.number().int(),
  label: z.string(),
  url: z.string(),
  form: z.enum(WEBHOOK_FORMS),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  on: z.boolean(),
  off_reason: z.enum(WEBHOOK_OFF_REASONS).nullable(),
  /** The time of the first failure since the last accepted delivery; null if no delivery failed since. */
  failing_since: z.iso.datetime().nullable(),
  /** The time until which the old secret still signs deliveries, beside the new one. */
  previous_until: z.iso.datetime().nullable(),
  /** The API key that created the webhook. If the key is revoked, the webhook ends. */
  key_id: z.number().int().nullable(),
  created_at: z.iso.datetime(),
})
export type WebhookRecord = z.output<typeof webhookRecordSchema>
export const webhookReplySchema = z.object({ status: z.literal(true), data: webhookRecordSchema })
export const webhooksReplySchema = z.object({ status: z.literal(true), data: z.array(webhookRecordSchema) })
/** `secret` is shown only in this reply; null for the unsigned form. */
export const madeWebhookReplySchema = z.object({
  status: z.literal(true),
  data: webhookRecordSchema,
  secret: z.string().nullable(),
})

export const webhookDeliverySchema = z.object({
  id: z.number().int(),
  /** The value of the header `webhook-id`, which is the same in every attempt to deliver the event. */
  webhook_id: z.string(),
  event: z.enum([...WEBHOOK_EVENTS, TEST_EVENT]),
  at: z.iso.datetime(),
  state: z.enum(WEBHOOK_DELIVERY_STATES),
  tries: z.number().int(),
  next_at: z.iso.datetime().nullable(),
  tried_at: z.iso.datetime().nullable(),
  took_ms: z.number().int().nullable(),
  status: z.number().int().nullable(),
  failure: z.enum(WEBHOOK_FAILURES).nullable(),
  /** The body that would be sent now. Texts that are no longer stored are null. */
  body: z.string(),
  reply: z.string().nullable(),
})
export type WebhookDelivery = z.output<typeof webhookDeliverySchema>
export const webhookDeliveryReplySchema = z.object({ status: z.literal(true), data: webhookDeliverySchema })
export const webhookDeliveriesReplySchema = z.object({
  status: z.literal(true),
  data: z.array(webhookDeliverySchema),
  next: z.number().int().nullable(),
})
