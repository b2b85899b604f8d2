import { z } from 'zod'
import { KIBIBYTE, SECOND } from '#contract/time.ts'
import { boundedFetch } from '#server/house/bounded-fetch.ts'
import { isGuarded } from '#server/house/config/kinds.ts'

/** The limits of one request to a vendor. The time-out of the caller ends the whole request. */
const LIMITS = { timeoutMs: 9 * SECOND, maxBytes: 512 * KIBIBYTE }

export type VendorAnswer = { status: number; body: unknown }

/** A vendor's base URL without a final slash. It must use TLS or be this machine, because keys are sent there. */
export const apiUrl = z
  .url({ protocol: /^https?$/ })
  .superRefine((text, check) => {
    const fault = addressFault(text)
    if (fault !== null) check.addIssue({ code: 'custom', message: fault })
  })
  .transform((text) => text.replace(/\/+$/, ''))

/**
 * Returns why keys must not be sent to a URL, or null. A URL with a user name or password is refused, as logs show it.
 */
export function addressFault(text: string): string | null {
  const { username, password } = URL.parse(text) ?? {}
  if (username || password) return 'holds a name or a password, which belong into settings of their own'
  return isGuarded(text) ? null : 'without TLS on this machine alone'
}

export const isSafe = (text: string): boolean => addressFault(text) === null

/**
 * Sends a request to a vendor. Throws if the reply is no JSON, and the outcome is then unknown. The error never names
 * the URL, which may contain an id.
 */
export async function askVendor(name: string, url: string, init: RequestInit): Promise<VendorAnswer> {
  const response = await boundedFetch(url, init, LIMITS)
  const text = await response.text()
  try {
    return { status: response.status, body: JSON.parse(text) }
  } catch {
    throw new Error(`${name} answered ${response.status} without JSON`)
  }
}

/** Validates a reply. Throws an error that names the fields that differ from the documentation, but no values. */
export function readAnswer<Schema extends z.ZodType>(name: string, schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const places = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`${name} answered otherwise than documented: ${places.join('; ')}`)
}
