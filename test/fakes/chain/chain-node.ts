import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Question = { id: number; method: string; params: unknown[] }
/** Returns the answer to send in place of the true one: a value, `HANG`, `HTML`, or an Error as a refusal. */
export type Twist = (question: Question, result: unknown) => unknown

export const HANG = Symbol('no answer')
export const HTML = Symbol('a page instead')

const JSON_TYPE = { 'content-type': 'application/json' }

/** A proxy in front of a real blockchain node. Its answers are true until the test sets `twist`. */
export type ChainNode = AsyncDisposable & {
  url: string
  twist: Twist | null
  asked: string[]
}

export async function openChainNode(behind: string): Promise<ChainNode> {
  const hanging = new Set<ServerResponse>()
  const node: Omit<ChainNode, 'url' | typeof Symbol.asyncDispose> = { twist: null, asked: [] }
  const server = createServer((request, reply) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      answer(Buffer.concat(parts).toString()).catch((error: unknown) => reply.destroy(error as Error))
    })
    async function answer(body: string): Promise<void> {
      const asked = JSON.parse(body) as Question | Question[]
      const told = await Promise.all([asked].flat().map(tell))
      if (told.includes(HANG)) {
        hanging.add(reply)
        return
      }
      if (told.includes(HTML)) {
        reply.writeHead(200, { 'content-type': 'text/html' }).end('<html>busy</html>')
        return
      }
      // JSON-RPC allows any order of the answers to a batch, so this node reverses the order.
      reply.writeHead(200, JSON_TYPE).end(JSON.stringify(Array.isArray(asked) ? told.reverse() : told[0]))
    }
  })
  async function tell(question: Question): Promise<unknown> {
    node.asked.push(question.method)
    const sent = { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(question) }
    const truth = (await (await fetch(behind, sent)).json()) as { result?: unknown }
    const told = node.twist === null ? truth.result : node.twist(question, truth.result)
    if (told === HANG || told === HTML) return told
    const answered = told instanceof Error ? { error: { code: -32_000, message: told.message } } : { result: told }
    return 'error' in truth && told === undefined ? truth : { jsonrpc: '2.0', id: question.id, ...answered }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(node, {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const reply of hanging) reply.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}
