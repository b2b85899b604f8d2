import { lookup, Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Agent as PlainAgent,
  request as plainRequest,
  type RequestOptions,
} from 'node:http'
import { type Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { isIP } from 'node:net'
import { KIBIBYTE, SECOND } from '#contract/time.ts'
import { withTimeout } from '#server/house/with-timeout.ts'
import { isPublicAddress } from './public-address.ts'

const TIME_LIMIT_MS = 5 * SECOND
const DNS_LIMIT_MS = 3 * SECOND
/** The default maximum size of a reply. A larger reply is cut off by closing the connection. */
const MOST_BYTES = 64 * KIBIBYTE
const LONGEST_URL = 2_000
/** The maximum number of interim replies (1xx). A stream of interim replies costs more to receive than to send. */
const MOST_INTERIM = 10
/** Names under `localhost` mean this machine, whatever DNS says (RFC 6761). */
const LOOPBACK_NAME = /(?:^|\.)localhost\.?$/

/** The URL leads to this machine, its network or no host at all, so the request was refused. A retry is pointless. */
export class OutsideRefused extends Error {
  override name = 'OutsideRefused'
}

export type OutsideRequest = {
  method: 'POST' | 'GET'
  url: string
  headers: Record<string, string>
  body?: Buffer
}

export type OutsideAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

export class OutsideUnreached extends Error {
  override name = 'OutsideUnreached'
}

type Address = { address: string; family: number }

export type KeptConnections = { plain: PlainAgent; tls: TlsAgent }

type Rules = {
  /** The host names of OUTBOUND_PRIVATE_HOSTS, which may have a private address and need no TLS. */
  privateHosts: readonly string[]
  resolve?: (host: string) => Promise<readonly Address[]>
  timeLimitMs?: number
  mostBytes?: number
  signal?: AbortSignal
  /** The keep-alive connections to use, or undefined. A kept connection leads to the address checked at its opening. */
  kept?: KeptConnections
}

/**
 * Sends a request to a URL that a stranger chose. Private addresses are refused (SSRF): every address of the DNS reply
 * is checked, and the connection goes to one of them. Redirects are returned, not followed. Throws OutsideRefused, or
 * OutsideUnreached if nothing was sent. Any other error may be temporary.
 */
export function askOutside(asked: OutsideRequest, rules: Rules): Promise<OutsideAnswer> {
  const { timeLimitMs = TIME_LIMIT_MS, signal: outer } = rules
  return withTimeout(timeLimitMs, (signal) =>
    ask(asked, rules, outer === undefined ? signal : AbortSignal.any([signal, outer])),
  )
}

async function ask(asked: OutsideRequest, rules: Rules, signal: AbortSignal): Promise<OutsideAnswer> {
  const url = readOutsideUrl(asked.url, rules.privateHosts)
  const { kept } = rules
  if (kept !== undefined) return askKept(asked, { url, rules, kept, signal })
  const pinned = await findAddress(url, rules).catch((error: unknown) => {
    if (error instanceof OutsideRefused || error instanceof OutsideUnreached) throw error
    throw new OutsideUnreached('the host was not found', { cause: error })
  })
  // The DNS query cannot be aborted, so the time-out is checked after the query.
  if (signal.aborted) throw new OutsideUnreached('no time was left', { cause: signal.reason })
  return send(asked, { url, rules, options: { signal, agent: false, lookup: pinnedTo(pinned) } })
}

type Kept = { url: URL; rules: Rules; kept: KeptConnections; signal: AbortSignal }

/** Sends a request on a kept connection. Only a new connection queries DNS and checks the address. */
async function askKept(asked: OutsideRequest, { url, rules, kept, signal }: Kept): Promise<OutsideAnswer> {
  // Node does not look up an IP address in a URL, so the address must be checked here.
  if (literalOf(url) !== null) await findAddress(url, rules)
  const agent = url.protocol === 'https:' ? kept.tls : kept.plain
  try {
    return await send(asked, { url, rules, options: { signal, agent, lookup: judgedLookup(url, rules) } })
  } catch (error) {
    if (error instanceof ClosedMeanwhile) return ask(asked, withoutKept(rules), signal)
    if (error instanceof OutsideUnreached && error.cause instanceof OutsideRefused) throw error.cause
    throw error
  }
}

function withoutKept({ kept: _, ...rules }: Rules): Rules {
  return rules
}

class ClosedMeanwhile extends Error {
  override name = 'ClosedMeanwhile'
}

type Sending = { url: URL; rules: Rules; options: RequestOptions & { agent: PlainAgent | TlsAgent | false } }

async function send(asked: OutsideRequest, { url, rules, options }: Sending): Promise<OutsideAnswer> {
  const begin = url.protocol === 'https:' ? tlsRequest : plainRequest
  const request = begin(url, { method: asked.method, headers: asked.headers, ...options })
  // A connection that breaks during the reply would end the process without this listener.
  request.on('error', () => undefined)
  let interim = 0
  request.on('information', () => {
    interim += 1
    if (interim > MOST_INTERIM) request.destroy(new Error('answers that say nothing yet'))
  })
  const connection = watchConnection(request, url)
  const answered = once(request, 'response', options.signal === undefined ? {} : { signal: options.signal })
  request.end(asked.body)
  const [response] = (await answered.catch((error: unknown) => {
    if (request.reusedSocket && isReset(error)) throw new ClosedMeanwhile('closed meanwhile', { cause: error })
    throw connection.stood ? error : new OutsideUnreached('the host was not reached', { cause: error })
  })) as [IncomingMessage]
  const body = await readStart(response, rules.mostBytes ?? MOST_BYTES)
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}

function watchConnection(request: ClientRequest, url: URL): { stood: boolean } {
  const connection = { stood: false }
  request.once('socket', (socket) => {
    connection.stood = request.reusedSocket
    if (connection.stood) return
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      connection.stood = true
    })
  })
  return connection
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

