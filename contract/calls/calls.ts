import type { z } from 'zod'
import type { User } from '#contract/user.ts'
import type { areas } from './areas.ts'

type Areas = typeof areas
type Declared = { [Area in keyof Areas]: Areas[Area][keyof Areas[Area]] }[keyof Areas]

/** Server and client share this type, so that they cannot differ about a call. */
export type Calls = {
  [Call in Declared as Call['key']]: { input: z.input<Call['input']>; reply: z.output<Call['reply']> }
} & {
  'POST /broadcasting/auth': { input: { socket_id: string; channel_name: string }; reply: { auth: string } }
}
export type CallKey = keyof Calls

/** CallError has the code `NO_REPLY` if the server sent no reply. */
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

/** Pages load data only through an Api function, which calls routes in process on the server and by fetch elsewhere. */
export type Api = <Key extends CallKey>(
  key: Key,
  input: Calls[Key]['input'],
  options?: {
    signal?: AbortSignal
    idempotencyKey?: string
    headers?: Record<string, string>
  },
) => Promise<Calls[Key]['reply']>

export type PageSession = {
  status: 'authenticated' | 'unauthenticated'
  /**
   * The access token; null if signed out. A page request with only a refresh token must call POST /api/refresh first.
   */
  token: string | null
  user: User | null
}
