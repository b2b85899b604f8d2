import { gunzipSync } from 'node:zlib'
import { KIBIBYTE, MEBIBYTE, SECOND } from '#contract/time.ts'
import { askOutside, OutsideRefused, OutsideUnreached } from '#server/http/outbound/ask-outside.ts'
import { meaningOf } from '../words.ts'
import { createGate, Unsent } from './gate.ts'
import { type Reply, readReply } from './read-reply.ts'

/** `unchanged`: 304 to our `etag`. `price`: what DaisySMS says of a purchase in a header. */
export type Answered = Reply & { etag: string | null; price: unknown; unchanged: boolean }

export type Question = {
  action: string
  parameters?: Record<string, string>
  signal?: AbortSignal
  /** Whose wish it is (gate.ts). Absent: a look, an ending, or what all need. */
  wisher?: string
  mostBytes?: number
  etag?: string | null
}

/** Throws Unsent when nothing was asked; after any other error the outcome is unknown. */
export type Ask = (question: Question) => Promise<Answered>

/** A purchase may take as long as the other asks its own suppliers. */
const LONGEST_CALL_MS = 30 * SECOND
const MOST_BYTES = 512 * KIBIBYTE
export const MOST_PRICE_BYTES = 32 * MEBIBYTE
/** After a 429 without Retry-After. */
const SILENCE_MS = 10 * SECOND
const TOO_MANY = 429
const UNCHANGED = 304
/** Whoever stands before the service answers for it. */
const BROKEN = 500

/** `keyHeader` null: the key goes into the query, as most services want it. */
type Service = {
  url: string
  key: string
  callsPerSecond: number
  privateHost: boolean
  keyHeader: string | null
  note(answered: boolean): void
}

export function createAsk({ url, key, callsPerSecond, privateHost, keyHeader, note }: Service): Ask {
  const gate = createGate(callsPerSecond)
  const privateHosts = privateHost ? [new URL(url).hostname] : []
  return async ({ action, parameters = {}, signal, wisher, mostBytes = MOST_BYTES, etag }) => {
    await gate.pass(wisher)
    const query = new URLSearchParams({ ...(keyHeader === null && { api_key: key }), action, ...parameters })
    const headers: Record<string, string> = {
      ...(keyHeader !== null && { [keyHeader]: key }),
      accept: 'application/json, text/plain, */*',
      'accept-encoding': 'gzip',
      ...(etag != null && { 'if-none-match': etag }),
    }
    const rules = { privateHosts, mostBytes, timeLimitMs: LONGEST_CALL_MS, ...(signal && { signal }) }
    const answer = await askOutside({ method: 'GET', url: `${url}?${query}`, headers }, rules).catch(
      (error: unknown) => {
        note(false)
        const isUnsent = error instanceof OutsideUnreached || error instanceof OutsideRefused
        // The message of another error may name the address, which holds the key.
        throw isUnsent
          ? new Unsent(`${action}: ${error.message}`)
          : new Error(`${action}: no answer (${codeOf(error)})`)
      },
    )
    note(answer.status < BROKEN)
    const body = unpack(answer.body, { packed: answer.headers['content-encoding'] === 'gzip', mostBytes })
    const reply = readReply(answer.status, body)
    if (answer.status === TOO_MANY || (meaningOf(reply.word) === 'limited' && reply.word === 'RATE_LIMIT')) {
      gate.closeFor(silenceOf(answer.headers['retry-after']))
    }
    return {
      ...reply,
      etag: answer.headers.etag ?? null,
      price: answer.headers['x-price'],
      unchanged: answer.status === UNCHANGED,
    }
  }
}

function unpack(body: Buffer, { packed, mostBytes }: { packed: boolean; mostBytes: number }): string {
  if (body.length >= mostBytes) throw new Error(`an answer is longer than ${mostBytes} bytes`)
  return (packed ? gunzipSync(body, { maxOutputLength: mostBytes }) : body).toString('utf8')
}

function silenceOf(retryAfter: string | undefined): number {
  const seconds = Number(retryAfter ?? '')
  return retryAfter !== undefined && Number.isFinite(seconds) && seconds > 0 ? seconds * SECOND : SILENCE_MS
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : 'it broke off, or came too late'
}
