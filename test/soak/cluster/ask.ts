import type { Buyer } from './furnish.ts'

const ANSWER_LIMIT_MS = 12_000

export type Reply<Body> = { status: number; text: string; body: Partial<Body> }

/** Asks the service and returns its reply, or null if none came. A refusal is a reply. */
export async function ask<Body = unknown>(
  url: string,
  buyer: Buyer,
  line: string,
  { body, key, limitMs = ANSWER_LIMIT_MS }: { body?: object; key?: string; limitMs?: number } = {},
): Promise<Reply<Body> | null> {
  const [method = '', path = ''] = line.split(' ')
  try {
    const reply = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${buyer.key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(limitMs),
    })
    const text = await reply.text()
    return { status: reply.status, text, body: text.startsWith('{') ? (JSON.parse(text) as Partial<Body>) : {} }
  } catch {
    return null
  }
}
