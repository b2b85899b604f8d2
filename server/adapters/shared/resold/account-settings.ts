import { z } from 'zod'
import { faultsOf } from '#server/adapters/shared/settings-faults.ts'

const LONGEST_URL = 500
const seconds = (least: number, fallback: number) => z.number().min(least).max(3_600).default(fallback)

export const fieldsOfAccount = {
  url: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://host/path' })
    .max(LONGEST_URL)
    .refine((text) => !/[?#@]/.test(text), 'must hold no query, fragment, name or password: the key is a setting'),
  callsPerSecond: z.number().min(0.1).max(100).default(5),
  pricesSeconds: seconds(0.1, 60),
  balanceSeconds: seconds(0.1, 60),
  /** The operator name for numbers whose mobile operator we do not choose. */
  operator: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,59}$/, 'must be 1 to 60 of a-z, 0-9, _ and -')
    .refine((name) => name !== 'any', 'must not be "any", which means all operators')
    .default('mixed'),
  /** If true, the supplier's host may be in a private network, without TLS, on any port. */
  privateHost: z.boolean().default(false),
}

type Read<Settings> = { success: true; data: Settings; faults?: string[] } | { success: false; error: z.ZodError }

/** Reads the settings. Throws one error that names every bad field and never shows a secret. */
export function readAccountSettings<Settings extends { url: string; privateHost: boolean }>(
  code: string,
  settings: unknown,
  read: (settings: unknown) => Read<Settings>,
): Settings {
  const parsed = read(settings)
  const faults = parsed.success ? [...(parsed.faults ?? [])] : faultsOf(parsed.error)
  if (parsed.success && !parsed.data.privateHost && !isOutside(parsed.data.url)) {
    faults.push('url: must begin with https:// and name no other port than 443, unless privateHost is true')
  }
  if (parsed.success && faults.length === 0) return parsed.data
  throw new Error(`The settings of the supplier "${code}" are wrong: ${faults.join('; ')}`)
}

function isOutside(text: string): boolean {
  const { protocol, port } = new URL(text)
  return protocol === 'https:' && port === ''
}
