import { z } from 'zod'
import { LOCALES, MAX_PAGE_SIZE, SEARCH_MAX_LENGTH } from '#contract/constants.ts'
import { CURRENCIES } from '#contract/money.ts'
import { replyInputSchema, supportFileSchema, ticketRefundSchema } from '#contract/support/support.ts'
import { SUPPORT_CATEGORIES, TICKET_STATES } from '#contract/support/support-constants.ts'
import { ACTIVATION_STATES } from '../activation.ts'
import { wholeNumber } from '../formats/whole-number.ts'
import { PAYMENT_STATES } from '../payment.ts'
import { RENTAL_STATES } from '../rental.ts'
import {
  ANSWER_MAX_LENGTH,
  ANSWER_TITLE_MAX_LENGTH,
  ORDER_KINDS,
  QUEUE_STATES,
  STAFF_PAGE_SIZE,
  STAFF_ROLES,
} from './staff-constants.ts'

const idSchema = wholeNumber(1, Number.MAX_SAFE_INTEGER)
const personSchema = z.object({ id: z.number().int(), name: z.string() })

/**
 * `waits_since` is set for open tickets. `unread` counts messages since staff's last answer. `taken_by` is the staff
 * member who has taken the ticket.
 */
const ticketFields = {
  id: z.number().int(),
  subject: z.string(),
  category: z.enum(SUPPORT_CATEGORIES),
  state: z.enum(TICKET_STATES),
  waits_since: z.iso.datetime().nullable(),
  unread: z.number().int(),
  messages_count: z.number().int(),
  taken_by: personSchema.nullable(),
  created_at: z.iso.datetime(),
  changed_at: z.iso.datetime(),
}
export const queuedTicketSchema = z.object({
  ...ticketFields,
  buyer: z.object({ id: z.number().int(), name: z.string(), email: z.string().nullable() }),
})
export type QueuedTicket = z.infer<typeof queuedTicketSchema>

export const queueFilterSchema = z.object({
  state: z.enum(QUEUE_STATES).default('open'),
  category: z.enum(SUPPORT_CATEGORIES).optional(),
  mine: z.enum(['1']).optional(),
  /**
   * Finds tickets by ticket or order number, account (`#123`), phone, e-mail address, payment, or words of the subject.
   */
  search: z.string().trim().max(SEARCH_MAX_LENGTH).optional(),
  page: wholeNumber(1, 1_000).default(1),
  per_page: wholeNumber(1, MAX_PAGE_SIZE).default(STAFF_PAGE_SIZE),
})
export type QueueFilter = z.output<typeof queueFilterSchema>

/** `waiting` counts all open tickets, whatever the filter. */
export const queueReplySchema = z.object({
  status: z.literal(true),
  tickets: z.object({
    data: z.array(queuedTicketSchema),
    meta: z.object({ last_page: z.number().int(), total: z.number().int() }),
  }),
  waiting: z.number().int(),
})
export type QueueReply = z.infer<typeof queueReplySchema>

export const waitingReplySchema = z.object({ status: z.literal(true), waiting: z.number().int() })
export type WaitingReply = z.infer<typeof waitingReplySchema>

/** Only staff see a message of the kind `note`. `html` is safe to insert into a page. */
export const staffMessageSchema = z.object({
  id: z.number().int(),
  kind: z.enum(['member', 'staff', 'note']),
  author: personSchema,
  text: z.string(),
  html: z.string(),
  files: z.array(supportFileSchema),
  created_at: z.iso.datetime(),
})
export type StaffMessage = z.infer<typeof staffMessageSchema>

/**
 * `phone` is complete, and `supplier` (a code, for operators only) is set, only for the order that the ticket is about.
 * `refundable` is the amount that staff can still refund, or null.
 */
export const cardNumberSchema = z.object({
  kind: z.enum(ORDER_KINDS),
  id: z.number().int(),
  about: z.boolean(),
  service: z.object({ id: z.string(), name: z.string() }),
  country: z.object({ id: z.number().int(), name: z.string(), iso2: z.string(), dial: z.string() }),
  phone: z.string().nullable(),
  supplier: z.string().nullable(),
  state: z.enum([...ACTIVATION_STATES, ...RENTAL_STATES]),
  price: z.string(),
  messages_count: z.number().int(),
  refunded: z.boolean(),
  refundable: z.string().nullable(),
  created_at: z.iso.datetime(),
})
export type CardNumber = z.infer<typeof cardNumberSchema>

