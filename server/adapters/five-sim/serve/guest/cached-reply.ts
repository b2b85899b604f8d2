import { createHash } from 'node:crypto'
import type { Context } from '#server/house/context.ts'
import type { Answer } from '../answer.ts'
import { createReplyCache } from './reply-cache.ts'

const ETAG_LETTERS = 22

const kept = createReplyCache<Answer>('5sim lists')

/** Returns a reply that is cached until prices change, and for `cachedMs` even if they change. */
export function cachedReply(
  ctx: Context,
  key: string,
  make: () => Promise<string>,
  cachedMs?: number,
): Promise<Answer> {
  const write = async () => {
    const json = Buffer.from(await make())
    return { json, etag: `"${createHash('sha256').update(json).digest('base64url').slice(0, ETAG_LETTERS)}"` }
  }
  return kept(ctx, key, write, cachedMs)
}
