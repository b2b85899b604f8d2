import type { FastifyRequest } from 'fastify'
import type { Context } from '#server/house/context.ts'
import { maintenance } from '#server/house/errors/errors.ts'

/**
 * Returns an onRequest hook that refuses requests during maintenance, before an API key is looked up or a body is read.
 * Each protocol gets the refusal in its own format. Routes at which suppliers, gateways and Telegram report events stay
 * open.
 */
export function refuseInMaintenance(ctx: Context) {
  return ({ method, is404 }: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void => {
    const { maintenanceMessage } = ctx.config
    // The CORS preflight is still answered; otherwise a browser would hide the refusal from the program.
    const isOpen = maintenanceMessage === null || (method === 'OPTIONS' && !is404)
    if (isOpen) done()
    else done(maintenance(maintenanceMessage))
  }
}
