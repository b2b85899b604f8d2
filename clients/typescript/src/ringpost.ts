import { type Activation, Api, HttpClient } from './api.ts'

export type * from './api.ts'

export type RingpostOptions = {
  /** The base address of the service, for example `https://your.host`. */
  site: string
  /** An API key, created on the page /settings/api. */
  key: string
  /** The language of the messages in refusals. */
  locale?: 'en' | 'ru'
  /**
   * The maximum number of attempts for one call. A call is retried if its answer was lost or if it was refused as too
   * early.
   */
  attempts?: number
  /** The time-out of one attempt, in ms. A call that waits for a code takes up to 30 s. */
  timeoutMs?: number
  fetch?: typeof fetch
}

/** The error of a call that the server refused. Branch on `code`, because `message` is written for people. */
export class RingpostError extends Error {
  override name = 'RingpostError'
  readonly code: string
  readonly status: number
  readonly errors: Record<string, string[]>
  readonly data: Record<string, unknown>
  constructor(status: number, refusal: Refusal) {
    super(refusal.message ?? `HTTP ${status}`)
    this.status = status
    this.code = refusal.code ?? 'NO_REPLY'
    this.errors = refusal.errors ?? {}
    this.data = refusal.data ?? {}
  }
}

type Refusal = {
  code?: string
  message?: string
  errors?: Record<string, string[]>
  data?: Record<string, unknown>
}

const SECOND = 1_000
const LONGEST_WAIT_SECONDS = 30
/**
 * The longest pause that the client waits before a retry. If the server demands a longer pause, the refusal is thrown
 * at once, because the caller knows better what to do meanwhile.
 */
const LONGEST_PAUSE_MS = 30 * SECOND

/**
 * Builds a client for all calls that an API key can make, grouped by resource: `ringpost.activations.create({
 * service_id: 'tg', country_id: 2 })`. Each POST gets its own idempotency key, so a call whose answer was lost is
 * retried and never buys twice. Throws RingpostError, or the last error of `fetch` once all attempts are used up.
 */
export function createRingpost(options: RingpostOptions): Api<unknown> {
  const { site, key, locale = 'en' } = options
  return new Api(
    new HttpClient({
      baseUrl: site.replace(/\/+$/, ''),
      baseApiParams: { headers: { authorization: `Bearer ${key}`, locale, accept: 'application/json' } },
      customFetch: (input, init) => callWithCare(options, input, init ?? {}),
    }),
  )
}

/**
 * Waits for a code. Returns the activation without a code if none came within `timeoutMs`. Throws RingpostError with
 * status 404.
 */
export async function waitForCode(
  ringpost: Api<unknown>,
  { id, timeoutMs = 20 * 60 * SECOND, signal }: { id: number; timeoutMs?: number; signal?: AbortSignal },
): Promise<Activation> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const left = Math.max(0, Math.ceil((until - Date.now()) / SECOND))
    const wait = Math.min(left, LONGEST_WAIT_SECONDS)
    const { data } = await ringpost.activations.getById({ id, wait }, signal === undefined ? {} : { signal })
    if (wait === 0 || !['reserving', 'waiting', 'waiting_again'].includes(data.state)) return data
  }
}

async function callWithCare(
  { attempts = 4, timeoutMs = 45 * SECOND, fetch: send = fetch }: RingpostOptions,
  input: Parameters<typeof fetch>[0],
  init: RequestInit,
): Promise<Response> {
  const headers = new Headers(init.headers)
  if (init.method === 'POST' && !headers.has('idempotency-key')) headers.set('idempotency-key', crypto.randomUUID())
  for (let attempt = 1; ; attempt += 1) {
    const limit = AbortSignal.timeout(timeoutMs)
    const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit
    const answer = await send(input, { ...init, headers, signal }).catch((error: unknown) => {
      if (attempt >= attempts || init.signal?.aborted === true) throw error
      return null
    })
    if (answer?.ok === true) return answer
    const pauseMs = pauseBefore(answer, attempt)
    if (answer !== null && (pauseMs === null || attempt >= attempts)) throw await refusalOf(answer)
    await answer?.body?.cancel()
    await pause(pauseMs ?? 0, init.signal ?? undefined)
  }
}

/** Returns the pause before the next attempt in milliseconds, or null if a retry would not help. */
function pauseBefore(answer: Response | null, attempt: number): number | null {
  const growing = Math.min(LONGEST_PAUSE_MS, SECOND * 2 ** (attempt - 1))
  if (answer === null) return growing
  if (answer.status !== 429 && answer.status < 500) return null
  const told = Number(answer.headers.get('retry-after') ?? Number.NaN) * SECOND
  if (!Number.isFinite(told)) return growing
  return told > LONGEST_PAUSE_MS ? null : told
}

async function refusalOf(answer: Response): Promise<RingpostError> {
  const body: unknown = await answer.json().catch(() => null)
  return new RingpostError(answer.status, typeof body === 'object' && body !== null ? body : {})
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
