/**
 * Every call the page makes, by method and path: what goes in, what comes out. The server registers the same keys, so a
 * call cannot drift apart from its client. `{name}` in a path is filled from the input.
 */
import type { AccountCalls } from './account-calls.ts'
import type { ActivationReply, ActiveNumbers, PurchaseInput } from './activation.ts'
import type {
  CountriesFilter,
  CountriesReply,
  PriceFilter,
  PriceReply,
  ServicesFilter,
  ServicesReply,
} from './catalog.ts'
import type { SiteSettings, User } from './user.ts'

export type ActiveNumbersFilter = {
  search?: string
  page?: number
  per_page?: number
  services_ids?: string[]
  countries_ids?: number[]
  sort?: 'newest' | 'oldest' | 'expiring'
}

type ById = { id: number }
export type Calls = AccountCalls & {
  'GET /api/content/settings': { input: object; reply: SiteSettings }
  'GET /api/user': { input: object; reply: User }
  'GET /api/services': { input: ServicesFilter; reply: ServicesReply }
  'GET /api/countries': { input: CountriesFilter; reply: CountriesReply }
  'GET /api/price': { input: PriceFilter; reply: PriceReply }
  'GET /api/user/active-numbers': { input: ActiveNumbersFilter; reply: ActiveNumbers }
  'POST /api/activation/add-to-favorite': {
    input: { id: string | number; type: 'service' | 'country' }
    reply: { status: true; favorites: number }
  }
  'DELETE /api/activation/remove-from-favorite/{type}/{id}': {
    input: { id: string | number; type: 'service' | 'country' }
    reply: { status: true; favorites: number }
  }
  'POST /api/v1/activations': { input: PurchaseInput; reply: ActivationReply }
  'GET /api/v1/activations/{id}': { input: ById; reply: ActivationReply }
  'POST /api/v1/activations/{id}/cancel': { input: ById; reply: ActivationReply }
  'POST /api/v1/activations/{id}/again': { input: ById; reply: ActivationReply }
  'POST /api/v1/activations/{id}/finish': { input: ById; reply: ActivationReply }
  'POST /api/v1/activations/{id}/used': { input: ById; reply: ActivationReply }
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
