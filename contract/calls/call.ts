import { z } from 'zod'
import type { KeyScope } from '#contract/api-key.ts'
import { wholeNumber } from '#contract/formats/whole-number.ts'
import { STAFF_ROLES, type StaffRole } from '#contract/staff/staff-constants.ts'

/** A call of our own API, declared once. Its route, its types in `Calls` and the OpenAPI document are made of this. */
export type DeclaredCall = {
  /** Method and path. `contract/words/calls-en.json` says under this key what the call does. */
  key: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`
  who: Who
  input: z.ZodType
  reply: z.ZodType
  /** Of a success; 200 without it. */
  status?: 201
  /** Of a reply that is a file. */
  contentType?: string
  /** It takes an Idempotency-Key. */
  onceByKey?: true
}
export type DeclaredCalls = Readonly<Record<string, DeclaredCall>>

export type Who = {
  /** `none`: nobody is looked up, and everybody is answered as a stranger. */
  auth: 'required' | 'optional' | 'none'
  /** What an API key needs; `session`: no key may. Without it keys are refused where an account is required. */
  scope?: KeyScope | 'session'
  /** A key with play money may make it too: all of it is its shadow's own. */
  sandbox?: true
  /** Blocked people may make it too. For calls with optional sign-in they are visitors. */
  admitsBlocked?: true
  /** For everybody but staff of these roles there is no such call. */
  staff?: readonly StaffRole[]
}

export const STRANGER = { auth: 'none' } as const satisfies Who
export const ANYBODY = { auth: 'optional' } as const satisfies Who
export const SESSION = { auth: 'required', scope: 'session' } as const satisfies Who
export const BLOCKED_TOO = { ...SESSION, admitsBlocked: true } as const satisfies Who
/** With play money too, but for `REAL_`. */
export const READER = { auth: 'required', scope: 'read', sandbox: true } as const satisfies Who
export const BUYER = { auth: 'required', scope: 'buy', sandbox: true } as const satisfies Who
export const REAL_READER = { auth: 'required', scope: 'read' } as const satisfies Who
export const REAL_BUYER = { auth: 'required', scope: 'buy' } as const satisfies Who
/** Moves money in and out of the account. */
export const TREASURER = { auth: 'required', scope: 'money' } as const satisfies Who
export const STAFF = { ...SESSION, staff: STAFF_ROLES } as const satisfies Who
export const OPERATOR = { ...SESSION, staff: ['operator'] } as const satisfies Who

export const nothing = z.object({})
export const byId = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })
