import type { Context } from '#server/house/context.ts'
import { forbidden } from '#server/house/errors/errors.ts'
import type { Wire } from './call.ts'
import { originOf } from './request-origin.ts'

/** Protects calls that open a session for a browser, or do a part of that, against CSRF. Throws FORBIDDEN. */
export function refuseForeign(ctx: Context, wire: Wire | undefined): void {
  if (wire !== undefined && originOf(ctx.config, wire.request) === 'foreign') throw forbidden()
}
