import type { FastifyInstance } from 'fastify'
import { DAY } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'

const GOOD_FOR_MS = 180 * DAY

/** Serves security.txt (RFC 9116). */
export function registerSecurityText(app: FastifyInstance, ctx: Context): void {
  app.get('/.well-known/security.txt', async (_request, reply) => {
    const { securityContact, publicUrl } = ctx.config
    const expires = new Date(ctx.clock.now().getTime() + GOOD_FOR_MS).toISOString().replace(/T.*/, 'T00:00:00.000Z')
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${expires}`,
      'Preferred-Languages: ru, en',
      `Canonical: ${new URL('/.well-known/security.txt', publicUrl).href}`,
    ]
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(`${lines.join('\n')}\n`)
  })
}
