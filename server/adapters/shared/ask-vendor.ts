import { z } from 'zod'
import { KIBIBYTE, SECOND } from '#contract/time.ts'
import { boundedFetch } from '#server/house/bounded-fetch.ts'
import { isGuarded } from '#server/house/config/kinds.ts'

/** The caller's time-out ends the whole request. */
const LIMITS = { timeoutMs: 9 * SECOND, maxBytes: 512 * KIBIBYTE }

/** `body` is the parsed JSON of a reply with any status, not validated. */
export type VendorAnswer = { status: number; body: unknown }

/**
 * The base URL of a vendor, without a slash at its end. Keys are sent there, so it needs TLS or must be this machine.
 */
export const apiUrl = z
  .url({ protocol: /^https?$/ })
  .superRefine((text, check) => {
    const fault = addressFault(text)
    if (fault !== null) check.addIssue({ code: 'custom', message: fault })
  })
  .transform((text) => text.replace(/\/+$/, ''))

/** Returns why keys must not be sent to this address, or null. Logs repeat addresses, so none may hold a secret. */
export function addressFault(text: string): string | null {
  const { username, password } = URL.parse(text) ?? {}
  if (username || password) return 'holds a name or a password, which belong into settings of their own'
  return isGuarded(text) ? null : 'without TLS on this machine alone'
}

export const isSafe = (text: string): boolean => addressFault(text) === null

/** Throws if no JSON arrives; the call's outcome is then unknown. Never names the address, which may contain an id. */
export async function askVendor(name: string, url: string, init: RequestInit): Promise<VendorAnswer> {
  const response = await boundedFetch(url, init, LIMITS)
  const text = await response.text()
  try {
    return { status: response.status, body: JSON.parse(text) }
  } catch {
    throw new Error(`${name} answered ${response.status} without JSON`)
  }
}

/** Throws an error that names fields differing from the documentation, without their values. */
export function readAnswer<Schema extends z.ZodType>(name: string, schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const places = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`${name} answered otherwise than documented: ${places.join('; ')}`)
}
