import type { Context } from '#server/context.ts'
import { forbidden } from '#server/errors.ts'
import type { Wire } from './call.ts'
import { originOf } from './request-origin.ts'

/**
 * For calls without a session that give this browser one, or a part in one: a form on another site must not have it take
 * part in what that site began. Throws FORBIDDEN.
 */
export function refuseForeign(ctx: Context, wire: Wire | undefined): void {
  if (wire !== undefined && originOf(ctx.config, wire.request) === 'foreign') throw forbidden()
}
