import type { Context } from '#server/house/context.ts'
import { forbidden } from '#server/house/errors/errors.ts'
import type { Wire } from './call.ts'
import { originOf } from './request-origin.ts'

/** Throws FORBIDDEN for a foreign page (CSRF). Guards calls that open a session for a browser, or prepare one. */
export function refuseForeign(ctx: Context, wire: Wire | undefined): void {
  if (wire !== undefined && originOf(ctx.config, wire.request) === 'foreign') throw forbidden()
}
