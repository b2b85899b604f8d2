import type { ReadyReply } from './bare-fastify.ts'
import { HttpConnection, type HttpReply } from './http-connection.ts'

const OF_THE_CONNECTION = ['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding']

export async function askOnce(url: string, request: Buffer): Promise<HttpReply> {
  using connection = await HttpConnection.open(url)
  // The connection is closed at the end of this block, so its reply is awaited here.
  return await connection.ask(request)
}

export function readyReply(path: string, { status, head, body }: HttpReply): ReadyReply {
  const lines = head.split('\r\n').slice(1)
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  const own = headers.filter(([name]) => name !== undefined && !OF_THE_CONNECTION.includes(name))
  return { path, status, headers: Object.fromEntries(own), body }
}
