import type { FastifyRequest } from 'fastify'
import type { Context } from '#server/context.ts'

/** Of the page that asks. Trusts configured hosts only, never the Host header; the demo has no fixed host and no other visitors. */
export function siteOrigin(ctx: Context, request: FastifyRequest): string {
  const { protocol, port, origin } = ctx.config.publicUrl
  const { hostname, host } = request
  if (ctx.config.demo) return `${protocol}//${host}`
  const ours = ctx.config.zones.some((zone) => zone.hosts.includes(hostname))
  return ours ? `${protocol}//${hostname}${port && `:${port}`}` : origin
}
