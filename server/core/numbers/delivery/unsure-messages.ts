import { boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import { isDatabaseAway } from '#server/house/db/constraint.ts'
import { hashParts } from '#server/house/hash-parts.ts'
import { perContext } from '#server/house/memory.ts'
import { tellNodes } from '#server/house/news/tell.ts'
import type { NewMessage } from '../ownership/queries/message-row.ts'
import { announceAttached } from './attach-message.ts'
import { findStored } from './queries/store.ts'

/** The maximum number of remembered messages. The buyer of a forgotten message sees it after a reconnect. */
const MOST_UNSURE = 10_000

const unsureOf = perContext(
  'messages that may be stored',
  { scope: 'process', nodes: 'told', lost: 'nothing: listeners hear with their next connection' },
  () => boundedCache<string, true>(MOST_UNSURE),
)

/** Remembers a message whose commit has an unknown outcome, because its buyer may not have been notified. */
export function noteUnsure(ctx: Context, message: NewMessage, error: unknown): void {
  if (!isDatabaseAway(error)) return
  const name = nameOf(message)
  noteUnsureName(ctx, name)
  tellNodes(ctx, { kind: 'message-unsure', name })
}

/** Remembers such a message of another node, because the supplier may send it again to this one. */
export function noteUnsureName(ctx: Context, name: string): void {
  unsureOf(ctx).set(name, true)
}

/** Notifies the buyer of a message whose commit had an unknown outcome, once it came again and is found stored. */
export async function announceUnsure(ctx: Context, message: NewMessage): Promise<void> {
  if (!unsureOf(ctx).has(nameOf(message))) return
  const id = await findStored(ctx.db, message)
  if (id !== null) await announceAttached(ctx, id)
  forgetUnsure(ctx, message)
}

export function forgetUnsure(ctx: Context, message: NewMessage): void {
  unsureOf(ctx).delete(nameOf(message))
}

function nameOf({ supplierId, byContent, messageId, phone, sender, text }: NewMessage): string {
  return hashParts(byContent ? [supplierId, phone, sender, text] : [supplierId, messageId])
}