/** Checks a URL without DNS, which each request queries itself. Throws OutsideRefused. */
export function readOutsideUrl(text: string, privateHosts: readonly string[]): URL {
  const url = text.length > LONGEST_URL ? null : URL.parse(text)
  if (url === null) throw new OutsideRefused('no address')
  if (url.username !== '' || url.password !== '') throw new OutsideRefused('holds a name or a password')
  if (privateHosts.includes(url.hostname) && url.protocol === 'http:') return url
  if (url.protocol !== 'https:') throw new OutsideRefused('without TLS')
  const literal = literalOf(url)
  const isOutside = literal === null ? !LOOPBACK_NAME.test(url.hostname) : isPublicAddress(literal)
  const isOpen = isOutside || privateHosts.includes(url.hostname)
  if (!isOpen) throw new OutsideRefused('a private address')
  // Other ports are refused, because a stranger could make us connect to any port. URL leaves the port 443 out.
  if (url.port !== '' && !privateHosts.includes(url.hostname)) throw new OutsideRefused('another port than 443')
  return url
}

/** URL has already normalised spellings such as 0x7f.1 and 2130706433 to 127.0.0.1. */
function literalOf({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? null : bare
}

async function findAddress(url: URL, { privateHosts, resolve }: Rules): Promise<Address> {
  const literal = literalOf(url)
  const isPrivate = privateHosts.includes(url.hostname)
  const find = resolve ?? (isPrivate ? findNearby : findOutside)
  const addresses = literal === null ? await find(url.hostname) : [{ address: literal, family: isIP(literal) }]
  if (!isPrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new OutsideRefused('the host has a private address')
  }
  const [first] = addresses
  if (first === undefined) throw new OutsideUnreached('the host has no address')
  return first
}

/** Queries DNS directly, because `lookup` uses one of a few threads, which a slow name server would block. */
async function findOutside(host: string): Promise<Address[]> {
  const resolver = new Resolver({ timeout: DNS_LIMIT_MS, tries: 1 })
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason
  return [
    ...(ipv4.status === 'fulfilled' ? ipv4.value : []).map((address) => ({ address, family: 4 })),
    ...(ipv6.status === 'fulfilled' ? ipv6.value : []).map((address) => ({ address, family: 6 })),
  ]
}

function findNearby(host: string): Promise<Address[]> {
  return lookup(host, { all: true })
}

/** Pins the connection to the checked address, because DNS may answer differently a moment later (DNS rebinding). */
function pinnedTo({ address, family }: Address): NonNullable<RequestOptions['lookup']> {
  return (_host, options, callback) => {
    if (options.all === true) callback(null, [{ address, family }])
    else callback(null, address, family)
  }
}

function judgedLookup(url: URL, rules: Rules): NonNullable<RequestOptions['lookup']> {
  return (host, options, callback) => {
    findAddress(url, rules).then(
      (address) => pinnedTo(address)(host, options, callback),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), ''),
    )
  }
}

async function readStart(response: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part)
    length += part.length
    if (length >= mostBytes) break
  }
  return Buffer.concat(parts).subarray(0, mostBytes)
}
