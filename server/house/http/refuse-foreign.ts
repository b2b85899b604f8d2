import type { Context } from '#server/house/context.ts'
import { forbidden } from '#server/house/errors/errors.ts'
import type { Wire } from './call.ts'
import { originOf } from './request-origin.ts'

/** CSRF protection of calls that give a browser a session, or a part in one. Throws FORBIDDEN. */
export function refuseForeign(ctx: Context, wire: Wire | undefined): void {
  if (wire !== undefined && originOf(ctx.config, wire.request) === 'foreign') throw forbidden()
}
