import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { SANDBOX_HEADER } from '#contract/formats/play-money.ts'
import { KIBIBYTE, MEBIBYTE, SECOND } from '#contract/time.ts'
import { askOutside, OutsideRefused, OutsideUnreached } from '#server/house/http/outbound/ask-outside.ts'
import { type Throttle, Unsent } from './throttle.ts'

export type Got = { status: number; headers: IncomingHttpHeaders; text: string }

/** `what` names the API call in errors, because the URL may contain the API key. */
export type Wish = {
  what: string
  url: string
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** The buyer who caused the request (throttle.ts). Polls, ends of numbers and shared lists have none. */
  wisher?: string | undefined
  mostBytes?: number | undefined
  etag?: string | null | undefined
}

type Way = { throttle: Throttle; privateHost: boolean; note(answered: boolean, why?: string): void }

/** The longest time for one request. A purchase may take as long as the supplier asks its own suppliers. */
const LONGEST_CALL_MS = 30 * SECOND
const MOST_BYTES = 512 * KIBIBYTE
export const MOST_LIST_BYTES = 8 * MEBIBYTE
export const MOST_LOOK_BYTES = 16 * MEBIBYTE
export const MOST_PRICE_BYTES = 16 * MEBIBYTE
const SILENCE_MS = 10 * SECOND
export const TOO_MANY = 429
export const UNCHANGED = 304
/** The lowest status that a proxy in front of the supplier may have sent itself. */
const BROKEN = 500

const unzip = promisify(gunzip)

/** Sends a GET to a supplier. Throws Unsent when no request was sent. After any other error the outcome is unknown. */
export async function getOutside(wish: Wish, { throttle, privateHost, note }: Way): Promise<Got> {
  const { what, url, signal, wisher, mostBytes = MOST_BYTES, etag } = wish
  await throttle.pass(wisher)
  const headers: Record<string, string> = {
    ...wish.headers,
    'accept-encoding': 'gzip',
    ...(etag != null && { 'if-none-match': etag }),
  }
  const privateHosts = privateHost ? [new URL(url).hostname] : []
  const rules = { privateHosts, mostBytes, timeLimitMs: LONGEST_CALL_MS, ...(signal && { signal }) }
  const answer = await askOutside({ method: 'GET', url, headers }, rules).catch((error: unknown) => {
    const isUnsent = error instanceof OutsideUnreached || error instanceof OutsideRefused
    // The text of an unexpected error may contain the URL, which may hold the API key.
    const why = isUnsent ? `${what}: ${error.message}` : `${what}: no answer (${codeOf(error)})`
    note(false, why)
    throw isUnsent ? new Unsent(why) : new Error(why)
  })
  if (answer.status < BROKEN) note(true)
  else note(false, `${what}: status ${answer.status}`)
  // Our key belongs to another installation's sandbox, so nonexistent numbers would be sold for real money.
  if (answer.headers[SANDBOX_HEADER] === 'true') throw new Error(`${what}: our key there is for play money alone`)
  const text = await unpack(answer.body, { packed: answer.headers['content-encoding'] === 'gzip', mostBytes })
  return { status: answer.status, headers: answer.headers, text }
}

async function unpack(body: Buffer, { packed, mostBytes }: { packed: boolean; mostBytes: number }): Promise<string> {
  if (body.length >= mostBytes) throw new Error(`an answer is longer than ${mostBytes} bytes`)
  return (packed ? await unzip(body, { maxOutputLength: mostBytes }) : body).toString('utf8')
}

export function silenceOf(retryAfter: string | undefined): number {
  const seconds = Number(retryAfter ?? '')
  return retryAfter !== undefined && Number.isFinite(seconds) && seconds > 0 ? seconds * SECOND : SILENCE_MS
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : 'it broke off, or came too late'
}
