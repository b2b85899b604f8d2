import type { FastifyRequest } from 'fastify'
import type { Context } from '#server/house/context.ts'
import { maintenance } from '#server/house/errors/errors.ts'

/**
 * Returns a hook that refuses requests during maintenance, in each protocol's format, before an API key is looked up or
 * a body read. Routes for events of suppliers, gateways and Telegram stay open.
 */
export function refuseInMaintenance(ctx: Context) {
  return ({ method, is404 }: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void => {
    const { maintenanceMessage } = ctx.config
    // A CORS preflight is answered, because a browser would otherwise hide the refusal from the program.
    const isOpen = maintenanceMessage === null || (method === 'OPTIONS' && !is404)
    if (isOpen) done()
    else done(maintenance(maintenanceMessage))
  }
}
