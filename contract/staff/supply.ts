import { z } from 'zod'
import { wholeNumber } from '../formats/whole-number.ts'
import { SUPPLIER_ALARMS } from '../mails.ts'
import { CURRENCIES } from '../money.ts'
import { MUTE_HOURS, SHARE_WINDOWS, SUPPLIER_CODE_MAX_LENGTH, SUPPLY_REASON_MAX_LENGTH } from './supply-constants.ts'

const momentSchema = z.iso.datetime()
const countSchema = z.number().int()

/** Within how many ms half and 95 % were answered; null: no call, or slower than any bound. */
const callsSchema = z.object({
  calls: countSchema,
  errors: countSchema,
  median_ms: countSchema.nullable(),
  p95_ms: countSchema.nullable(),
})

/** Between 0 and 1. `share`: null without a purchase; `norm`: null where it is not known. */
const shareSchema = z.object({
  window: z.enum(SHARE_WINDOWS),
  purchases: countSchema,
  codes: countSchema,
  share: z.number().nullable(),
  norm: z.number().nullable(),
})
export type ShownShare = z.infer<typeof shareSchema>

/** `since`: it stands. `muted_until`: of it, or of all of its kind. One of the two at least. */
const alarmSchema = z.object({
  kind: z.enum(SUPPLIER_ALARMS),
  since: momentSchema.nullable(),
  muted_until: momentSchema.nullable(),
  muted_by: z.enum(['itself', 'kind']).nullable(),
})
export type SupplierAlarm = z.infer<typeof alarmSchema>

export const supplierSchema = z.object({
  code: z.string(),
  kind: z.string(),
  paused_since: momentSchema.nullable(),
  /** Null: a kind without a standing connection. */
  link: z.object({ up: z.boolean(), since: momentSchema }).nullable(),
  /** Set aside by the service itself. */
  aside: z.object({ since: momentSchema, reason: z.string(), try_at: momentSchema }).nullable(),
  last_sms_at: momentSchema.nullable(),
  stock: countSchema.nullable(),
  balance: z.object({ amount: z.string(), currency: z.enum(CURRENCIES), at: momentSchema }).nullable(),
  /** Of 24 hours. */
  calls: callsSchema,
  shares: z.array(shareSchema),
  /** Activations and rentals that are open now. */
  open_numbers: countSchema,
  /** Messages of 24 hours that nobody was given. */
  unmatched: countSchema,
  /** Messages of 24 hours that were dropped: an earlier one of other words had their id. */
  reused_ids: countSchema,
  alarms: z.array(alarmSchema),
})
export type ShownSupplier = z.infer<typeof supplierSchema>

export const suppliersReplySchema = z.object({ status: z.literal(true), data: z.array(supplierSchema) })
export type SuppliersReply = z.infer<typeof suppliersReplySchema>

const codeSchema = z.string().min(1).max(SUPPLIER_CODE_MAX_LENGTH)
const byCode = { code: codeSchema }

/** `before`: the id of the oldest event that is known. */
export const supplierByCodeSchema = z.object({
  ...byCode,
  before: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
})

export const supplierReplySchema = z.object({
  status: z.literal(true),
  data: supplierSchema,
  /** False: nobody is told of alarms, so none begins. */
  alarms_watched: z.boolean(),
  calls: z.array(callsSchema.extend({ call: z.string() })),
  /** Newest first; `next`: the next `before`. */
  events: z.array(z.object({ id: countSchema, at: momentSchema, kind: z.string(), reason: z.string() })),
  next: countSchema.nullable(),
  /** Numbers of our own range that are set aside as silent: the first, and whether there are more. */
  silent: z.object({
    data: z.array(z.object({ phone: z.string(), sales: countSchema, since: momentSchema })),
    has_more: z.boolean(),
  }),
})
export type SupplierReply = z.infer<typeof supplierReplySchema>

const reasonSchema = z.string().trim().min(1).max(SUPPLY_REASON_MAX_LENGTH)
export const turnSupplierSchema = z.object({ ...byCode, reason: reasonSchema })
const alarmOf = { ...byCode, alarm: z.enum(SUPPLIER_ALARMS) }
export const muteAlarmSchema = z.object({ ...alarmOf, hours: z.union(MUTE_HOURS.map((hours) => z.literal(hours))) })
export const unmuteAlarmSchema = z.object(alarmOf)
