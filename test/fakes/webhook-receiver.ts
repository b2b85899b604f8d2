import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { listenOnLoopback } from '#test/fakes/loopback-server.ts'

export type Received = { headers: IncomingHttpHeaders; body: string; path: string }
type Answer = (response: ServerResponse, received: Received) => void

export type Receiver = AsyncDisposable & {
  url: string
  received: Received[]
  answer: Answer
  events(): { type: string; data: Record<string, unknown> }[]
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const server = await listenOnLoopback((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => {
      body += part
    })
    request.on('end', () => {
      const one = { headers: request.headers, body, path: request.url ?? '' }
      received.push(one)
      receiver.answer(response, one)
    })
  })
  const receiver: Receiver = {
    url: `${server.url}/hook`,
    received,
    answer: answering(204),
    events: () => received.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
  return receiver
}

export function answering(status: number, text = '', headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, headers)
    response.end(text)
  }
}
