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
/** Of the answer, unless the caller takes more; what is longer is cut off with the connection. */
const MOST_BYTES = 64 * KIBIBYTE
const LONGEST_URL = 2_000
/** Of answers that say nothing yet (1xx): a stream of them costs more here than to send. */
const MOST_INTERIM = 10
/** RFC 6761: this machine, whatever DNS says. */
const LOOPBACK_NAME = /(?:^|\.)localhost\.?$/

/** It would lead to this machine or its network, or to no host at all. Never worth a second try. */
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

/** The connection never stood, so nothing was asked. */
export class OutsideUnreached extends Error {
  override name = 'OutsideUnreached'
}

type Address = { address: string; family: number }

/** Connections that are kept between requests of one caller. */
export type KeptConnections = { plain: PlainAgent; tls: TlsAgent }

type Rules = {
  /** Host names of OUTBOUND_PRIVATE_HOSTS, which may be anywhere and need no TLS. */
  privateHosts: readonly string[]
  /** Tests answer for DNS. */
  resolve?: (host: string) => Promise<readonly Address[]>
  timeLimitMs?: number
  mostBytes?: number
  /** The caller's own limit of time. */
  signal?: AbortSignal
  /** Without them each request has a connection of its own. A kept one leads where its address was looked at. */
  kept?: KeptConnections
}

/**
 * A request to somebody else's host, whose address a stranger has chosen. Never to a private address: each address that
 * DNS gives is checked, and the connection is made to one of those and to no other. Redirects are answers, not followed.
 * Throws OutsideRefused, and OutsideUnreached when nothing was sent; any other error may pass.
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
  // The search knows no abort.
  if (signal.aborted) throw new OutsideUnreached('no time was left', { cause: signal.reason })
  return send(asked, { url, rules, options: { signal, agent: false, lookup: pinnedTo(pinned) } })
}

type Kept = { url: URL; rules: Rules; kept: KeptConnections; signal: AbortSignal }

/** DNS is asked for a new connection alone, whose address is judged then. */
async function askKept(asked: OutsideRequest, { url, rules, kept, signal }: Kept): Promise<OutsideAnswer> {
  // A literal address is never looked up.
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

/** The host closed a kept connection before the request came. */
class ClosedMeanwhile extends Error {
  override name = 'ClosedMeanwhile'
}

type Sending = { url: URL; rules: Rules; options: RequestOptions & { agent: PlainAgent | TlsAgent | false } }

async function send(asked: OutsideRequest, { url, rules, options }: Sending): Promise<OutsideAnswer> {
  const begin = url.protocol === 'https:' ? tlsRequest : plainRequest
  const request = begin(url, { method: asked.method, headers: asked.headers, ...options })
  // A connection that breaks after its answer has begun would end the process.
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

/** Throws OutsideRefused. What the address says by itself; DNS is asked with each request. */
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
  // Otherwise a stranger could knock at whatever port of whatever host in our name. URL leaves 443 out.
  if (url.port !== '' && !privateHosts.includes(url.hostname)) throw new OutsideRefused('another port than 443')
  return url
}

/** URL has already turned 0x7f.1 and 2130706433 into 127.0.0.1. */
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

/** By DNS itself: a slow name server would hold one of the few threads of `lookup`. */
async function findOutside(host: string): Promise<Address[]> {
  const resolver = new Resolver({ timeout: DNS_LIMIT_MS, tries: 1 })
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason
  return [
    ...(ipv4.status === 'fulfilled' ? ipv4.value : []).map((address) => ({ address, family: 4 })),
    ...(ipv6.status === 'fulfilled' ? ipv6.value : []).map((address) => ({ address, family: 6 })),
  ]
}

/** As the machine finds it, /etc/hosts included. */
function findNearby(host: string): Promise<Address[]> {
  return lookup(host, { all: true })
}

/** Another answer of DNS a moment later would lead elsewhere. */
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
    // Leaving the loop closes the connection.
    if (length >= mostBytes) break
  }
  return Buffer.concat(parts).subarray(0, mostBytes)
}
