import { z } from 'zod'
import { MEBIBYTE } from '#contract/time.ts'
import { boundedFetch } from '#server/house/bounded-fetch.ts'
import { BatchRefused, createBatches } from './rpc-batches.ts'

/** The maximum size of a reply, for eight full blocks of a busy chain at a few megabytes each. */
const MAX_BYTES = 48 * MEBIBYTE
/** The HTTP statuses of nodes that accept no batches, or only shorter ones. */
const BATCH_REFUSALS = [400, 404, 405, 413, 415, 422, 501]
const WORDS_LENGTH = 200

export type RpcNode = {
  /** The node's name for people, made from its place in the settings and its host. The URL may contain a key. */
  name: string
  /** Sends a request. Rejects unless the node replies in time and in JSON that matches `shape`. */
  ask<T>(method: string, params: readonly unknown[], shape: z.ZodType<T>, signal: AbortSignal): Promise<T>
}

export class RpcRefused extends Error {
  override readonly name = 'RpcRefused'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const replySchema = z.object({
  id: z.number(),
  result: z.unknown(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
})

export function createRpcNode(
  place: number,
  { url, headers, timeoutMs }: { url: string; headers: Record<string, string>; timeoutMs: number },
): RpcNode {
  const name = `node ${place} (${new URL(url).host})`
  let asked = 0
  const askTogether = createBatches(async (body, signal) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal,
    }
    const response = await boundedFetch(url, init, { timeoutMs, maxBytes: MAX_BYTES })
    const { status } = response
    if (Array.isArray(body) && BATCH_REFUSALS.includes(status)) throw new BatchRefused(`${name} answered ${status}`)
    if (status !== 200) throw new Error(`${name} answered ${status} to ${[body].flat()[0]?.method}`)
    return readJson(await response.text())
  })
  return {
    name,
    async ask(method, params, shape, signal) {
      asked += 1
      const id = asked
      const reply = replySchema.safeParse(await askTogether({ jsonrpc: '2.0', id, method, params }, signal))
      // Load balancers and rate limiters send a page of HTML or unrelated JSON with status 200.
      if (!reply.success) throw new Error(`${name} answered no JSON-RPC to ${method}`)
      const { id: answered, error, result } = reply.data
      if (error) throw new RpcRefused(error.code, `${name} refused ${method}: ${error.message.slice(0, WORDS_LENGTH)}`)
      if (answered !== id) throw new Error(`${name} answered another question than ${method}`)
      const read = shape.safeParse(result)
      if (!read.success) throw new Error(`${name} answered in another shape to ${method}`)
      return read.data
    },
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The body is a rate limiter's page. The caller throws an error that names the node.
    return null
  }
}
