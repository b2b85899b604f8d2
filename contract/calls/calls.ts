/**
 * Every call the page makes, by method and path: what goes in, what comes out. The server registers the same keys, so a
 * call cannot drift apart from its client. `{name}` in a path is filled from the input.
 */

import type { ContentCalls } from '#contract/content.ts'
import type { SiteSettings, User } from '#contract/user.ts'
import type { AccountCalls } from './account-calls.ts'
import type { BuyingCalls } from './buying-calls.ts'

export type Calls = AccountCalls &
  BuyingCalls &
  ContentCalls & {
    'GET /api/content/settings': { input: object; reply: SiteSettings }
    'GET /api/user': { input: object; reply: User }
    'POST /broadcasting/auth': { input: { socket_id: string; channel_name: string }; reply: { auth: string } }
  }
export type CallKey = keyof Calls

/** A call that failed: what the server said, or code `NO_REPLY` when nothing came. */
export class CallError extends Error {
  override name = 'CallError'
  readonly httpStatus: number
  readonly code: string
  readonly errors: Record<string, string[]>
  readonly data: Record<string, unknown>
  constructor(input: {
    httpStatus: number
    code: string
    message: string
    errors?: Record<string, string[]>
    data?: Record<string, unknown>
  }) {
    super(input.message)
    this.httpStatus = input.httpStatus
    this.code = input.code
    this.errors = input.errors ?? {}
    this.data = input.data ?? {}
  }
}

/** The one way pages reach data: in-process on the server, fetch with bearer, Locale and Zone in the browser. */
export type Api = <Key extends CallKey>(
  key: Key,
  input: Calls[Key]['input'],
  options?: {
    signal?: AbortSignal
    idempotencyKey?: string /** Besides those every call has. */
    headers?: Record<string, string>
  },
) => Promise<Calls[Key]['reply']>

/** What a page is rendered from, and what the browser hydrates with. */
export type PageSession = {
  status: 'authenticated' | 'unauthenticated'
  /** The bearer token; null when signed out, or when only the refresh token is still good: then POST /api/refresh first. */
  token: string | null
  user: User | null
}
