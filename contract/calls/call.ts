import { z } from 'zod'
import type { KeyScope } from '#contract/api-key.ts'
import { wholeNumber } from '#contract/formats/whole-number.ts'
import { STAFF_ROLES, type StaffRole } from '#contract/staff/staff-constants.ts'

/**
 * A call of our API is declared once. Its route, its types in `Calls` and the OpenAPI document come from this object.
 */
export type DeclaredCall = {
  /** The method and path of the call. `contract/words/calls-en.json` describes the call under this key. */
  key: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`
  who: Who
  input: z.ZodType
  reply: z.ZodType
  status?: 201
  /** The content type, if the reply is a file instead of JSON. */
  contentType?: string
  /** True if the call accepts the header Idempotency-Key. */
  onceByKey?: true
}
export type DeclaredCalls = Readonly<Record<string, DeclaredCall>>

export type Who = {
  /** The server looks up no session or API key for `none`, and replies to every caller as to a visitor. */
  auth: 'required' | 'optional' | 'none'
  /**
   * The scope that an API key needs. API keys are refused if it is `session`, or if it is missing and `auth` is
   * `required`.
   */
  scope?: KeyScope | 'session'
  /** True if a sandbox key may make the call, because the call touches only data of the key's sandbox account. */
  sandbox?: true
  /** True if the call admits blocked people. If not, optional sign-in makes them visitors. */
  admitsBlocked?: true
  /** Only staff with these roles may make the call. Everybody else gets 404. */
  staff?: readonly StaffRole[]
}

export const STRANGER = { auth: 'none' } as const satisfies Who
export const ANYBODY = { auth: 'optional' } as const satisfies Who
export const SESSION = { auth: 'required', scope: 'session' } as const satisfies Who
export const BLOCKED_TOO = { ...SESSION, admitsBlocked: true } as const satisfies Who
/** Sandbox keys may make calls declared with READER or BUYER, but not those with REAL_READER or REAL_BUYER. */
export const READER = { auth: 'required', scope: 'read', sandbox: true } as const satisfies Who
export const BUYER = { auth: 'required', scope: 'buy', sandbox: true } as const satisfies Who
export const REAL_READER = { auth: 'required', scope: 'read' } as const satisfies Who
export const REAL_BUYER = { auth: 'required', scope: 'buy' } as const satisfies Who
export const TREASURER = { auth: 'required', scope: 'money' } as const satisfies Who
export const STAFF = { ...SESSION, staff: STAFF_ROLES } as const satisfies Who
export const OPERATOR = { ...SESSION, staff: ['operator'] } as const satisfies Who

export const nothing = z.object({})
export const byId = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })
