import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SANDBOX_HEADER } from '#contract/calls/sandbox-calls.ts'
import type { Context } from '#server/context.ts'
import { shownKey } from '#server/http/shown-key.ts'
import { tellsWorld } from '#server/sandbox-world.ts'
import { isSandboxKey } from './member-by-key.ts'

const FAULT = 500

/**
 * Replies to a key with play money in a header say so where nobody looked the key up: of calls that need none, and of what is
 * refused before its call is found. A fault of ours does not: a look-up would wait for the database once more.
 */
export function markSandboxReplies(app: FastifyInstance, ctx: Context): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const key = tellsWorld(reply) || reply.statusCode >= FAULT ? undefined : shownKey(request.headers)
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
