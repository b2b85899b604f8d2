import type { Context } from '#server/house/context.ts'
import { forbidden } from '#server/house/errors/errors.ts'
import type { Wire } from './call.ts'
import { originOf } from './request-origin.ts'

/** Throws FORBIDDEN if a foreign page sent the request (CSRF). Guards calls that open or prepare a session. */
export function refuseForeign(ctx: Context, wire: Wire | undefined): void {
  if (wire !== undefined && originOf(ctx.config, wire.request) === 'foreign') throw forbidden()
}
