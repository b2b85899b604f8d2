import type { IncomingMessage } from 'node:http'
import { CODE, type Refusal } from '#server/house/realtime/protocol.ts'

const PATH = /^\/app\/([^/]+)$/
/** The supported versions of the Pusher protocol. Older clients request 5 and 6, which have the same frames as 7. */
const PROTOCOLS = ['5', '6', '7']
const CLIENT_VERSION = /^[\w.+-]{1,64}$/

export type HandshakeRules = {
  appKey: string
  /** The origins whose pages may connect; undefined means any. A program sends no Origin header and is allowed. */
  allowedOrigins: readonly string[] | undefined
}

export function handshakeRefusal(request: IncomingMessage, rules: HandshakeRules): Refusal | undefined {
  const url = URL.parse(request.url ?? '', 'ws://localhost')
  const key = PATH.exec(url?.pathname ?? '')?.[1]
  if (url === null || key === undefined) return { code: CODE.pathNotFound, message: 'Path not found' }
  if (key !== rules.appKey && key !== encodeURIComponent(rules.appKey)) {
    return { code: CODE.appNotFound, message: 'Application does not exist' }
  }
  return versionRefusal(url.searchParams) ?? originRefusal(request.headers.origin, rules.allowedOrigins)
}

export function isRealtimePath(url: string | undefined): boolean {
  return url !== undefined && /^\/app(\/|\?|$)/.test(url)
}

function versionRefusal(query: URLSearchParams): Refusal | undefined {
  const protocol = query.get('protocol') ?? ''
  if (protocol === '') return { code: CODE.noProtocol, message: 'No protocol version supplied' }
  const version = query.get('version')
  if (!/^\d{1,3}$/.test(protocol) || (version !== null && !CLIENT_VERSION.test(version))) {
    return { code: CODE.badVersion, message: 'Invalid version string format' }
  }
  if (PROTOCOLS.includes(protocol)) return undefined
  return { code: CODE.unsupportedProtocol, message: 'Unsupported protocol version' }
}

function originRefusal(origin: string | undefined, allowed: readonly string[] | undefined): Refusal | undefined {
  if (origin === undefined || allowed === undefined || allowed.includes(origin.toLowerCase())) return undefined
  return { code: CODE.unauthorised, message: 'Origin not allowed' }
}
