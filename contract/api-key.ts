import { z } from 'zod'
import { parseRange } from './formats/cidr.ts'
import { wholeNumber } from './formats/whole-number.ts'
import { parseDecimal } from './money.ts'

/** Each call names the scope that an API key needs for it, and no scope includes another scope. */
export const KEY_SCOPES = ['read', 'buy', 'money'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]

export const KEY_DIALECTS = ['sms-activate', 'hero-sms', 'grizzly', 'smsbower', 'smshub'] as const
export type KeyDialect = (typeof KEY_DIALECTS)[number]
export const DIALECT_NAMES: Readonly<Record<KeyDialect, string>> = {
  'sms-activate': 'SMS-Activate',
  'hero-sms': 'HeroSMS',
  grizzly: 'GrizzlySMS',
  smsbower: 'SMSBower',
  smshub: 'SMSHub',
}

export const MAX_KEYS = 20
/** The maximum number of sandbox keys of one person. Sandbox keys count towards MAX_KEYS, too. */
export const MAX_SANDBOX_KEYS = 5
export const MAX_KEY_NAME = 60
export const MAX_KEY_ADDRESSES = 20
export const MAX_OVERLAP_HOURS = 168
export const KEY_CALLS_SHOWN = 100
const MAX_ADDRESS_LENGTH = 49

const keyId = wholeNumber(1, 2_147_483_647)

const keyName = z
  .string()
  .trim()
  .min(1)
  .max(MAX_KEY_NAME)
  .regex(/^\P{C}*$/u)
const keyScopes = z
  .array(z.enum(KEY_SCOPES))
  .min(1)
  .max(KEY_SCOPES.length)
  .transform((scopes) => KEY_SCOPES.filter((scope) => scopes.includes(scope)))
/** The IP addresses and ranges from which an API key may be used. An empty list allows every address. */
const keyAddresses = z
  .array(
    z
      .string()
      .trim()
      .max(MAX_ADDRESS_LENGTH)
      .refine((text) => parseRange(text) !== null),
  )
  .max(MAX_KEY_ADDRESSES)
/** The maximum that an API key may spend in one day (UTC), as a decimal in the account's currency. */
const keyDayLimit = z
  .string()
  .max(20)
  .refine((text) => (parseDecimal(text) ?? 0n) > 0n)

const keyDialect = z.enum(KEY_DIALECTS).nullable()

export const keyInputSchema = z.object({
  name: keyName,
  scopes: keyScopes,
  addresses: keyAddresses.optional().default([]),
  day_limit: keyDayLimit.optional(),
  dialect: keyDialect.optional().default(null),
  /** A sandbox key spends play money. A sandbox key never becomes a real key, or the reverse. */
  sandbox: z.boolean().optional().default(false),
})
/** A field that the request omits stays unchanged. `day_limit: null` removes the daily limit. */
export const editKeyInputSchema = z.object({
  id: keyId,
  name: keyName.optional(),
  scopes: keyScopes.optional(),
  addresses: keyAddresses.optional(),
  day_limit: keyDayLimit.nullable().optional(),
  dialect: keyDialect.optional(),
})
export const rotateKeyInputSchema = z.object({
  id: keyId,
  /** The number of hours for which the old secret still works after a renewal. */
  overlap_hours: z.number().int().min(0).max(MAX_OVERLAP_HOURS),
})
export const byKeySchema = z.object({ id: keyId })

export const keyRecordSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  scopes: z.array(z.enum(KEY_SCOPES)),
  addresses: z.array(z.string()),
  dialect: keyDialect,
  sandbox: z.boolean(),
  day_limit: z.string().nullable(),
  /** The amount that the API key spent in the current day (UTC), without refunded purchases. */
  spent_today: z.string(),
  /** The amount that the API key may still spend today; null without a daily limit. */
  left_today: z.string().nullable(),
  day_ends_at: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  /** The time until which the old secret still works after a renewal. */
  previous_until: z.string().nullable(),
})
export type KeyRecord = z.output<typeof keyRecordSchema>

export const keyReplySchema = z.object({ status: z.literal(true), data: keyRecordSchema })
export const keysReplySchema = z.object({ status: z.literal(true), data: z.array(keyRecordSchema) })
/** `secret` is shown only in this reply. */
export const madeKeyReplySchema = z.object({ status: z.literal(true), data: keyRecordSchema, secret: z.string() })

export const keyCallSchema = z.object({
  call: z.string(),
  /** The result of the call: `OK`, a handler_api word, an error code, `ADDRESS_REFUSED` or `KEY_DAY_LIMIT`. */
  result: z.string(),
  count: z.number().int(),
  first_at: z.string(),
  last_at: z.string(),
  address: z.string(),
})
export type KeyCallRecord = z.output<typeof keyCallSchema>
export const keyCallsReplySchema = z.object({ status: z.literal(true), data: z.array(keyCallSchema) })
