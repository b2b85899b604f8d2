import { expect } from 'vitest'
import { z } from 'zod'
import type { CallKey, Calls } from '#contract/calls/calls.ts'
import type { ErrorReply } from '#contract/errors.ts'
import { calls } from '#server/programs/app.ts'
import type { TestApp } from './harness.ts'

export type CallOptions = { token?: string; locale?: 'ru' | 'en'; idempotencyKey?: string; headers?: HeadersInit }
export type Refusal = { status: number; body: ErrorReply; retryAfter: string | null }

const errorReplySchema = z.strictObject({
  status: z.literal(false),
  code: z.string(),
  message: z.string().min(1),
  errors: z.record(z.string(), z.array(z.string().min(1)).min(1)).optional(),
  data: z.record(z.string(), z.unknown()).optional(),
})

/** Makes an API call that must succeed, and returns its reply, which must match its schema exactly. */
export async function call<Key extends CallKey>(
  t: TestApp,
  key: Key,
  input: Calls[Key]['input'],
  options: CallOptions = {},
): Promise<Calls[Key]['reply']> {
  const { response, body } = await send(t, key, input, options)
  const known = calls.find((one) => one.key === key)
  expect({ status: response.status, body }).toEqual({ status: known?.status ?? 200, body: expect.anything() })
  // Replies of calls with `prepare` are cached by their own cache-control header. All others must forbid caching.
  if (known?.prepare === undefined) expect(response.headers.get('cache-control')).toBe('no-store')
  // A schema strips unknown fields, so the parsed reply must equal the original.
  if (known !== undefined) expect(known.reply.parse(body)).toEqual(body)
  return body as Calls[Key]['reply']
}

/** Makes an API call that must be refused, with a body in the common error format. */
export async function refused<Key extends CallKey>(
  t: TestApp,
  key: Key,
  // The type is loose, because refused input often has a wrong shape on purpose.
  input: object,
  options: CallOptions = {},
): Promise<Refusal> {
  const { response, body } = await send(t, key, input, options)
  expect(response.status, JSON.stringify(body)).toBeGreaterThanOrEqual(400)
  return toRefusal(response, body)
}

export function toRefusal(response: Response, body: unknown): Refusal {
  expect(response.headers.get('cache-control')).toBe('no-store')
  return {
    status: response.status,
    body: errorReplySchema.parse(body) as ErrorReply,
    retryAfter: response.headers.get('retry-after'),
  }
}

/** Returns a value as text for a path or a query. Half of a surrogate pair is replaced, because it cannot be sent. */
export function asText(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed()
}

/** Makes an API call as the page does: input fills the path, then the query or the body. */
export async function send(t: TestApp, key: string, input: object, options: CallOptions = {}) {
  const [method = '', template = ''] = key.split(' ')
  const rest = new Map(Object.entries(input))
  const path = template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return encodeURIComponent(asText(value))
  })
  const headers = new Headers({ accept: 'application/json', ...options.headers })
  if (options.locale !== undefined) headers.set('locale', options.locale)
  if (options.idempotencyKey !== undefined) headers.set('idempotency-key', options.idempotencyKey)
  const init: RequestInit & { token?: string } = { method, headers }
  if (options.token !== undefined) init.token = options.token
  let query = ''
  if (method === 'GET') {
    const pairs = [...rest].map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(asText).join(',') : asText(value),
    ])
    if (pairs.length > 0) query = `?${new URLSearchParams(pairs)}`
  } else if (method !== 'DELETE') {
    headers.set('content-type', 'application/json')
    init.body = JSON.stringify(Object.fromEntries(rest))
  }
  const response = await t.fetch(`${path}${query}`, init)
  return { response, body: await bodyOf(response) }
}

/** Returns the body of a response: JSON as its value, a file as text, an empty body as null. */
export async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return null
  return response.headers.get('content-type')?.startsWith('text/csv') === true ? text : JSON.parse(text)
}
