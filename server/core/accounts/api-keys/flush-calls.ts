import type { Context } from '#server/house/context.ts'
import { type KeyCallLine, keyCallLogOf } from './call-log.ts'
import { addCalls, trimCalls } from './call-log-queries.ts'

const BATCH = 1_000

export async function flushKeyCalls(ctx: Context): Promise<void> {
  const { lines, dropped } = keyCallLogOf(ctx).takeAll()
  if (dropped > 0) ctx.log.warn({ dropped }, 'calls of API keys were not written down: too many at once')
  await write(ctx, lines)
}

/** Stores the buffered call-log lines of one API key, so that viewing a key does not store those of all keys. */
export async function flushCallsOf(ctx: Context, keyId: number): Promise<void> {
  await write(ctx, keyCallLogOf(ctx).takeOf(keyId))
}

async function write(ctx: Context, lines: readonly KeyCallLine[]): Promise<void> {
  let written = 0
  try {
    while (written < lines.length) {
      const batch = lines.slice(written, written + BATCH)
      await addCalls(ctx.db, batch)
      written += batch.length
      await trimCalls(ctx.db, [...new Set(batch.map(({ keyId }) => keyId))])
    }
  } catch (error) {
    keyCallLogOf(ctx).giveBack(lines.slice(written))
    throw error
  }
}
