import { getOutside, silenceOf, TOO_MANY, UNCHANGED } from '#server/adapters/shared/resold/wire/get-outside.ts'
import { createThrottle } from '#server/adapters/shared/resold/wire/throttle.ts'
import type { Context } from '#server/house/context.ts'
import { type Reply, readReply } from './read-reply.ts'

/** `unchanged` means a 304 to our `etag`. `price` of a purchase comes from a header of DaisySMS. */
export type Answered = Reply & { etag: string | null; price: unknown; unchanged: boolean }

export type Question = {
  action: string
  parameters?: Record<string, string>
  signal?: AbortSignal
  /** The buyer who caused the request (throttle.ts). Polls, ends of numbers and shared lists have none. */
  wisher?: string
  mostBytes?: number
  etag?: string | null
}

/** Sends a request. Throws Unsent when no request was sent. After any other error the outcome is unknown. */
export type Ask = (question: Question) => Promise<Answered>

/** If `keyHeader` is null, the API key goes into the query, as most services want it. */
type Service = {
  /** The supplier's code. */
  code: string
  url: string
  key: string
  callsPerSecond: number
  privateHost: boolean
  keyHeader: string | null
  note(answered: boolean): void
}

export function createAsk(ctx: Context, service: Service): Ask {
  const { code, url, key, callsPerSecond, privateHost, keyHeader, note } = service
  const throttle = createThrottle(ctx, { callsPerSecond, supplier: code })
  return async ({ action, parameters = {}, signal, wisher, mostBytes, etag }) => {
    const query = new URLSearchParams({ ...(keyHeader === null && { api_key: key }), action, ...parameters })
    const headers = { ...(keyHeader !== null && { [keyHeader]: key }), accept: 'application/json, text/plain, */*' }
    const wish = { what: action, url: `${url}?${query}`, headers, signal, wisher, mostBytes, etag }
    const got = await getOutside(wish, { throttle, privateHost, note })
    const reply = await readReply(got.status, got.text)
    if (got.status === TOO_MANY || reply.word === 'RATE_LIMIT') {
      await throttle.closeFor(silenceOf(got.headers['retry-after']))
    }
    return {
      ...reply,
      etag: got.headers.etag ?? null,
      price: got.headers['x-price'],
      unchanged: got.status === UNCHANGED,
    }
  }
}
