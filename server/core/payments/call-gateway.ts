import { MINUTE, SECOND } from '#contract/time.ts'
import type { Gateway } from '#server/core/gateways/gateway.ts'
import type { Context } from '#server/house/context.ts'
import { whyFailed } from '#server/house/http/outbound/why-failed.ts'
import { withTimeout } from '#server/house/with-timeout.ts'
import { noteFailure, noteSuccess } from './queries/gateways.ts'

const GATEWAY_TIMEOUT_MS = 10 * SECOND
/** The maximum length of a logged error message, which may be a page of HTML. */
const FAILURE_LENGTH = 300

/** Calls a payment gateway with a time-out and records the result. Logs the start and the end of an outage. */
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
    const failingSince = await noteSuccess(ctx.db, { id, now, before: new Date(now.getTime() - MINUTE) })
    if (failingSince !== null) ctx.log.warn({ gateway: code, failingSince }, 'a gateway answers again')
    return answer
  } catch (error) {
    const failure = whyFailed(error, FAILURE_LENGTH)
    ctx.log.debug({ error, gateway: code }, 'a call of a gateway failed')
    const begins = await noteFailure(ctx.db, { id, now: ctx.clock.now(), failure })
    if (begins) ctx.log.warn({ gateway: code, failure }, 'a gateway does not answer')
    throw error
  }
}
