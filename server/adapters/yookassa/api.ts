import { z } from 'zod'
import { KIBIBYTE, SECOND } from '#contract/time.ts'
import { boundedFetch } from '#server/house/bounded-fetch.ts'

/** The limits of one request. The caller's time-out ends all requests. A page of a list has a hundred objects. */
const LIMITS = { timeoutMs: 8 * SECOND, maxBytes: 1024 * KIBIBYTE }
const DESCRIPTION_LENGTH = 200
/** A list is read completely or fails, because half a list would be misleading. */
const PAGE = 100
const MAX_PAGES = 10

const errorSchema = z.object({
  type: z.literal('error'),
  code: z.string().max(100),
  description: z.string().optional(),
  parameter: z.string().max(200).optional(),
})
const listSchema = z.object({ items: z.array(z.unknown()).max(PAGE), next_cursor: z.string().max(500).nullish() })

export type Posted = { outcome: 'made'; object: unknown } | { outcome: 'refused'; reason: string }

/**
 * A client of YooKassa's API v3 (yookassa.ru/developers/using-api). Throws if the outcome is unknown: after no answer,
 * 401, 429, 500 or HTML. No error repeats what was sent.
 */
export type YookassaApi = {
  /** Reads an object, or returns null if the object does not exist. */
  get(path: string, signal: AbortSignal): Promise<unknown>
  list(path: string, query: Record<string, string>, signal: AbortSignal): Promise<unknown[]>
  /** YooKassa remembers the idempotency `key` for a day from its first use. */
  post(path: string, sent: { key: string; body: string }, signal: AbortSignal): Promise<Posted>
}

export function openApi(shop: { api_url: string; shop_id: string; secret_key: string }): YookassaApi {
  const authorization = `Basic ${Buffer.from(`${shop.shop_id}:${shop.secret_key}`).toString('base64')}`
  const ask = async (path: string, init: RequestInit) => {
    const headers = { authorization, accept: 'application/json', ...init.headers }
    const response = await boundedFetch(`${shop.api_url}${path}`, { ...init, headers }, LIMITS)
    return { status: response.status, body: parse(await response.text()) }
  }
  const get: YookassaApi['get'] = async (path, signal) => {
    const answer = await ask(path, { signal })
    if (answer.status === 200 && answer.body !== undefined) return answer.body
    if (answer.status === 404 && errorIn(answer) !== null) return null
    throw unknownOutcome(answer)
  }
  return {
    get,
    async list(path, query, signal) {
      const items: unknown[] = []
      let cursor: string | null = null
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const asked = new URLSearchParams({ ...query, limit: String(PAGE), ...(cursor !== null && { cursor }) })
        const list = listSchema.parse(await get(`${path}?${asked}`, signal))
        items.push(...list.items)
        cursor = list.next_cursor ?? null
        if (cursor === null) return items
      }
      throw new Error(`YooKassa has more than ${MAX_PAGES * PAGE} of ${path}`)
    },
    async post(path, { key, body }, signal) {
      const headers = { 'content-type': 'application/json', 'idempotence-key': key }
      const answer = await ask(path, { method: 'POST', headers, body, signal })
      if (answer.status === 200 && answer.body !== undefined) return { outcome: 'made', object: answer.body }
      const error = errorIn(answer)
      if (error === null || !isRefusal(answer.status)) throw unknownOutcome(answer)
      const { code, parameter = '', description = '' } = error
      const reason = [code, parameter, description.slice(0, DESCRIPTION_LENGTH)].filter((part) => part !== '')
      return { outcome: 'refused', reason: reason.join(' ') }
    },
  }
}

/** Returns true for a refusal. Staff must correct a wrong API key, and a 429 is retried, so neither counts as one. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 429
}

function errorIn({ body }: { body: unknown }): z.output<typeof errorSchema> | null {
  return errorSchema.safeParse(body).data ?? null
}

function unknownOutcome(answer: { status: number; body: unknown }): Error {
  return new Error(`YooKassa answered ${answer.status} ${errorIn(answer)?.code ?? 'and no object'}`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
