import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import { boundedCache } from '#server/house/bounded-cache.ts'
import { networkOf } from './network-of.ts'

const MAX_REMEMBERED = 20_000
const KEY_MAX_LENGTH = 200

export type ClientAddress = {
  trusts: (address: string, hop: number) => boolean
  addressOf(request: IncomingMessage): string
  networkOf(request: IncomingMessage): string
}

/**
 * Builds the functions that find a client's IP address behind trusted proxies. `trustedProxies` has IP addresses,
 * ranges, or Fastify's names such as `loopback`. Throws for any other text.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusts = trustedProxies.length === 0 ? () => false : proxyAddr.compile([...trustedProxies])
  const addressOf =
    trustedProxies.length === 0
      ? (request: IncomingMessage) => request.socket.remoteAddress ?? ''
      : (request: IncomingMessage) => proxyAddr(request, trusts)
  const networks = boundedCache<string, string>(MAX_REMEMBERED)
  return {
    trusts,
    addressOf,
    networkOf(request) {
      if (trustedProxies.length === 0) return networkOf(addressOf(request))
      const key = `${request.socket.remoteAddress} ${request.headers['x-forwarded-for']}`
      if (key.length > KEY_MAX_LENGTH) return networkOf(addressOf(request))
      const known = networks.get(key)
      if (known !== undefined) return known
      const network = networkOf(addressOf(request))
      networks.set(key, network)
      return network
    },
  }
}
