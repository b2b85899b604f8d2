import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SANDBOX_HEADER } from '#contract/calls/sandbox-calls.ts'
import type { Context } from '#server/context.ts'
import { shownKey } from '#server/http/shown-key.ts'
import { isSandboxKey } from './member-by-key.ts'

/**
 * Every reply to a key with play money in a header says so: of calls that need no key, and of what is refused before its call is
 * found, too. Calls that look the key up themselves have said it by then.
 */
export function markSandboxReplies(app: FastifyInstance, ctx: Context): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const key = reply.hasHeader(SANDBOX_HEADER) ? undefined : shownKey(request.headers)
    if (key === undefined) return done()
    isSandboxKey(ctx, shownBy(ctx, request, key)).then(
      (isSandbox) => {
        if (isSandbox) reply.header(SANDBOX_HEADER, 'true')
        done()
      },
      (error: unknown) => {
        // Too many unknown keys, or no database: the reply stands without it.
        ctx.log.debug({ error, requestId: request.id }, 'a key was not looked up for its reply')
        done()
      },
    )
  })
}

function shownBy(ctx: Context, { raw }: FastifyRequest, key: string) {
  return { key, address: ctx.clients.addressOf(raw), network: ctx.clients.networkOf(raw) }
}
