import { once } from 'node:events'
import { request as ask, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'

export type RawReply = {
  statusCode: number
  headers: IncomingHttpHeaders
  rawPayload: Buffer
  body: string
  json(): Record<string, unknown>
}

/** Sends a request byte for byte over its own socket, with any Host. Neither decompresses nor follows redirects. */
export async function rawRequest(
  app: FastifyInstance,
  { path, method = 'GET', headers = {} }: { path: string; method?: string; headers?: Record<string, string> },
): Promise<RawReply> {
  const { port } = app.server.address() as AddressInfo
  const sent = ask({ host: '127.0.0.1', port, path, method, headers, agent: false })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const rawPayload = await buffer(response)
  const body = rawPayload.toString()
  return {
    statusCode: response.statusCode ?? 0,
    headers: response.headers,
    rawPayload,
    body,
    json: () => JSON.parse(body),
  }
}
