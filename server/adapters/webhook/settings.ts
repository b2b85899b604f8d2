import { z } from 'zod'
import { ownNumbers } from '#server/adapters/shared/own-numbers/settings.ts'
import { faultsOf } from '#server/adapters/shared/settings-faults.ts'

const secret = z.string().min(8).max(512)
const header = z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a header')
const field = z.string().min(1).max(200)

/** Two secrets may be valid while one is being replaced. */
const secrets = z.array(secret).min(1).max(4)

const common = {
  ...ownNumbers,
  /** The secret part of our webhook URL. `supplier:add` makes the secret. */
  intakeKey: z.string().regex(/^[\w-]{32,128}$/, 'must be 32 to 128 letters, digits, - or _'),
  /** The tolerated age of a signature, in seconds. */
  signatureSeconds: z.number().int().min(10).max(3_600).default(300),
}

const androidSmsGateway = z.strictObject({ format: z.literal('android-sms-gateway'), ...common, secrets })
const httpSms = z.strictObject({ format: z.literal('httpsms'), ...common, secrets })
const vonage = z.strictObject({ format: z.literal('vonage'), ...common, secrets })
const twilio = z.strictObject({
  format: z.literal('twilio'),
  ...common,
  secrets,
  /** The origin to which Twilio posts, if not PUBLIC_URL, because Twilio's signature covers the URL. */
  publicUrl: z
    .url({ protocol: /^https?$/ })
    .refine((url) => new URL(url).origin === url, 'must be scheme and host alone, such as https://sms.example.org')
    .optional(),
})
const telnyx = z.strictObject({
  format: z.literal('telnyx'),
  ...common,
  publicKeys: z
    .array(
      z.base64().refine((key) => Buffer.from(key, 'base64').length === 32, 'must be a public key of Telnyx in base64'),
    )
    .min(1)
    .max(4),
})

const auth = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('address') }),
  z.strictObject({ by: z.literal('header'), header, values: secrets }),
  z.strictObject({ by: z.literal('basic'), user: z.string().min(1).max(64), password: secret }),
  z.strictObject({
    by: z.literal('hmac'),
    header,
    secrets,
    algorithm: z.enum(['sha256', 'sha1']).default('sha256'),
    encoding: z.enum(['hex', 'base64']).default('hex'),
    prefix: z.string().max(32).default(''),
    /** The header with the time in seconds since 1970, which is signed after the body. */
    timeHeader: header.optional(),
  }),
])

export const CHARSETS = ['utf-8', 'utf-16be', 'utf-16le', 'iso-8859-1', 'iso-8859-5', 'windows-1251', 'koi8-r'] as const

const generic = z.strictObject({
  format: z.literal('generic'),
  ...common,
  sentAs: z.enum(['query', 'form', 'json']),
  charset: z.enum(CHARSETS).default('utf-8'),
  fields: z
    .strictObject({
      text: field,
      sender: field,
      phone: field.optional(),
      device: field.optional(),
      slot: field.optional(),
      id: field.optional(),
      time: field.optional(),
      /** The field that names the text's charset. A charset that is not in `CHARSETS` is ignored. */
      charset: field.optional(),
      /** The field that marks a text as octets, by `1` as in Kannel, `8bit` or `binary`. */
      coding: field.optional(),
      /** A part's fields of a long message: the common reference, the part's number, and the count of parts. */
      reference: field.optional(),
      part: field.optional(),
      parts: field.optional(),
    })
    .refine(({ phone, device }) => phone !== undefined || device !== undefined, 'needs phone or device')
    .refine(
      ({ reference, part, parts }) => new Set([reference, part, parts].map((name) => name === undefined)).size === 1,
      'needs reference, part and parts together',
    )
    .refine(({ slot, device }) => slot === undefined || device !== undefined, 'has a slot without a device'),
  auth: auth.default({ by: 'address' }),
  reply: z
    .strictObject({
      type: z
        .string()
        .max(100)
        .regex(/^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/, 'must be a media type'),
      text: z.string().max(1_000),
    })
    .default({ type: 'text/plain; charset=utf-8', text: '' }),
})

const webhookSettings = z.discriminatedUnion('format', [androidSmsGateway, httpSms, twilio, vonage, telnyx, generic])

export type AndroidSmsGatewaySettings = z.output<typeof androidSmsGateway>
export type HttpSmsSettings = z.output<typeof httpSms>
export type TwilioSettings = z.output<typeof twilio>
export type VonageSettings = z.output<typeof vonage>
export type TelnyxSettings = z.output<typeof telnyx>
export type GenericSettings = z.output<typeof generic>
export type WebhookSettings = z.output<typeof webhookSettings>

/** Reads the settings. Throws one error that names every bad field and never shows a secret. */
export function parseWebhookSettings(code: string, settings: unknown): WebhookSettings {
  const parsed = webhookSettings.safeParse(settings)
  if (parsed.success) return parsed.data
  const faults = faultsOf(parsed.error)
  throw new Error(`The settings of the webhook supplier "${code}" are wrong: ${faults.join('; ')}`)
}
