import type { FastifyRequest } from 'fastify'
import type { Context } from '#server/house/context.ts'
import { maintenance } from '#server/house/errors/errors.ts'

/**
 * An onRequest hook: refuses before a key is looked up or a body is read, in the words of each protocol.
 * Routes at which suppliers, gateways and Telegram report events stay open.
 */
export function refuseInMaintenance(ctx: Context) {
  return ({ method, is404 }: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void => {
    const { maintenanceMessage } = ctx.config
    // The CORS preflight is still answered; without that answer a browser hides the refusal from the program.
    const isOpen = maintenanceMessage === null || (method === 'OPTIONS' && !is404)
    if (isOpen) done()
    else done(maintenance(maintenanceMessage))
  }
}
