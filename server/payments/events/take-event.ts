import { MINUTE } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { forbidden, notFound } from '#server/errors.ts'
import type { Gateway, RawEvent, ReadEvent } from '#server/gateways/gateway.ts'
import { checkPayment } from '../check-payment.ts'
import { countTry, insertEvent, type StoredEvent, settleEvent, wasProcessed } from '../queries/events.ts'
import { findPaymentOf } from '../queries/payments.ts'
import { countForgery, refuseForger, trustNetwork } from './forgeries.ts'

/** An event may be faster than the answer to the creation of its payment. */
const UNKNOWN_AFTER_MS = 10 * MINUTE

/**
 * Stores what a gateway sent as it came, then reads and verifies it. Resolves when it is stored and genuine.
 * The payment is asked about in the background; `reconcilePayments` does it if this process ends meanwhile.
 * Throws NOT_FOUND, FORBIDDEN, TOO_MANY_REQUESTS.
 */
export async function takeEvent(ctx: Context, event: RawEvent & { code: string; network: string }): Promise<void> {
  const gateway = ctx.gateways.byCode(event.code)?.gateway
  if (gateway?.readEvent === undefined) throw notFound()
  refuseForger(ctx, event.network)
  const id = await insertEvent(ctx.db, { ...event, gatewayId: gateway.id })
  const read = readGenuine(ctx, gateway, event)
  if (read === null) {
    countForgery(ctx, event.network)
    await settleEvent(ctx.db, { id, state: 'refused', eventId: null, paymentId: null, now: ctx.clock.now() })
    throw forbidden()
  }
  trustNetwork(ctx, event.network)
  ctx.background.run('process an event', () => processEvent(ctx, { id, gateway, read, receivedAt: event.receivedAt }))
}

/** Again, with what is stored. */
export async function processStored(ctx: Context, stored: StoredEvent): Promise<void> {
  const { id, received_at: receivedAt, headers, body, address } = stored
  const gateway = ctx.gateways.get(stored.gateway_id)?.gateway
  if (gateway === undefined) return
  await countTry(ctx.db, id)
  const read = readGenuine(ctx, gateway, { headers, body, address, receivedAt })
  const now = ctx.clock.now()
  if (read === null) return settleEvent(ctx.db, { id, state: 'refused', eventId: null, paymentId: null, now })
  await processEvent(ctx, { id, gateway, read, receivedAt })
}

function readGenuine(ctx: Context, gateway: Gateway, event: RawEvent): ReadEvent | null {
  try {
    return gateway.readEvent?.(event) ?? null
  } catch (error) {
    ctx.log.warn({ error, gateway: gateway.code }, 'an event of a gateway could not be read')
    return null
  }
}

async function processEvent(
  ctx: Context,
  event: { id: bigint; gateway: Gateway; read: ReadEvent; receivedAt: Date },
): Promise<void> {
  const { id, gateway, read } = event
  const { eventId } = read
  const settle = (state: 'processed' | 'unknown' | 'repeated', paymentId: bigint | null) =>
    settleEvent(ctx.db, { id, state, eventId, paymentId, now: ctx.clock.now() })
  if (await wasProcessed(ctx.db, { gatewayId: gateway.id, eventId })) return settle('repeated', null)
  if ((read.transactionId ?? read.providerId ?? read.depositId) === undefined) return settle('unknown', null)
  const paymentId = await findPaymentOf(ctx.db, {
    gatewayId: gateway.id,
    transactionId: read.transactionId ?? null,
    providerId: read.providerId ?? null,
    depositId: read.depositId ?? null,
  })
  if (paymentId !== null) {
    await checkPayment(ctx, paymentId)
    return settle('processed', paymentId)
  }
  if (ctx.clock.now().getTime() - event.receivedAt.getTime() > UNKNOWN_AFTER_MS) return settle('unknown', null)
}
