import { z } from 'zod'
import { parseRange } from './formats/cidr.ts'
import { wholeNumber } from './formats/whole-number.ts'
import { parseDecimal } from './money.ts'

/** What an API key may do; each call names what it needs. None includes another. */
export const KEY_SCOPES = ['read', 'buy', 'money'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]

/** Whose way of handler_api a key speaks where its address does not say (docs/api/dialects.md). */
export const KEY_DIALECTS = ['sms-activate', 'hero-sms', 'grizzly', 'smsbower', 'smshub'] as const
export type KeyDialect = (typeof KEY_DIALECTS)[number]
export const DIALECT_NAMES: Readonly<Record<KeyDialect, string>> = {
  'sms-activate': 'SMS-Activate',
  'hero-sms': 'HeroSMS',
  grizzly: 'GrizzlySMS',
  smsbower: 'SMSBower',
  smshub: 'SMSHub',
}

/** Per person, those that are not revoked. */
export const MAX_KEYS = 20
/** Among them, those with play money. */
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
/** Addresses and ranges; none: from anywhere. */
const keyAddresses = z
  .array(
    z
      .string()
      .trim()
      .max(MAX_ADDRESS_LENGTH)
      .refine((text) => parseRange(text) !== null),
  )
  .max(MAX_KEY_ADDRESSES)
/** A decimal in the account's currency, for one day in UTC. */
const keyDayLimit = z
  .string()
  .max(20)
  .refine((text) => (parseDecimal(text) ?? 0n) > 0n)

/** null: what suits most programs. */
const keyDialect = z.enum(KEY_DIALECTS).nullable()

export const keyInputSchema = z.object({
  name: keyName,
  scopes: keyScopes,
  addresses: keyAddresses.optional().default([]),
  day_limit: keyDayLimit.optional(),
  dialect: keyDialect.optional().default(null),
  /** With play money, for good: no change turns one kind into the other. */
  sandbox: z.boolean().optional().default(false),
})
/** What is left out stays as it is. `day_limit` null: none any more. */
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
  /** How long the secret of before still works. */
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
  /** Of one day in UTC; what came back does not count. */
  spent_today: z.string(),
  /** null without a limit. "0.00" when nothing more can be bought. */
  left_today: z.string().nullable(),
  day_ends_at: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  /** Until when the secret of before still works. */
  previous_until: z.string().nullable(),
})
export type KeyRecord = z.output<typeof keyRecordSchema>

export const keyReplySchema = z.object({ status: z.literal(true), data: keyRecordSchema })
export const keysReplySchema = z.object({ status: z.literal(true), data: z.array(keyRecordSchema) })
/** `secret` is shown this once. */
export const madeKeyReplySchema = z.object({ status: z.literal(true), data: keyRecordSchema, secret: z.string() })

export const keyCallSchema = z.object({
  call: z.string(),
  /** `OK`, a word of handler_api, a code of an error, or `ADDRESS_REFUSED` and `KEY_DAY_LIMIT` by the key's own rules. */
  result: z.string(),
  count: z.number().int(),
  first_at: z.string(),
  last_at: z.string(),
  address: z.string(),
})
export type KeyCallRecord = z.output<typeof keyCallSchema>
export const keyCallsReplySchema = z.object({ status: z.literal(true), data: z.array(keyCallSchema) })
