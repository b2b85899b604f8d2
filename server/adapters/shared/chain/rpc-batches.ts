import { z } from 'zod'

export type Question = { jsonrpc: '2.0'; id: number; method: string; params: readonly unknown[] }
type Waiting = {
  question: Question
  signal: AbortSignal
  resolve: (reply: unknown) => void
  reject: (error: unknown) => void
}

/** The maximum number of requests in a batch. Eight whole blocks fit into a reply's size limit. */
const MOST_IN_A_BATCH = 8

/** Thrown if a node refuses batches, which it tells by a single error object or an HTTP status. */
export class BatchRefused extends Error {}

const refusalSchema = z.object({ error: z.object({}) })
const numberedSchema = z.object({ id: z.number() })

/**
 * Sends concurrent requests as one batch (JSON-RPC 2.0). `post` resolves with the decoded body, and rejects with
 * BatchRefused if the node refuses batches. Such a node then gets single requests.
 */
export function createBatches(
  post: (body: Question | readonly Question[], signal: AbortSignal) => Promise<unknown>,
): (question: Question, signal: AbortSignal) => Promise<unknown> {
  let takesBatches = true
  let waiting: Waiting[] = []

  function flush(): void {
    const all = waiting
    waiting = []
    for (const together of Map.groupBy(all, ({ signal }) => signal).values()) {
      for (let from = 0; from < together.length; from += MOST_IN_A_BATCH) {
        send(together.slice(from, from + MOST_IN_A_BATCH)).catch((error: unknown) => {
          for (const { reject } of together) reject(error)
        })
      }
    }
  }
  function sendSingly(batch: readonly Waiting[]): void {
    for (const { question, signal, resolve, reject } of batch) post(question, signal).then(resolve, reject)
  }
  async function send(batch: readonly Waiting[]): Promise<void> {
    const [first] = batch
    if (first === undefined) return
    if (batch.length === 1 || !takesBatches) return sendSingly(batch)
    const questions = batch.map(({ question }) => question)
    const body = await post(questions, first.signal).catch((error: unknown) => {
      if (error instanceof BatchRefused) return { error: {} }
      throw error
    })
    if (refusalSchema.safeParse(body).success) {
      takesBatches = false
      return sendSingly(batch)
    }
    const replies = repliesById(body)
    // A request without a reply in the batch is treated like a reply that is no JSON-RPC.
    for (const { question, resolve } of batch) resolve(replies.get(question.id) ?? null)
  }

  return (question, signal) => {
    if (!takesBatches) return post(question, signal)
    return new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({ question, signal, resolve, reject })
    })
  }
}

function repliesById(body: unknown): Map<number, unknown> {
  const replies: unknown[] = Array.isArray(body) ? body : []
  return new Map(
    replies.flatMap((reply) => {
      const numbered = numberedSchema.safeParse(reply)
      return numbered.success ? [[numbered.data.id, reply] as const] : []
    }),
  )
}
