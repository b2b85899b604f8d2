import type { Context } from '#server/house/context.ts'
import { forbidden } from '#server/house/errors/errors.ts'
import type { Wire } from './call.ts'
import { originOf } from './request-origin.ts'

/** Protects calls that give a browser a session, or a part in one, against CSRF. Throws FORBIDDEN. */
export function refuseForeign(ctx: Context, wire: Wire | undefined): void {
  if (wire !== undefined && originOf(ctx.config, wire.request) === 'foreign') throw forbidden()
}
