import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

/** The fields of a fault report that tests read (https://develop.sentry.dev/sdk/foundations/transport/envelopes/). */
export type Report = {
  message?: string
  exception?: { values: { type: string; value: string }[] }
  tags?: Record<string, string>
  release?: string
  user?: object
  request?: object
  breadcrumbs?: object
}

export type FakeSentry = AsyncDisposable & {
  dsn: string
  reports: { report: Report; envelope: string }[]
}

/** Starts a fake Sentry, which accepts only complete envelopes for its project and with its key. */
export async function startFakeSentry(): Promise<FakeSentry> {
  const reports: FakeSentry['reports'] = []
  const answer = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const isRight = url.pathname === '/api/42/envelope/' && url.searchParams.get('sentry_key') === 'publickey'
    const envelope = await bodyOf(request)
    if (isRight && request.method === 'POST') reports.push(...readEnvelope(envelope))
    reply.writeHead(isRight ? 200 : 403, { 'access-control-allow-origin': '*', 'content-type': 'application/json' })
    reply.end('{}')
  }
  const server = createServer((request, reply) => {
    answer(request, reply).catch((error: Error) => reply.destroy(error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    dsn: `http://publickey@127.0.0.1:${port}/42`,
    reports,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  if (request.headers['content-encoding'] !== 'gzip') return text(request)
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return gunzipSync(Buffer.concat(chunks)).toString()
}

/** Parses a Sentry envelope, which is lines of JSON: a header, then for each item a header and a payload. */
function readEnvelope(envelope: string): FakeSentry['reports'] {
  const [header = '', ...lines] = envelope.trimEnd().split('\n')
  if (typeof JSON.parse(header).event_id !== 'string') throw new Error('an envelope of an event names it')
  const found: FakeSentry['reports'] = []
  for (let index = 0; index + 1 < lines.length; index += 2) {
    const { type } = JSON.parse(lines[index] ?? '') as { type: string }
    if (type === 'event') found.push({ report: JSON.parse(lines[index + 1] ?? ''), envelope })
  }
  return found
}
