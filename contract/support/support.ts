import { z } from 'zod'
import { ACTIVATION_STATES } from '#contract/activation.ts'
import { MAX_PAGE_SIZE, SERVER_PAGE_SIZE } from '#contract/constants.ts'
import { wholeNumber } from '#contract/formats/whole-number.ts'
import { CURRENCIES } from '#contract/money.ts'
import { PAYMENT_STATES } from '#contract/payment.ts'
import { RENTAL_STATES } from '#contract/rental.ts'
import {
  ABOUT_KINDS,
  FILE_TYPES,
  MESSAGE_MAX_FILES,
  MESSAGE_MAX_LENGTH,
  SUBJECT_MAX_LENGTH,
  SUPPORT_CATEGORIES,
  TICKET_SEARCH_MAX_LENGTH,
  TICKET_STATES,
} from './support-constants.ts'

const idSchema = wholeNumber(1, Number.MAX_SAFE_INTEGER)

/** The `id` of a payment is its transaction id. */
const aboutInputSchema = z.strictObject({ kind: z.enum(ABOUT_KINDS), id: z.string().min(1).max(60) })
export type AboutInput = z.output<typeof aboutInputSchema>

const moneyFields = { currency: z.enum(CURRENCIES), created_at: z.iso.datetime() }
const numberFields = {
  ...moneyFields,
  id: z.string(),
  service: z.object({ id: z.string(), name: z.string() }),
  country: z.object({ id: z.number().int(), name: z.string(), iso2: z.string(), dial: z.string() }),
  phone: z.string().nullable(),
  price: z.string(),
  refunded: z.string().nullable(),
}
export const aboutSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('activation'), ...numberFields, state: z.enum(ACTIVATION_STATES) }),
  z.object({ kind: z.literal('rental'), ...numberFields, state: z.enum(RENTAL_STATES) }),
  z.object({
    kind: z.literal('payment'),
    ...moneyFields,
    id: z.string(),
    /** The payment system's name as payers see it; empty if the system is no longer offered. */
    system: z.string(),
    amount: z.string(),
    state: z.enum(PAYMENT_STATES),
  }),
])
export type About = z.infer<typeof aboutSchema>

/** `width` and `height` are in pixels; null for a PDF. */
export const supportFileSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  type: z.enum(FILE_TYPES),
  bytes: z.number().int(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
})
export type SupportFile = z.infer<typeof supportFileSchema>

/** `html` is safe to insert into a page, because only the server's Markdown renderer makes it. */
export const supportMessageSchema = z.object({
  id: z.number().int(),
  author: z.enum(['user', 'support']),
  text: z.string(),
  html: z.string(),
  files: z.array(supportFileSchema),
  created_at: z.iso.datetime(),
})
export type SupportMessage = z.infer<typeof supportMessageSchema>

export const ticketRecordSchema = z.object({
  id: z.number().int(),
  category: z.enum(SUPPORT_CATEGORIES),
  subject: z.string(),
  state: z.enum(TICKET_STATES),
  unread: z.number().int(),
  messages_count: z.number().int(),
  created_at: z.iso.datetime(),
  changed_at: z.iso.datetime(),
})
export type TicketRecord = z.infer<typeof ticketRecordSchema>

export const ticketRefundSchema = z.object({
  at: z.iso.datetime(),
  amount: z.string(),
  currency: z.enum(CURRENCIES),
  service: z.string(),
  phone: z.string().nullable(),
  dial: z.string(),
})
export type TicketRefund = z.infer<typeof ticketRefundSchema>

/** The newest messages come last. If `has_older`, call again with `before` set to the first message's id. */
export const ticketReplySchema = z.object({
  status: z.literal(true),
  data: ticketRecordSchema.extend({
    about: aboutSchema.nullable(),
    messages: z.array(supportMessageSchema),
    refunds: z.array(ticketRefundSchema),
    has_older: z.boolean(),
  }),
})
export type TicketReply = z.infer<typeof ticketReplySchema>

export const ticketsFilterSchema = z.object({
  search: z.string().max(TICKET_SEARCH_MAX_LENGTH).optional(),
  state: z.enum(TICKET_STATES).optional(),
  page: wholeNumber(1, 10_000).default(1),
  per_page: wholeNumber(1, MAX_PAGE_SIZE).default(SERVER_PAGE_SIZE),
})
export type TicketsFilter = Partial<z.output<typeof ticketsFilterSchema>>

/** `unread` counts the tickets with unseen answers, whatever the filter. */
export const ticketsReplySchema = z.object({
  status: z.literal(true),
  tickets: z.object({
    data: z.array(ticketRecordSchema),
    meta: z.object({ last_page: z.number().int(), total: z.number().int() }),
  }),
  unread: z.number().int(),
})
export type TicketsReply = z.infer<typeof ticketsReplySchema>

/** Messages keep no control characters except line breaks and tabs. */
const CONTROLS = /[^\P{Cc}\n\t]/gu
const tidyText = (text: string) => text.replaceAll('\r\n', '\n').replaceAll(CONTROLS, '').trim()
const tidyLine = (text: string) => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()

const messageFields = {
  text: z.string().overwrite(tidyText).min(1).max(MESSAGE_MAX_LENGTH),
  files: z.array(idSchema).max(MESSAGE_MAX_FILES).default([]),
}
export const newTicketSchema = z.object({
  category: z.enum(SUPPORT_CATEGORIES),
  subject: z.string().overwrite(tidyLine).min(1).max(SUBJECT_MAX_LENGTH),
  about: aboutInputSchema.optional(),
  ...messageFields,
})
export type NewTicket = z.input<typeof newTicketSchema>

export const replyInputSchema = z.object({ id: idSchema, ...messageFields })
export const messageReplySchema = z.object({ status: z.literal(true), data: supportMessageSchema })
export type MessageReply = z.infer<typeof messageReplySchema>

export const ticketByIdSchema = z.object({ id: idSchema, before: idSchema.optional() })
/** `through` is the newest message that the member has seen. */
export const readInputSchema = z.object({ id: idSchema, through: idSchema })
export const closeInputSchema = z.object({ id: idSchema })
export const ticketDoneSchema = z.object({ status: z.literal(true), data: ticketRecordSchema })
export type TicketDone = z.infer<typeof ticketDoneSchema>

/**
 * Selects the latest purchases and payments that a ticket may be about. The one that `kind` and `id` name comes first.
 */
export const subjectsFilterSchema = z.object({
  kind: z.enum(ABOUT_KINDS).optional(),
  id: z.string().min(1).max(60).optional(),
})
export const subjectsReplySchema = z.object({ status: z.literal(true), data: z.array(aboutSchema) })
export type SubjectsReply = z.infer<typeof subjectsReplySchema>

export const fileReplySchema = z.object({ status: z.literal(true), data: supportFileSchema })
export type FileReply = z.infer<typeof fileReplySchema>
