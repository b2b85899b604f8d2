import type { ActivationRow } from '#server/numbers/activations/queries/row.ts'
import type { MessageRow } from '#server/numbers/listing/queries/messages.ts'

/** Messages looked at to find the one that counts. */
export const MESSAGES_READ = 20

/**
 * The message a client is told of: of those that came since it asked for another code, the newest with a code, else the
 * newest. An older code is never told as the answer to a new question. `newestFirst` are messages of `row`.
 */
export function currentMessage(row: ActivationRow, newestFirst: readonly MessageRow[]): MessageRow | undefined {
  const askedAt = row.state === 'waiting_again' ? null : row.again_asked_at
  const fresh = askedAt === null ? newestFirst : newestFirst.filter((message) => message.received_at > askedAt)
  // With the question and its answer in one millisecond nothing is "since": then the newest alone is the answer.
  const pool = fresh.length > 0 ? fresh : newestFirst.slice(0, 1)
  return pool.find((message) => message.code !== null) ?? pool[0]
}

/** Its code; where none was recognised, its text. */
export function codeOrText(message: MessageRow | undefined): string {
  return message?.code ?? message?.body ?? ''
}
