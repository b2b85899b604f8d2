import { CallError } from '#contract/calls/calls.ts'
import { SECOND } from '#contract/time.ts'
import { parseBody, toCallError } from '#web/session/api-client.ts'

/** The time-out is long, because a purchase asks suppliers in turn, and `wait` delays a reply by half a minute. */
const TIMEOUT_MS = 60 * SECOND

export type TriedRequest = {
  method: string
  /** The path and query, which never contain an API key. */
  address: string
  body: object | null
  key: string
  locale: string
  idempotencyKey: string | null
}

export type TriedAnswer = { status: number; ok: boolean; retryAfter: string | null; text: string }

/** A refused request. Its error code tells `usePaidCall` whether the outcome is known. */
export class TriedRefusal extends CallError {
  readonly answer: TriedAnswer
  constructor(answer: TriedAnswer) {
    super(toCallError(answer.status, parseBody(answer.text)))
    this.answer = answer
  }
}

/** Sends a request like a program, without cookies. Rejects with TriedRefusal, or with CallError without a reply. */
export async function sendRequest({ body, ...request }: TriedRequest): Promise<TriedAnswer> {
  const headers: Record<string, string> = { Accept: 'application/json', Locale: request.locale }
  if (request.key !== '') headers.Authorization = `Bearer ${request.key}`
  if (request.idempotencyKey !== null) headers['Idempotency-Key'] = request.idempotencyKey
  if (body !== null) headers['Content-Type'] = 'application/json'
  const init: RequestInit = {
    method: request.method,
    headers,
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body !== null && { body: JSON.stringify(body) }),
  }
  const answer = await ask(request.address, init).catch(() => {
    throw new CallError({ httpStatus: 0, code: 'NO_REPLY', message: '' })
  })
  if (!answer.ok) throw new TriedRefusal(answer)
  return answer
}

async function ask(address: string, init: RequestInit): Promise<TriedAnswer> {
  const response = await fetch(address, init)
  const { status, ok, headers } = response
  return { status, ok, retryAfter: headers.get('retry-after'), text: tidy(await response.text()) }
}

function tidy(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
