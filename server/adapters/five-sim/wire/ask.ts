import { getOutside, silenceOf, TOO_MANY, UNCHANGED } from '#server/adapters/shared/resold/wire/get-outside.ts'
import { parseJson } from '#server/adapters/shared/resold/wire/parse-json.ts'
import { createThrottle } from '#server/adapters/shared/resold/wire/throttle.ts'
import type { Context } from '#server/house/context.ts'
import { runYielding } from '#server/house/jobs/run-yielding.ts'

/** `text` is the body of a reply that is not JSON. */
export type Answered = {
  status: number
  json: unknown
  text: string
  body: string
  etag: string | null
  unchanged: boolean
}

export type Question = {
  path: readonly string[]
  query?: Record<string, string>
  /** True for a public call, to which the API key is not sent. */
  guest?: boolean
  signal?: AbortSignal
  /** The buyer who caused the request (throttle.ts). Polls, ends of numbers and shared lists have none. */
  wisher?: string
  mostBytes?: number
  etag?: string | null
}

/** Sends a request. Throws Unsent when no request was sent. After any other error the outcome is unknown. */
export type Ask = (question: Question) => Promise<Answered>

type Service = {
  /** The supplier's code. */
  code: string
  url: string
  key: string
  callsPerSecond: number
  privateHost: boolean
  note(answered: boolean): void
}

/** 5sim answers 503 when our IP address sends too many requests. */
const UNAVAILABLE = 503

export function createAsk(ctx: Context, { code, url, key, callsPerSecond, privateHost, note }: Service): Ask {
  const throttle = createThrottle(ctx, { callsPerSecond, supplier: code })
  const base = url.replace(/\/+$/, '')
  return async ({ path, query = {}, guest = false, signal, wisher, mostBytes, etag }) => {
    const search = new URLSearchParams(query).toString()
    const address = `${base}/${path.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`
    const headers = { accept: 'application/json', ...(!guest && { authorization: `Bearer ${key}` }) }
    const wish = { what: path.slice(0, 2).join('/'), url: address, headers, signal, wisher, mostBytes, etag }
    const { status, headers: said, text: body } = await getOutside(wish, { throttle, privateHost, note })
    if (status === TOO_MANY || status === UNAVAILABLE) await throttle.closeFor(silenceOf(said['retry-after']))
    const json = await parse(body)
    const text = json === undefined ? body.trim() : typeof json === 'string' ? json : ''
    return { status, json, text, body, etag: said.etag ?? null, unchanged: status === UNCHANGED }
  }
}

async function parse(body: string): Promise<unknown> {
  try {
    return await runYielding(parseJson(body))
  } catch {
    return undefined
  }
}
