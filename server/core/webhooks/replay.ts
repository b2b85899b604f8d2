import { MINUTE } from '#contract/time.ts'
import { TEST_EVENT } from '#contract/webhooks/webhook.ts'
import { wakeWebhooks } from '#server/core/webhooks/sending/wake-webhooks.ts'
import type { Context } from '#server/house/context.ts'
import { forbidden, notFound, webhookOff } from '#server/house/errors/errors.ts'
import { type Member, mayRead } from '#server/house/http/caller.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { type DeliveryRow, findDelivery, insertTest, replayDelivery } from './queries/deliveries.ts'
import { findEndpoint } from './queries/endpoints.ts'
import { requireEndpoint } from './require-endpoint.ts'

/** The rate limit exists because replays are free and send requests in our name to any address. */
const perUser = createRateLimit({ name: 'webhook replays of a user', burst: 20, refillMs: MINUTE / 10 })

type Asked = { endpointId: number; delivery: number | bigint }

/** Sends a test event, which is delivered as any other event. Throws NOT_FOUND, WEBHOOK_OFF, TOO_MANY_REQUESTS. */
export async function sendTest(ctx: Context, { userId }: Member, endpointId: number): Promise<DeliveryRow> {
  await perUser.spend(ctx, String(userId))
  const now = ctx.clock.now()
  const id = await insertTest(ctx.db, { endpointId, userId, event: TEST_EVENT, now })
  if (id === null) throw await explain(ctx, userId, { endpointId, delivery: 0 })
  return sent(ctx, userId, { endpointId, delivery: id })
}

/**
 * Sends a delivery again under its id, so that a program recognises the replay. The reply contains the body with the
 * texts of a message. Throws NOT_FOUND, WEBHOOK_OFF, TOO_MANY_REQUESTS, and FORBIDDEN for an API key that may not read
 * codes.
 */
export async function replay(ctx: Context, member: Member, asked: Asked & { delivery: number }) {
  const { userId } = member
  await perUser.spend(ctx, String(userId))
  if (!mayRead(member)) {
    await requireEndpoint(ctx, { id: asked.endpointId, userId })
    throw forbidden()
  }
  const { endpointId, delivery: id } = asked
  if (!(await replayDelivery(ctx.db, { endpointId, userId, id, now: ctx.clock.now() }))) {
    throw await explain(ctx, userId, asked)
  }
  return sent(ctx, userId, asked)
}

async function sent(ctx: Context, userId: number, { endpointId, delivery }: Asked): Promise<DeliveryRow> {
  const row = await findDelivery(ctx.db, { endpointId, userId, id: delivery })
  if (row === null) throw notFound()
  wakeWebhooks(ctx)
  return row
}

async function explain(ctx: Context, userId: number, { endpointId, delivery }: Asked) {
  const endpoint = await findEndpoint(ctx.db, { id: endpointId, userId, now: ctx.clock.now() })
  if (endpoint === null) return notFound()
  const isKnown = delivery === 0 || (await findDelivery(ctx.db, { endpointId, userId, id: delivery })) !== null
  return isKnown ? webhookOff() : notFound()
}
