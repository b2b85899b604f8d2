import { DAY_MAX_BYTES, FILE_NAME_MAX_LENGTH, type FileType } from '#contract/support/support-constants.ts'
import { MEBIBYTE } from '#contract/time.ts'
import { emptyFile, otherFileType, tooManyFiles, unknownFileType } from '#server/core/support/support-errors.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { askerOf } from '#server/house/limits/fair-queue.ts'
import { insertFile } from '../queries/files.ts'
import type { FileRow } from '../queries/row.ts'
import { lockMember } from '../queries/tickets.ts'
import { encodePicture } from './encode-picture.ts'
import { pictureDecodingQueue } from './picture-decoding-queue.ts'
import { isClaimKept, recogniseFile } from './recognise.ts'

type Taken = { content: Buffer; type: FileType; width: number | null; height: number | null }

/** `claimed`: the content type that came with it. Throws BAD_FILE, TOO_MANY_FILES, TOO_MANY_REQUESTS. */
export async function takeFile(
  ctx: Context,
  input: { userId: number; name: string; claimed: string; content: Buffer },
): Promise<FileRow> {
  const { userId, name, claimed, content } = input
  if (content.length === 0) throw emptyFile(name)
  const type = recogniseFile(content)
  if (type === null) throw unknownFileType(name)
  if (!isClaimKept(claimed, type)) throw otherFileType(name)
  const taken = await pictureDecodingQueue.run(ctx, askerOf(userId, ''), async (): Promise<Taken> => {
    if (type === 'application/pdf') return { content, type, width: null, height: null }
    return encodePicture({ name, type, content })
  })
  const row = await transaction(ctx.db, async (tx) => {
    await lockMember(tx, userId)
    return insertFile(tx, { userId, name, ...taken, receivedBytes: content.length, now: ctx.clock.now() })
  })
  if (row === null) throw tooManyFiles('TOO_MANY_FILES.day', { megabytes: DAY_MAX_BYTES / MEBIBYTE })
  return row
}

/** Paths, control characters and marks that turn the direction of writing are left out. */
const UNFIT_IN_NAMES = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069"\\]/gu

/** As it is shown and saved; a name of nothing else becomes `file`. */
export function tidyName(name: string): string {
  const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const tidy = last.replaceAll(UNFIT_IN_NAMES, '').replaceAll(/\s+/g, ' ').trim()
  return tidy === '' ? 'file' : [...tidy].slice(-FILE_NAME_MAX_LENGTH).join('')
}