export const cardPaymentSchema = z.object({
  transaction_id: z.string(),
  about: z.boolean(),
  system: z.string(),
  state: z.enum(PAYMENT_STATES),
  sum: z.string(),
  created_at: z.iso.datetime(),
})

/** The data about the buyer exclude every password, session, API key, address and message text. */
export const buyerCardSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string().nullable(),
  locale: z.enum(LOCALES),
  blocked: z.boolean(),
  deleted: z.boolean(),
  currency: z.enum(CURRENCIES),
  balance: z.string(),
  held: z.string(),
  debt: z.string(),
  registered_at: z.iso.datetime(),
  tickets_count: z.number().int(),
  numbers: z.array(cardNumberSchema),
  payments: z.array(cardPaymentSchema),
})
export type BuyerCard = z.infer<typeof buyerCardSchema>

/**
 * `can_refund` is false if the ticket is the staff member's own. `cap` is the maximum refund; null means no maximum.
 */
export const staffTicketSchema = z.object({
  ...ticketFields,
  messages: z.array(staffMessageSchema),
  refunds: z.array(ticketRefundSchema),
  has_older: z.boolean(),
  buyer: buyerCardSchema,
  refunded: z.string(),
  cap: z.string().nullable(),
  can_refund: z.boolean(),
  me: z.object({ id: z.number().int(), role: z.enum(STAFF_ROLES) }),
})
export type StaffTicket = z.infer<typeof staffTicketSchema>
export const staffTicketReplySchema = z.object({ status: z.literal(true), data: staffTicketSchema })
export type StaffTicketReply = z.infer<typeof staffTicketReplySchema>

export const staffTicketByIdSchema = z.object({ id: idSchema, before: idSchema.optional() })
export const noInputSchema = z.object({})
export const ticketIdSchema = z.object({ id: idSchema })

/** `seen` is the newest message on the page. The answer is refused if a colleague has answered after that message. */
export const staffMessageInputSchema = replyInputSchema.extend({
  kind: z.enum(['staff', 'note']),
  seen: wholeNumber(0, Number.MAX_SAFE_INTEGER),
})
export const staffMessageReplySchema = z.object({ status: z.literal(true), data: staffMessageSchema })
export type StaffMessageReply = z.infer<typeof staffMessageReplySchema>

/** `from` is the staff member whom the page shows. If a colleague took the ticket since, the colleague keeps it. */
export const takeInputSchema = z.object({ id: idSchema, from: wholeNumber(1, 2_147_483_647).optional() })
export const categoryInputSchema = z.object({ id: idSchema, category: z.enum(SUPPORT_CATEGORIES) })

const orderFields = { id: idSchema, kind: z.enum(ORDER_KINDS), order: idSchema }
export const refundInputSchema = z.object(orderFields)
export const refundReplySchema = z.object({
  status: z.literal(true),
  amount: z.string(),
  currency: z.enum(CURRENCIES),
  balance: z.string(),
})
export type RefundReply = z.infer<typeof refundReplySchema>

/**
 * `what` is an event such as `activation.received`, `money.capture` or `staff.ticket:refund`. `amount` is the money of
 * the event. `by` names the staff member who acted.
 */
export const timelineFilterSchema = z.object(orderFields)
export const timelineReplySchema = z.object({
  status: z.literal(true),
  data: z.array(
    z.object({
      key: z.string(),
      at: z.iso.datetime(),
      what: z.string(),
      amount: z.string().nullable(),
      by: z.string().nullable(),
    }),
  ),
})
export type TimelineReply = z.infer<typeof timelineReplySchema>

const answerText = z.string().trim().min(1).max(ANSWER_MAX_LENGTH)
const answerFields = { title: z.string().trim().min(1).max(ANSWER_TITLE_MAX_LENGTH), ru: answerText, en: answerText }
export const answerSchema = z.object({
  id: z.number().int(),
  title: z.string(),
  ru: z.string(),
  en: z.string(),
  changed_at: z.iso.datetime(),
})
export type Answer = z.infer<typeof answerSchema>
export const answerInputSchema = z.object(answerFields)
const answerIdSchema = wholeNumber(1, 2_147_483_647)
export const changedAnswerSchema = z.object({ id: answerIdSchema, ...answerFields })
export const answerByIdSchema = z.object({ id: answerIdSchema })
export const answerReplySchema = z.object({ status: z.literal(true), data: answerSchema })
export type AnswerReply = z.infer<typeof answerReplySchema>
export const answersReplySchema = z.object({
  status: z.literal(true),
  data: z.array(answerSchema),
  can_change: z.boolean(),
})
export type AnswersReply = z.infer<typeof answersReplySchema>
