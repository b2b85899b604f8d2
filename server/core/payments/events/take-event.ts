import { MINUTE } from '#contract/time.ts'
import type { Gateway, RawEvent, ReadEvent } from '#server/core/gateways/gateway.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import { checkPayment } from '#server/core/payments/check-payment.ts'
import {
  countTry,
  type StoredEvent,
  settleEvent,
  settleRefused,
  settleRepeated,
} from '#server/core/payments/queries/events.ts'
import type { Context } from '#server/house/context.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { eventBatcherOf } from './event-batcher.ts'
import { refuseForged } from './forgeries.ts'

/** The time for which a webhook may name an unknown payment, whose id we may not have received yet. */
const UNKNOWN_AFTER_MS = 10 * MINUTE
/** The delay after which `reconcilePayments` checks the payment of a webhook whose process crashed. */
const ASKED_WITHIN_MS = MINUTE

/**
 * Stores a genuine webhook as received and checks its payment in the background. Throws NOT_FOUND, FORBIDDEN,
 * TOO_MANY_REQUESTS.
 */
export async function takeEvent(ctx: Context, event: RawEvent & { code: string; network: string }): Promise<void> {
  const gateway = gatewaysOf(ctx).byCode(event.code)?.gateway
  if (gateway?.readEvent === undefined) throw notFound()
  const read = readGenuine(ctx, gateway, event)
  if (read === null) return refuseForged(ctx, gateway, event)
  const checkAt = new Date(ctx.clock.now().getTime() + ASKED_WITHIN_MS)
  const { id, state, paymentId } = await eventBatcherOf(ctx).store(ctx, {
    ...event,
    gatewayId: gateway.id,
    read,
    checkAt,
  })
  if (state === 'repeated') return
  ctx.background.run('process an event', async () => {
    const told = { id, gatewayId: gateway.id, read, receivedAt: event.receivedAt, checkAt }
    const known = paymentId ?? (await processEvent(ctx, told))
    if (known !== null) await checkPayment(ctx, known)
  })
}

/** Processes a stored webhook; parses it unless it was parsed on arrival. Its payment is then due for a check. */
export async function processStored(ctx: Context, stored: StoredEvent): Promise<void> {
  const { id, gateway_id: gatewayId, received_at: receivedAt, headers, body, address } = stored
  const gateway = gatewaysOf(ctx).get(gatewayId)?.gateway
  const now = ctx.clock.now()
  await countTry(ctx.db, id)
  const unread = () => gateway && readGenuine(ctx, gateway, { headers, body, address, receivedAt })
  const read = stored.read ?? unread()
  if (read === undefined) return
  if (read === null) return settleRefused(ctx.db, { id, now })
  await processEvent(ctx, { id, gatewayId, read, receivedAt, checkAt: now })
}

/** Returns null for a forged or malformed webhook. The gateway then repeats it, and other webhooks are unaffected. */
function readGenuine(ctx: Context, gateway: Gateway, event: RawEvent): ReadEvent | null {
  try {
    return gateway.readEvent?.(event) ?? null
  } catch (error) {
    ctx.log.warn({ error, gateway: gateway.code }, 'an event of a gateway could not be read')
    return null
  }
}

/** Settles a webhook. Returns its payment, or null for a repeated webhook or one that names no known payment. */
async function processEvent(
  ctx: Context,
  event: { id: bigint; gatewayId: number; read: ReadEvent; receivedAt: Date; checkAt: Date },
): Promise<bigint | null> {
  const { id, gatewayId, read, checkAt } = event
  const { eventId, transactionId = null, providerId = null, depositId = null } = read
  const now = ctx.clock.now()
  const isOld = now.getTime() - event.receivedAt.getTime() > UNKNOWN_AFTER_MS
  const isLast = isOld || (transactionId ?? providerId ?? depositId) === null
  try {
    const named = { transactionId, providerId, depositId }
    return await settleEvent(ctx.db, { id, gatewayId, eventId, ...named, isLast, checkAt, now })
  } catch (error) {
    if (!isUniqueViolation(error, 'gateway_events_once')) throw error
    await settleRepeated(ctx.db, { id, eventId, now })
    return null
  }
}
