import { MINUTE, SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import type { Gateway } from '#server/gateways/gateway.ts'
import { withTimeout } from '#server/with-timeout.ts'
import { noteFailure, noteSuccess } from './queries/gateways.ts'

const GATEWAY_TIMEOUT_MS = 10 * SECOND
/** Of the words of a failure, which may be a page of HTML. */
const FAILURE_LENGTH = 300

/** Every call of a gateway goes through here: it has a time-out, and `gateway:list` shows how it ended. */
export async function callGateway<T>(
  ctx: Context,
  gateway: Gateway,
  call: (signal: AbortSignal) => Promise<T>,
  timeoutMs = GATEWAY_TIMEOUT_MS,
): Promise<T> {
  const { id, code } = gateway
  try {
    const answer = await withTimeout(timeoutMs, call)
    const now = ctx.clock.now()
    await noteSuccess(ctx.db, { id, now, before: new Date(now.getTime() - MINUTE) })
    return answer
  } catch (error) {
    const failure = (error instanceof Error ? error.message : String(error)).slice(0, FAILURE_LENGTH)
    ctx.log.warn({ error, gateway: code }, 'a gateway did not answer')
    await noteFailure(ctx.db, { id, now: ctx.clock.now(), failure })
    throw error
  }
}
