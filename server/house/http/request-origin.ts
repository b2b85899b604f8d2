import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/house/config/config.ts'

/** Judges the Origin header. `ours` means the requested host, PUBLIC_URL or a zone; `none`, a program or a GET. */
export function originOf(config: Config, request: FastifyRequest): 'ours' | 'foreign' | 'none' {
  const { origin } = request.headers
  if (origin === undefined) return 'none'
  if (!URL.canParse(origin)) return 'foreign'
  const { protocol, host, hostname, port } = new URL(origin)
  // A page without TLS may have been altered on the way, so it is foreign if the service uses TLS.
  if (config.publicUrl.protocol === 'https:' && protocol !== 'https:') return 'foreign'
  if (host === request.host || host === config.publicUrl.host) return 'ours'
  const ofZone = port === config.publicUrl.port && config.zones.some((zone) => zone.hosts.includes(hostname))
  return ofZone ? 'ours' : 'foreign'
}

/** Returns the origin of the requesting page. Trusts only configured hosts, or in the demo any host. */
export function siteOrigin(config: Config, request: FastifyRequest): string {
  const { protocol, port, origin } = config.publicUrl
  const { hostname, host } = request
  if (config.demo) return `${protocol}//${host}`
  const ours = config.zones.some((zone) => zone.hosts.includes(hostname))
  return ours ? `${protocol}//${hostname}${port && `:${port}`}` : origin
}
