import { z } from 'zod'
import { EXPORT_DAYS } from '#contract/account-constants.ts'
import { DAY, MEBIBYTE } from '#contract/time.ts'
import { findUser, type UserRow } from '#server/core/accounts/users/queries.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { dropChunks, type ExportRow, findWaitingExport, insertChunk, storeReady, storeTooLarge } from './queries.ts'
import { beginSnapshot } from './row-queries.ts'
import { TooLarge, writeArchive } from './write-archive.ts'

/** The maximum size of an export made by the job; larger exports are made by the command `user:export`. */
const MAX_EXPORT_BYTES = 64 * MEBIBYTE
const CHUNK_BYTES = MEBIBYTE

const payloadSchema = z.object({ exportId: z.coerce.bigint() })

/**
 * Makes an export: one transaction writes the file, another its state and the mail. After a crash between them, the job
 * starts over. The first may not queue jobs, because its snapshot would always conflict with newer changes of the
 * queue.
 */
export async function makeExport(ctx: Context, payload: unknown): Promise<void> {
  const { exportId } = payloadSchema.parse(payload)
  const row = await findWaitingExport(ctx.db, exportId)
  const user = row === null ? null : await findUser(ctx.db, row.user_id)
  if (row === null || user === null) return
  try {
    const now = ctx.clock.now()
    const bytes = await transaction(ctx.db, (tx) => storeArchive(tx, { row, user, now }))
    await transaction(ctx.db, (tx) => noteReady(ctx, tx, { row, user, bytes }))
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    ctx.log.warn({ userId: user.id, exportId }, 'an export is too large: make it by user:export')
    await storeTooLarge(ctx.db, exportId)
  }
}

async function storeArchive(tx: Db, { row, user, now }: { row: ExportRow; user: UserRow; now: Date }): Promise<number> {
  await beginSnapshot(tx)
  await dropChunks(tx, row.id)
  const timeZone = user.settings.time_zone ?? 'UTC'
  const archive = { userId: user.id, locale: user.locale, timeZone, at: now, mostBytes: MAX_EXPORT_BYTES }
  let gathered: Uint8Array[] = []
  let size = 0
  let place = 0
  const flush = async () => {
    await insertChunk(tx, { exportId: row.id, place, body: Buffer.concat(gathered) })
    place += 1
    gathered = []
    size = 0
  }
  const bytes = await writeArchive(tx, archive, async (part) => {
    gathered.push(part)
    size += part.length
    if (size >= CHUNK_BYTES) await flush()
  })
  if (size > 0) await flush()
  return bytes
}

async function noteReady(
  ctx: Context,
  tx: Db,
  { row, user, bytes }: { row: ExportRow; user: UserRow; bytes: number },
): Promise<void> {
  const now = ctx.clock.now()
  const expiresAt = new Date(now.getTime() + EXPORT_DAYS * DAY)
  const isStored = await storeReady(tx, { id: row.id, bytes, now, expiresAt })
  if (!isStored || user.email === null) return
  const mail = { kind: 'export-ready' as const, until: expiresAt.toISOString() }
  await queueMail(ctx, tx, { to: user.email, locale: user.locale, mail })
}
