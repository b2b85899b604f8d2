import { KEY_CALLS_SHOWN } from '#contract/api-key.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { type KeyCallRow, listCalls } from './call-log-queries.ts'
import { flushCallsOf } from './flush-calls.ts'
import { hasKey } from './queries.ts'

/** Returns the last calls of an API key, including calls still buffered in memory. Throws NOT_FOUND. */
export async function listKeyCalls(ctx: Context, input: { id: number; userId: number }): Promise<KeyCallRow[]> {
  if (!(await hasKey(ctx.db, input))) throw notFound()
  await flushCallsOf(ctx, input.id)
  return listCalls(ctx.db, { keyId: input.id, limit: KEY_CALLS_SHOWN })
}
