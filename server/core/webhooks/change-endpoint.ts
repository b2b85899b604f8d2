import type { z } from 'zod'
import { HOUR } from '#contract/time.ts'
import type { editWebhookInputSchema } from '#contract/webhooks/webhook.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { notFound } from '#server/house/errors/errors.ts'
import type { Member } from '#server/house/http/caller.ts'
import { confirmWayOut, requireMaker } from './confirm-way-out.ts'
import { eventsOf, hostOf, type MadeEndpoint } from './make-endpoint.ts'
import { changeEndpoint, deleteEndpoint, type EndpointRow, findEndpoint, rotateEndpoint } from './queries/endpoints.ts'
import { makeSecret } from './secret.ts'
import { limitNewAddresses, tellOwner } from './tell-owner.ts'

type Edit = z.output<typeof editWebhookInputSchema>

/**
 * Changes a webhook endpoint. A new URL needs a confirmation and is mailed to the owner. Throws NOT_FOUND,
 * CONFIRM_PASSWORD, FORBIDDEN, INVALID_INPUT, TOO_MANY_REQUESTS.
 */
export async function editEndpoint(ctx: Context, member: Member, { id, ...edit }: Edit): Promise<EndpointRow> {
  const own = { id, userId: member.userId, now: ctx.clock.now() }
  const before = await findEndpoint(ctx.db, own)
  if (before === null) throw notFound()
  requireMaker(member.key, before)
  const moved = edit.url === undefined ? null : { url: edit.url, host: hostOf(ctx, edit.url) }
  if (moved !== null) await confirmWayOut(ctx, member, before)
  const isElsewhere = moved !== null && moved.url !== before.url
  if (isElsewhere) await limitNewAddresses(ctx, member.userId)
  const change = {
    ...(edit.label !== undefined && { label: edit.label }),
    ...moved,
    ...(edit.events !== undefined && { events: eventsOf(before.form, edit.events) }),
    ...(edit.on !== undefined && { on: edit.on }),
  }
  return transaction(ctx.db, async (tx) => {
    const row = await changeEndpoint(tx, own, change)
    if (row === null) throw notFound()
    if (isElsewhere) await tellOwner(ctx, tx, { userId: row.user_id, label: row.label, host: moved.host, moved: true })
    return row
  })
}

/**
 * Gives an endpoint a new secret; the old also signs during the overlap. Throws NOT_FOUND, CONFIRM_PASSWORD, FORBIDDEN.
 * Throws NOT_FOUND also if the endpoint's form is `field`, which has no signature and so no secret.
 */
export async function rotateSecret(
  ctx: Context,
  member: Member,
  input: { id: number; overlap_hours: number },
): Promise<MadeEndpoint> {
  const now = ctx.clock.now()
  const own = { id: input.id, userId: member.userId, now }
  const before = await findEndpoint(ctx.db, own)
  if (before === null) throw notFound()
  await confirmWayOut(ctx, member, before)
  const { secret, sealed } = makeSecret(ctx)
  const row = await rotateEndpoint(ctx.db, {
    ...own,
    secret: sealed,
    previousUntil: input.overlap_hours === 0 ? null : new Date(now.getTime() + input.overlap_hours * HOUR),
  })
  if (row === null) throw notFound()
  return { row, secret }
}

/** Deletes an endpoint. Throws NOT_FOUND, FORBIDDEN. */
export async function removeEndpoint(ctx: Context, { userId, key }: Member, id: number): Promise<void> {
  const before = await findEndpoint(ctx.db, { id, userId, now: ctx.clock.now() })
  if (before === null) throw notFound()
  requireMaker(key, before)
  if (!(await deleteEndpoint(ctx.db, { id, userId }))) throw notFound()
}
