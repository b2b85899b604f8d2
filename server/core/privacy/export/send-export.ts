import { Readable } from 'node:stream'
import { requireSession } from '#server/core/accounts/sessions/require-session.ts'
import { requireConfirmed } from '#server/core/accounts/ways-in/require-confirmed.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { findReadyExport, readChunk } from './queries.ts'

/**
 * Streams an export in chunks, so that a slow download holds neither memory nor a connection. Throws NOT_FOUND,
 * CONFIRM_PASSWORD, and FORBIDDEN for an API key.
 */
export async function sendExport(
  ctx: Context,
  caller: MemberCaller,
  { id }: { id: number },
  wire?: Wire,
): Promise<Readable> {
  if (wire === undefined) throw new Error('a file is sent over HTTP only')
  const signedIn = requireSession(caller)
  const { userId } = signedIn
  const row = await findReadyExport(ctx.db, { id: BigInt(id), userId, now: ctx.clock.now() })
  if (row === null) throw notFound()
  await requireConfirmed(ctx, signedIn)
  const day = row.asked_at.toISOString().slice(0, 10)
  wire.reply.type('application/zip')
  wire.reply.header('content-disposition', `attachment; filename="ringpost-data-${day}.zip"`)
  return Readable.from(chunksOf(ctx, row.id), { objectMode: false, highWaterMark: 1 })
}

async function* chunksOf({ db }: Context, exportId: bigint): AsyncGenerator<Buffer> {
  for (let place = 0; ; place += 1) {
    const chunk = await readChunk(db, { exportId, place })
    if (chunk === null) return
    yield chunk
  }
}
