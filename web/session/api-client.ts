import { type Api, CallError, type CallKey, type Calls } from '#contract/calls/calls.ts'
import type { ErrorReply } from '#contract/errors.ts'
import { SECOND } from '#contract/time.ts'
import { type pause, RETRIED_STATUSES, retryDelayMs } from './retry.ts'

const READ_TIMEOUT_MS = 15 * SECOND
/** The time-out is long, because a purchase asks suppliers in turn, each with its own time-out. */
const WRITE_TIMEOUT_MS = 45 * SECOND
/** A 401 of these calls concerns the password or the refresh itself, so no refresh follows. */
const SESSION_CALLS: ReadonlySet<CallKey> = new Set(['POST /api/login', 'POST /api/refresh', 'POST /api/logout'])

/** A provider's redirect is valid once. A repeated call would fail as used and hide the first failure. */
const ONCE_CALLS: ReadonlySet<CallKey> = new Set([
  'GET /api/auth/{service}/callback',
  'GET /api/auth/{service}/link-callback',
])

export type ApiClientOptions = {
  fetch: typeof fetch
  pause: typeof pause
  /** Returns the access token; null if signed out or if only the refresh cookie is left. */
  token(): string | null
  refreshable(): boolean
  /** True if the user is signing out. A 401 then neither causes a refresh nor is shown. */
  leaving(): boolean
  userId(): number | undefined
  locale(): string
  zone: string
  onRefreshed(reply: Calls['POST /api/refresh']['reply']): void
  /** `why` is the server's explanation of why the session ended; undefined without an explanation. */
  onExpired(why: string | undefined): void
  onMessage(message: { type: 'info' | 'error'; text: string }): void
}

/** The errors of refreshes, which also reach the calls that waited for the refresh. */
const ofRefresh = new WeakSet<object>()

/** Returns true if the error came from refreshing the session. Such a failure is not reported (specification 8). */
export function isOfRefresh(error: unknown): boolean {
  return typeof error === 'object' && error !== null && ofRefresh.has(error)
}

export function createApiClient(options: ApiClientOptions): Api {
  let refreshing: Promise<boolean> | null = null

  /** Refreshes the session once for all waiting calls. Resolves to false if the session is over. */
  function refresh(): Promise<boolean> {
    const askedBy = options.userId()
    refreshing ??= send(options, 'POST /api/refresh', {}, {})
      .then(
        (reply) => {
          options.onRefreshed(reply)
          return true
        },
        (error: unknown) => {
          if (!(error instanceof CallError) || error.httpStatus !== 401) throw error
          // The session does not expire if the user is signing out, or if another person has signed in since.
          if (!options.leaving() && options.userId() === askedBy) {
            options.onExpired(error.data.ended === undefined ? undefined : error.message)
          }
          return false
        },
      )
      .catch((error: unknown) => {
        if (error instanceof Error) ofRefresh.add(error)
        throw error
      })
      .finally(() => {
        refreshing = null
      })
    return refreshing
  }

  const api: Api = async (key, input, callOptions = {}) => {
    const ask = () => send(options, key, input, callOptions)
    if (SESSION_CALLS.has(key) || !options.refreshable()) return ask()
    const askedBy = options.userId()
    if (options.token() === null && (options.leaving() || !(await refresh()))) throw sessionOver()
    const [sentBy, sentToken] = [options.userId(), options.token()]
    // If another person has signed in since the press, the call is not made in that person's name.
    if (askedBy !== undefined && askedBy !== sentBy) throw sessionOver()
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof CallError) || error.httpStatus !== 401 || options.leaving()) throw error
      // Another call may have refreshed the token while this call was pending.
      if (options.token() === sentToken && !(await refresh())) throw error
      if (options.userId() !== sentBy) throw error
      return ask()
    }
  }
  return api
}

export function fillPath(path: string, input: object): { path: string; rest: Record<string, unknown> } {
  const rest: Record<string, unknown> = { ...input }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  return { path: filled, rest }
}

