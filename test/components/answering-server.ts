import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { CallError } from '#contract/calls/calls.ts'
import { createApiClient } from '#web/session/api-client.ts'

type Heard = { line: string; headers: IncomingMessage['headers']; body: string }
/** The server's next answer, given once `hold` resolves. `drop` cuts the connection, `silence` never answers. */
export type Answer = { status: number; body?: unknown; retryAfter?: string; hold?: Promise<void> } | 'drop' | 'silence'

export async function startServer(answers: Answer[]) {
  const heard: Heard[] = []
  let silent = (): void => undefined
  const silence = new Promise<void>((resolve) => {
    silent = resolve
  })
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    heard.push({ line: `${request.method} ${request.url}`, headers: request.headers, body: await text(request) })
    const answer = answers.shift() ?? { status: 599 }
    if (answer === 'silence') {
      silent()
      return
    }
    if (answer === 'drop') {
      request.socket.destroy()
      return
    }
    await answer.hold
    if (answer.retryAfter !== undefined) response.setHeader('retry-after', answer.retryAfter)
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? { status: true }))
  }
  const server = createServer((request, response) => {
    reply(request, response).catch((error: Error) => response.destroy(error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const session = { token: 'first' as string | null, signedIn: true, leaving: false, userId: 1 }
  const events: string[] = []
  const pauses: number[] = []
  const credentials: (string | undefined)[] = []
  const api = createApiClient({
    fetch: (input, init) => {
      credentials.push(init?.credentials)
      return fetch(`http://127.0.0.1:${port}${String(input)}`, init)
    },
    pause: async (ms, signal) => {
      pauses.push(ms)
      signal?.throwIfAborted()
    },
    token: () => session.token,
    refreshable: () => session.signedIn,
    leaving: () => session.leaving,
    userId: () => session.userId,
    locale: () => 'ru',
    zone: 'com',
    onRefreshed: ({ token, user }) => {
      session.token = token
      // Most answers in the tests contain no user, so the last known user stays.
      session.userId = (user as { id: number } | undefined)?.id ?? session.userId
      events.push(`refreshed to ${token}`)
    },
    onExpired: () => {
      session.token = null
      session.signedIn = false
      events.push('expired')
    },
    onMessage: ({ type, text }) => events.push(`${type}: ${text}`),
  })
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const lines = () => heard.map(({ line, headers }) => `${line} ${headers.authorization ?? 'nobody'}`)
  return { api, heard, lines, session, events, pauses, credentials, silence, [Symbol.asyncDispose]: stop }
}

export const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no failure',
    (error: unknown) =>
      error instanceof CallError ? `${error.httpStatus} ${error.code} ${error.message}` : String(error),
  )
export const UNAUTHENTICATED = { status: 401, body: { status: false, code: 'UNAUTHENTICATED', message: 'Sign in' } }
export const REFRESHED = { status: 200, body: { status: true, token: 'second' } }
