import { z } from 'zod'
import { wholeNumber } from '../formats/whole-number.ts'
import { SUPPLIER_ALARMS } from '../mails.ts'
import { CURRENCIES } from '../money.ts'
import { MUTE_HOURS, SHARE_WINDOWS, SUPPLIER_CODE_MAX_LENGTH, SUPPLY_REASON_MAX_LENGTH } from './supply-constants.ts'

const momentSchema = z.iso.datetime()
const countSchema = z.number().int()

/**
 * Half of the requests to the supplier took at most `median_ms`, and 95 % at most `p95_ms`. Null means no requests, or
 * a time above every measured bound.
 */
const callsSchema = z.object({
  calls: countSchema,
  errors: countSchema,
  median_ms: countSchema.nullable(),
  p95_ms: countSchema.nullable(),
})

/**
 * `share` (0 to 1) is the part of the purchases that got a code; null without purchases. `norm` is the usual share;
 * null if unknown.
 */
const shareSchema = z.object({
  window: z.enum(SHARE_WINDOWS),
  purchases: countSchema,
  codes: countSchema,
  share: z.number().nullable(),
  norm: z.number().nullable(),
})
export type ShownShare = z.infer<typeof shareSchema>

/**
 * `since` is set while the alarm lasts, and `muted_until` while the alarm or its kind is muted. At least one of these
 * two fields is set.
 */
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
  /** The state of the supplier's connection; null for a kind of supplier without a standing connection. */
  link: z.object({ up: z.boolean(), since: momentSchema }).nullable(),
  /** Set if the system itself, not staff, stopped buying from the supplier for a while. */
  aside: z.object({ since: momentSchema, reason: z.string(), try_at: momentSchema }).nullable(),
  last_sms_at: momentSchema.nullable(),
  stock: countSchema.nullable(),
  balance: z.object({ amount: z.string(), currency: z.enum(CURRENCIES), at: momentSchema }).nullable(),
  calls: callsSchema,
  shares: z.array(shareSchema),
  open_numbers: countSchema,
  /** The number of messages in the last 24 hours that matched no order. */
  unmatched: countSchema,
  /**
   * The number of messages dropped in the last 24 hours, because an earlier message with other text had the same id.
   */
  reused_ids: countSchema,
  alarms: z.array(alarmSchema),
})
export type ShownSupplier = z.infer<typeof supplierSchema>

export const suppliersReplySchema = z.object({ status: z.literal(true), data: z.array(supplierSchema) })
export type SuppliersReply = z.infer<typeof suppliersReplySchema>

const codeSchema = z.string().min(1).max(SUPPLIER_CODE_MAX_LENGTH)
const byCode = { code: codeSchema }

export const supplierByCodeSchema = z.object({
  ...byCode,
  before: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
})

export const supplierReplySchema = z.object({
  status: z.literal(true),
  data: supplierSchema,
  /** False if nobody is notified of alarms, so that no alarm begins. */
  alarms_watched: z.boolean(),
  calls: z.array(callsSchema.extend({ call: z.string() })),
  /** Events come newest first. `next` is the next value of `before`. */
  events: z.array(z.object({ id: countSchema, at: momentSchema, kind: z.string(), reason: z.string() })),
  next: countSchema.nullable(),
  /**
   * Numbers of our own range that are not sold for now because they received no messages. `has_more` means that the
   * list is cut off.
   */
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
