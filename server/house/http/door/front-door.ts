import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/house/config/config.ts'
import type { Context } from '#server/house/context.ts'
import type { ReadyAnswer } from '#server/house/http/ready/answer.ts'
import { answerInFront } from '#server/house/http/ready/front.ts'
import { noteRefusal } from './refusals.ts'
import { transportSecurity } from './transport-security.ts'

const SLASH = 47
const PORT = /:\d*$/
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** Refuses malformed requests. The demo also refuses foreign hosts, because DNS rebinding could read its mails. */
export function guardFrontDoor(app: FastifyInstance, ctx: Context): void {
  const malformed = plainAnswer(ctx.config, 400, 'Bad Request')
  const misdirected = plainAnswer(
    ctx.config,
    421,
    'Misdirected Request: this demo answers on loopback names and the host of PUBLIC_URL',
  )
  const hosts = ctx.config.demo ? ownHosts(ctx.config) : null
  answerInFront(app, (request) => {
    if (request.url?.charCodeAt(0) !== SLASH || namesTwoHosts(request)) return malformed
    const { host } = request.headers
    // Requests without a Host header are served. They come from HTTP/1.0 programs, and DNS rebinding needs a browser.
    if (hosts === null || host === undefined || hosts.has(nameOf(host))) return undefined
    noteRefusal(ctx, { kind: 'host', network: ctx.clients.networkOf(request) })
    return misdirected
  })
}

/** Returns true if a request has two Host headers. Node reads the first, but a proxy in front may read the last. */
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

function ownHosts({ publicUrl, zones }: Config): ReadonlySet<string> {
  return new Set([...LOOPBACK_HOSTS, publicUrl.hostname, ...zones.flatMap((zone) => zone.hosts)])
}

function nameOf(host: string): string {
  return host.replace(PORT, '').toLowerCase()
}

function plainAnswer(config: Config, status: number, text: string): ReadyAnswer {
  const body = Buffer.from(`${text}\n`)
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
    ...transportSecurity(config),
  }
  return { status, headers, body }
}
