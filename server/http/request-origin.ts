import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config/config.ts'

/**
 * Whose page made the request, as the browser says: one of ours, another's, or nobody's (a program, or a GET of ours).
 * Pages of ours are those of the host that was asked, of PUBLIC_URL and of the zones.
 */
export function originOf(config: Config, request: FastifyRequest): 'ours' | 'foreign' | 'none' {
  const { origin } = request.headers
  if (origin === undefined) return 'none'
  if (!URL.canParse(origin)) return 'foreign'
  const { protocol, host, hostname, port } = new URL(origin)
  // A page that came without TLS is whatever somebody on the way made of it.
  if (config.publicUrl.protocol === 'https:' && protocol !== 'https:') return 'foreign'
  if (host === request.host || host === config.publicUrl.host) return 'ours'
  const ofZone = port === config.publicUrl.port && config.zones.some((zone) => zone.hosts.includes(hostname))
  return ofZone ? 'ours' : 'foreign'
}
