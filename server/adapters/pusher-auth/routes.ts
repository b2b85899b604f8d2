import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { SECOND } from '#contract/time.ts'
import { keyCallLogOf } from '#server/core/accounts/api-keys/call-log.ts'
import { socketSessionOf } from '#server/core/accounts/api-keys/key-memory.ts'
import { callerOf } from '#server/core/accounts/sign-in/caller-of.ts'
import type { Context } from '#server/house/context.ts'
import { forbidden, keyForbidden, unauthenticated } from '#server/house/errors/errors.ts'
import type { Member } from '#server/house/http/caller.ts'
import { refuseInMaintenance } from '#server/house/http/door/refuse-in-maintenance.ts'
import { invalidFrom } from '#server/house/http/invalid-input.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { AuthorisationRefused } from '#server/house/realtime/authorise.ts'
import { channelSchema, socketSchema } from './fields.ts'

/**
 * Serves the authorisation of Pusher channels. The request is a form or JSON, and the reply holds only the signature.
 * Another user's channel gets 403.
 */
export function registerBroadcasting(app: FastifyInstance, ctx: Context): void {
  const perSecond = ctx.config.apiRequestsPerSecond
  const limit = createRateLimit({
    name: 'channel authorisations of a caller',
    burst: perSecond,
    refillMs: SECOND / perSecond,
  })
  const onRequest = refuseInMaintenance(ctx)
  app.post('/broadcasting/auth', { onRequest }, async (request, reply) => {
    const member = await requireSession(request)
    const input = parse(channelSchema, request.body)
    reply.header('cache-control', 'no-store')
    return signed(() => ctx.realtime.authorise({ ...member, socketId: input.socket_id, channel: input.channel_name }))
  })
  app.post('/broadcasting/user-auth', { onRequest }, async (request, reply) => {
    const member = await requireSession(request)
    const input = parse(socketSchema, request.body)
    reply.header('cache-control', 'no-store')
    return signed(() => ctx.realtime.authoriseUser({ ...member, socketId: input.socket_id }))
  })

  async function requireSession(request: FastifyRequest) {
    const { member } = await callerOf(ctx, request)
    if (member === null) throw unauthenticated()
    await limit.spend(ctx, `${member.userId} ${member.key === null}`)
    // An API key has no session. The id made here lets the key's sockets be closed when the key is revoked.
    const sessionId = member.sessionId?.toString() ?? keySession(ctx, request, member)
    return { userId: member.userId, sessionId, byKey: member.sessionId === null }
  }
}

/** Returns the session id for an API key. Throws FORBIDDEN if the key may not read. */
function keySession(ctx: Context, request: FastifyRequest, { key }: Member): string {
  if (key === null) throw forbidden()
  const mayRead = key.scopes.includes('read')
  const call = `POST ${request.routeOptions.url}`
  const address = ctx.clients.addressOf(request.raw)
  keyCallLogOf(ctx).note(key.id, { call, result: mayRead ? 'OK' : 'FORBIDDEN', address, now: ctx.clock.now() })
  if (!mayRead) throw keyForbidden('read')
  return socketSessionOf(key.id, key.secretId)
}

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw invalidFrom(parsed.error)
  return parsed.data
}

function signed<T>(sign: () => T): T {
  try {
    return sign()
  } catch (error) {
    if (error instanceof AuthorisationRefused) throw forbidden()
    throw error
  }
}
