import { z } from 'zod'
import { CURRENCIES } from '#contract/money.ts'
import { DIALECTS, dialects } from './dialects.ts'

const LONGEST_URL = 500
const seconds = (least: number, fallback: number) => z.number().min(least).max(3_600).default(fallback)

const resellSettings = z.strictObject({
  /** Up to and with `handler_api.php`. */
  url: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://host/stubs/handler_api.php' })
    .max(LONGEST_URL)
    .refine((text) => !/[?#@]/.test(text), 'must hold no query, fragment, name or password: the key is a setting'),
  key: z.string().regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable characters without spaces'),
  dialect: z.enum(DIALECTS),
  /** What the other's prices are in. */
  currency: z.enum(CURRENCIES),
  callsPerSecond: z.number().min(0.1).max(100).default(5),
  /** Undefined: the dialect's. */
  pollSeconds: z.number().min(0.02).max(60).optional(),
  pricesSeconds: seconds(0.1, 60),
  balanceSeconds: seconds(0.1, 60),
  /** The name under which numbers are offered: the protocol's prices name no operator. */
  operator: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,59}$/, 'must be 1 to 60 of a-z, 0-9, _ and -')
    .refine((name) => name !== 'any', 'must not be "any", which means all operators')
    .default('mixed'),
  /** The host may be in a private network, without TLS, on any port. */
  privateHost: z.boolean().default(false),
  /** The part of the address of pushes that nobody guesses; undefined: none are taken. */
  intakeKey: z
    .string()
    .regex(/^[\w-]{32,128}$/, 'must be 32 to 128 letters, digits, - or _')
    .optional(),
})

export type ResellSettings = z.output<typeof resellSettings>

/** Throws one error that names every bad field, and never shows a secret's value. */
export function parseResellSettings(code: string, settings: unknown): ResellSettings {
  const parsed = resellSettings.safeParse(settings)
  const faults = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.') || 'settings'}: ${issue.message}`)
  if (parsed.success && !parsed.data.privateHost && !isOutside(parsed.data.url)) {
    faults.push('url: must begin with https:// and name no other port than 443, unless privateHost is true')
  }
  if (parsed.success && parsed.data.intakeKey !== undefined && !dialects[parsed.data.dialect].pushes) {
    faults.push(`intakeKey: a service of the dialect ${parsed.data.dialect} pushes nothing`)
  }
  if (parsed.success && faults.length === 0) return parsed.data
  throw new Error(`The settings of the supplier "${code}" are wrong: ${faults.join('; ')}`)
}

function isOutside(text: string): boolean {
  const { protocol, port } = new URL(text)
  return protocol === 'https:' && port === ''
}
