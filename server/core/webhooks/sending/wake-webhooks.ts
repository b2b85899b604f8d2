import type { Context } from '#server/house/context.ts'
import { tellNodesTogether } from '#server/house/news/tell.ts'
import { holdsLease } from '#server/house/nodes/node.ts'
import { webhookPostOf } from './post.ts'

/** Signals the node that sends webhooks that a delivery may be due. Call it after the commit; it never waits or fails. */
export function wakeWebhooks(ctx: Context): void {
  if (holdsLease(ctx, 'webhooks')) webhookPostOf(ctx).wake()
  else tellNodesTogether(ctx, { kind: 'webhooks-due' })
}
