import { createHash } from 'node:crypto'
import type { Context } from '#server/context.ts'
import type { Answer } from '../answer.ts'
import { createKept } from './kept.ts'

const ETAG_LETTERS = 22

const kept = createKept<Answer>()

export function keptReply(ctx: Context, key: string, make: () => string): Answer {
  return kept(ctx, key, () => {
    const json = Buffer.from(make())
    return { json, etag: `"${createHash('sha256').update(json).digest('base64url').slice(0, ETAG_LETTERS)}"` }
  })
}
