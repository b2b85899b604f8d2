import { webhooks } from '#contract/calls/webhook-calls.ts'
import type { WebhookDelivery, WebhookRecord } from '#contract/webhooks/webhook.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { idempotencyKeyOf } from '#server/house/http/idempotency-key.ts'
import { editEndpoint, removeEndpoint, rotateSecret } from './change-endpoint.ts'
import { type MadeEndpoint, makeEndpoint } from './make-endpoint.ts'
import { type DeliveryRow, listDeliveries } from './queries/deliveries.ts'
import { type EndpointRow, listEndpoints } from './queries/endpoints.ts'
import { replay, sendTest } from './replay.ts'
import { requireEndpoint } from './require-endpoint.ts'
import { bodyOf, webhookIdOf } from './sending/body.ts'

export const webhookCalls: Call[] = [
  route(webhooks.list, async (ctx, { member }) => {
    const rows = await listEndpoints(ctx.db, { userId: member.userId, now: ctx.clock.now() })
    return { status: true as const, data: rows.map(toRecord) }
  }),
  route(webhooks.make, async (ctx, { member }, input, wire) =>
    toMade(await makeEndpoint(ctx, member, { ...input, idempotencyKey: idempotencyKeyOf(wire) })),
  ),
  route(webhooks.change, async (ctx, { member }, input) => ({
    status: true as const,
    data: toRecord(await editEndpoint(ctx, member, input)),
  })),
  route(webhooks.remove, async (ctx, { member }, { id }) => {
    await removeEndpoint(ctx, member, id)
    return { status: true as const }
  }),
  route(webhooks.rotate, async (ctx, { member }, input) => toMade(await rotateSecret(ctx, member, input))),
  route(webhooks.test, async (ctx, { member }, { id }) => toDeliveryReply(await sendTest(ctx, member, id))),
  route(webhooks.deliveries, async (ctx, { member }, { id, state = null, before = null, per_page: limit }) => {
    await requireEndpoint(ctx, { id, userId: member.userId })
    const rows = await listDeliveries(ctx.db, { endpointId: id, userId: member.userId, state, before, limit })
    const next = rows.length < limit ? null : Number(rows.at(-1)?.id)
    return { status: true as const, data: rows.map(toDelivery), next }
  }),
  route(webhooks.replay, async (ctx, { member }, { id, delivery }) =>
    toDeliveryReply(await replay(ctx, member, { endpointId: id, delivery })),
  ),
]

function toMade({ row, secret }: MadeEndpoint) {
  return { status: true as const, data: toRecord(row), secret }
}

function toRecord(row: EndpointRow): WebhookRecord {
  return {
    id: row.id,
    label: row.label,
    url: row.url,
    form: row.form,
    events: row.events,
    on: row.state === 'on',
    off_reason: row.off_reason,
    failing_since: row.failing_since?.toISOString() ?? null,
    previous_until: row.previous_until?.toISOString() ?? null,
    key_id: row.api_key_id,
    created_at: row.created_at.toISOString(),
  }
}

function toDeliveryReply(row: DeliveryRow) {
  return { status: true as const, data: toDelivery(row) }
}

function toDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: Number(row.id),
    webhook_id: webhookIdOf(row.id),
    event: row.event,
    at: row.at.toISOString(),
    state: row.state,
    tries: row.tries,
    took_ms: row.took_ms,
    status: row.status,
    failure: row.failure,
    next_at: row.state === 'waiting' ? row.next_at.toISOString() : null,
    tried_at: row.tried_at?.toISOString() ?? null,
    body: bodyOf(row.form, row),
    reply: row.reply,
  }
}
