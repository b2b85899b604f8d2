import { TICKET_MAX_BYTES, TICKET_MAX_FILES } from '#contract/support/support-constants.ts'
import { MEBIBYTE } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { idempotencyConflict } from '#server/house/errors/buying-errors.ts'
import { wordsOf } from '#server/house/errors/error-words.ts'
import { invalidInput, tooManyRequests } from '#server/house/errors/errors.ts'
import { hashParts } from '#server/house/hash-parts.ts'
import { MAX_MESSAGES_A_DAY, MAX_MESSAGES_A_MINUTE } from './limits.ts'
import { attachFiles, findMessageByKey, insertMessage } from './queries/messages.ts'
import type { MessageKind, MessageRow } from './queries/row.ts'
import { tooManyFiles } from './support-errors.ts'

const MAX_ANSWERS_A_MINUTE = 60
const MAX_ANSWERS_A_DAY = 5_000
const MINUTE_SECONDS = 60

export type NewMessage = {
  ticketId: bigint
  authorId: number
  kind: MessageKind
  text: string
  files: number[]
  idempotencyKey?: string | undefined
}

/**
 * Writes a message with its files in the caller's transaction. Throws TOO_MANY_REQUESTS, TOO_MANY_FILES, INVALID_INPUT.
 */
export async function writeMessage(ctx: Context, tx: Db, input: NewMessage): Promise<MessageRow> {
  const { ticketId, authorId, kind, text, files, idempotencyKey } = input
  const isMember = kind === 'member'
  const message = await insertMessage(tx, {
    ticketId,
    authorId,
    kind,
    body: text,
    idempotencyKey: idempotencyKey ?? null,
    inputHash: idempotencyKey === undefined ? null : hashMessage(input),
    minuteLimit: isMember ? MAX_MESSAGES_A_MINUTE : MAX_ANSWERS_A_MINUTE,
    dayLimit: isMember ? MAX_MESSAGES_A_DAY : MAX_ANSWERS_A_DAY,
    now: ctx.clock.now(),
  })
  if (message === null) throw tooManyRequests(MINUTE_SECONDS)
  const outcome = await attachFiles(tx, { ticketId, messageId: message.id, userId: authorId, files })
  if (outcome === 'missing') throw invalidInput({ files: [wordsOf('field.files')] })
  if (outcome === 'full') {
    throw tooManyFiles('TOO_MANY_FILES', { files: TICKET_MAX_FILES, megabytes: TICKET_MAX_BYTES / MEBIBYTE })
  }
  return message
}

/** Returns the message written earlier with the same idempotency key. Throws IDEMPOTENCY_CONFLICT. */
export async function findWritten(tx: Db, input: NewMessage): Promise<MessageRow | null> {
  if (input.idempotencyKey === undefined) return null
  const earlier = await findMessageByKey(tx, { authorId: input.authorId, key: input.idempotencyKey })
  if (earlier !== null && earlier.input_hash !== hashMessage(input)) throw idempotencyConflict()
  return earlier
}

function hashMessage({ ticketId, kind, text, files }: NewMessage): string {
  return hashParts([ticketId.toString(), kind, text, files])
}
