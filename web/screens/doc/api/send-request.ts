import { CallError } from '#contract/calls/calls.ts'
import { SECOND } from '#contract/time.ts'

/** A purchase asks suppliers in turn, and `wait` holds a call for half a minute. */
const TIMEOUT_MS = 60 * SECOND

export type TriedRequest = {
  method: string
  /** Path and query. A key never stands in it. */
  address: string
  body: object | null
  /** Empty: none is sent. */
  key: string
  locale: string
  idempotencyKey: string | null
}

export type TriedAnswer = { status: number; ok: boolean; retryAfter: string | null; text: string }

/** As a program makes it: without the cookies of this browser. Rejects with CallError when no answer came. */
export async function sendRequest({ body, ...request }: TriedRequest): Promise<TriedAnswer> {
  const headers: Record<string, string> = { Accept: 'application/json', Locale: request.locale }
  if (request.key !== '') headers.Authorization = `Bearer ${request.key}`
  if (request.idempotencyKey !== null) headers['Idempotency-Key'] = request.idempotencyKey
  if (body !== null) headers['Content-Type'] = 'application/json'
  try {
    const response = await fetch(request.address, {
      method: request.method,
      headers,
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== null && { body: JSON.stringify(body) }),
    })
    const { status, ok } = response
    return { status, ok, retryAfter: response.headers.get('retry-after'), text: tidy(await response.text()) }
  } catch {
    throw new CallError({ httpStatus: 0, code: 'NO_REPLY', message: '' })
  }
}

/** JSON on many lines; anything else stays as it is. */
function tidy(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
