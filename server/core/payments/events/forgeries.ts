import { createHash } from 'node:crypto'
import { KIBIBYTE, MINUTE, SECOND } from '#contract/time.ts'
import type { Gateway, RawEvent } from '#server/core/gateways/gateway.ts'
import { insertRefused } from '#server/core/payments/queries/events.ts'
import type { Context } from '#server/house/context.ts'
import { forbidden } from '#server/house/errors/errors.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'

/** The rate limits of stored forgeries, of which one week takes less than 200 MiB. */
const perNetwork = createRateLimit({ name: 'forged events of a network', burst: 30, refillMs: 2 * MINUTE })
const ofAll = createRateLimit({ name: 'forged events', burst: 300, refillMs: 10 * SECOND })
const ALL = 'all'
/** The beginning of a forged body shows what it was, and its hash finds it in the gateway's own log. */
const KEPT_BODY_BYTES = KIBIBYTE
const KEPT_HEADERS_LENGTH = 600

/**
 * Stores a trace of a forged webhook if the limits allow. Throws FORBIDDEN, or TOO_MANY_REQUESTS if nothing was stored.
 */
export async function refuseForged(
  ctx: Context,
  gateway: Gateway,
  event: RawEvent & { network: string },
): Promise<void> {
  await perNetwork.spend(ctx, event.network)
  await ofAll.spend(ctx, ALL)
  const body = event.body.subarray(0, KEPT_BODY_BYTES)
  const bodyHash = createHash('sha256').update(event.body).digest()
  const headers = beginningOf(event.headers)
  await insertRefused(ctx.db, { ...event, gatewayId: gateway.id, headers, body, bodyHash })
  throw forbidden()
}

function beginningOf(headers: Record<string, string>): Record<string, string> {
  let left = KEPT_HEADERS_LENGTH
  const kept: [string, string][] = []
  for (const [name, value] of Object.entries(headers)) {
    left -= name.length
    if (left <= 0) break
    kept.push([name, value.slice(0, left)])
    left -= value.length
  }
  return Object.fromEntries(kept)
}