/** Returns a URL query without empty and null values, with lists joined by commas. Zero stays (specification 5). */
export function toQuery(input: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) {
    const text = String(value ?? '')
    if (text !== '') query.set(name, text)
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

type CallOptions = NonNullable<Parameters<Api>[2]>

async function send<Key extends CallKey>(
  options: ApiClientOptions,
  key: Key,
  input: Calls[Key]['input'],
  callOptions: CallOptions,
): Promise<Calls[Key]['reply']> {
  const [method = '', template = ''] = key.split(' ')
  const { path, rest } = fillPath(template, input)
  const reads = method === 'GET'
  const repeatable = reads && !ONCE_CALLS.has(key)
  const body = reads || method === 'DELETE' ? undefined : JSON.stringify(rest)
  const url = body === undefined ? path + toQuery(rest) : path
  // Both attempts share one time-out, so a retry does not double the wait.
  const limit = AbortSignal.timeout(reads ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS)
  const ask = () => once(options, url, { method, body, limit, ...callOptions })
  let response = await ask().catch((error: unknown) => {
    if (!repeatable || limit.aborted || isAbort(callOptions.signal)) throw error
    return null
  })
  if (response === null || (repeatable && RETRIED_STATUSES.has(response.status))) {
    await options.pause(retryDelayMs(response), callOptions.signal)
    response = await ask()
  }
  const reply = await readBody(response)
  if (!response.ok) throw toCallError(response.status, reply)
  if (isObject(reply) && typeof reply.message === 'string' && reply.message !== '') {
    options.onMessage({ type: reply.status ? 'info' : 'error', text: reply.message })
  }
  // A reply with a falsy `status` is a refusal, and must not reach the caller as the expected reply.
  if (isObject(reply) && 'status' in reply && !reply.status) throw toCallError(response.status, reply)
  // The cast is safe, because server and browser share the contract's reply type of the call named `key`.
  return reply as Calls[Key]['reply']
}

type Ask = CallOptions & { method: string; body: string | undefined; limit: AbortSignal }

async function once(options: ApiClientOptions, url: string, ask: Ask): Promise<Response> {
  const headers: Record<string, string> = {
    Accept: 'application/json',
    Locale: options.locale(),
    Zone: options.zone,
  }
  const token = options.token()
  if (token !== null) headers.Authorization = `Bearer ${token}`
  if (ask.body !== undefined) headers['Content-Type'] = 'application/json'
  Object.assign(headers, ask.headers)
  if (ask.idempotencyKey !== undefined) headers['Idempotency-Key'] = ask.idempotencyKey
  const signal = ask.signal === undefined ? ask.limit : AbortSignal.any([ask.signal, ask.limit])
  const init: RequestInit = { method: ask.method, headers, credentials: 'include', signal }
  if (ask.body !== undefined) init.body = ask.body
  try {
    return await options.fetch(url, init)
  } catch (error) {
    if (isAbort(ask.signal)) throw error
    throw new CallError({ httpStatus: 0, code: 'NO_REPLY', message: '' })
  }
}

function isAbort(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}

async function readBody(response: Response): Promise<unknown> {
  return parseBody(await response.text().catch(() => ''))
}

/** Parses a reply's body. A body that is not JSON (a proxy's page, a cut connection) counts as no body. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function toCallError(httpStatus: number, body: unknown): CallError {
  if (!isObject(body)) return new CallError({ httpStatus, code: 'SERVER_ERROR', message: '' })
  // The fields are optional, because a proxy's reply may lack all fields of an ErrorReply.
  const { code, message, errors, data } = body as Partial<ErrorReply>
  return new CallError({
    httpStatus,
    code: code ?? 'SERVER_ERROR',
    message: message ?? '',
    ...(errors && { errors }),
    ...(data && { data }),
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function sessionOver(): CallError {
  return new CallError({ httpStatus: 401, code: 'UNAUTHENTICATED', message: '' })
}
