import { KIBIBYTE, SECOND } from '#contract/time.ts'

const LIMITS = { timeoutMs: 5 * SECOND, maxBytes: 256 * KIBIBYTE }
/** `fetch` has decoded the body, so these headers, which describe the encoded body, are false and are dropped. */
const WIRE_HEADERS = ['content-encoding', 'content-length', 'transfer-encoding']

/** An HTTP reply exceeded the size limit. `head` is the beginning of the body. */
export class AnswerTooLong extends Error {
  override name = 'AnswerTooLong'
  readonly head: string

  constructor(maxBytes: number, first: Uint8Array) {
    super(`the answer has more than ${maxBytes} bytes`)
    this.head = new TextDecoder().decode(first.subarray(0, HEAD_BYTES))
  }
}

const HEAD_BYTES = 256

/** Fetches a URL. Rejects unless the whole reply arrives within the time and size limits. Follows no redirects. */
export async function boundedFetch(url: string, init: RequestInit, limits = LIMITS): Promise<Response> {
  const timeout = AbortSignal.timeout(limits.timeoutMs)
  const signal = init.signal == null ? timeout : AbortSignal.any([init.signal, timeout])
  const response = await fetch(url, { ...init, signal, redirect: 'manual' })
  const body = response.body === null ? null : await readBounded(response.body, limits.maxBytes)
  const headers = new Headers(response.headers)
  for (const name of WIRE_HEADERS) headers.delete(name)
  return new Response(body, { status: response.status, headers })
}

async function readBounded(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let length = 0
  // Leaving the loop, even by a throw, cancels the body's stream and closes the connection.
  for await (const part of stream) {
    length += part.byteLength
    parts.push(part)
    if (length > maxBytes) throw new AnswerTooLong(maxBytes, parts[0] ?? part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
