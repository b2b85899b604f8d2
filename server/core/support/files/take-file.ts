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

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const JPEG = Buffer.from([0xff, 0xd8, 0xff])
const PDF = Buffer.from('%PDF-')
const PDF_END = Buffer.from('%%EOF')
/** The end mark of a PDF is searched in this many last bytes, because some programs write a few lines after it. */
const PDF_END_WITHIN = 1_024

type Taken = { content: Buffer; type: FileType; width: number | null; height: number | null }

/**
 * Stores an uploaded file. `claimed` is the declared content type. Throws BAD_FILE, TOO_MANY_FILES, TOO_MANY_REQUESTS.
 */
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

/** Control characters and marks that change the writing direction are removed from names. */
const UNFIT_IN_NAMES = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069"\\]/gu

/** Returns a file name as shown and saved; a name without valid characters becomes `file`. */
export function tidyName(name: string): string {
  const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const tidy = last.replaceAll(UNFIT_IN_NAMES, '').replaceAll(/\s+/g, ' ').trim()
  return tidy === '' ? 'file' : [...tidy].slice(-FILE_NAME_MAX_LENGTH).join('')
}

function recogniseFile(content: Buffer): FileType | null {
  const begins = (with_: Buffer, at = 0) => content.subarray(at, at + with_.length).equals(with_)
  if (begins(PNG)) return 'image/png'
  if (begins(JPEG)) return 'image/jpeg'
  if (begins(Buffer.from('RIFF')) && begins(Buffer.from('WEBP'), 8)) return 'image/webp'
  if (begins(PDF) && content.subarray(-PDF_END_WITHIN).includes(PDF_END)) return 'application/pdf'
  return null
}

/**
 * Returns true if a file's type fits the declared one. Any picture type fits, because phones often declare a wrong one.
 */
function isClaimKept(claimed: string, type: FileType): boolean {
  const name = claimed.split(';')[0]?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'application/octet-stream') return true
  return type === 'application/pdf' ? name === type : name.startsWith('image/') && name !== 'image/svg+xml'
}
