import type { FastifyRequest } from 'fastify'
import type { Context } from '#server/house/context.ts'
import { maintenance } from '#server/house/errors/errors.ts'

/**
 * An onRequest hook: before a key is looked up and a body is read. The error handler of a protocol has its own words for it.
 * Doors at which suppliers, gateways and Telegram tell what has happened stay open.
 */
export function refuseInMaintenance(ctx: Context) {
  return ({ method, is404 }: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void => {
    const { maintenanceMessage } = ctx.config
    // Without the answer to its preflight a browser shows no program the refusal.
    const isOpen = maintenanceMessage === null || (method === 'OPTIONS' && !is404)
    if (isOpen) done()
    else done(maintenance(maintenanceMessage))
  }
}
