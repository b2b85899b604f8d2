import type { ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import type { MessageRow } from '#server/core/numbers/listing/queries/messages.ts'

export const MESSAGES_READ = 20

type Asked = Pick<ActivationRow, 'state' | 'again_asked_at' | 'code'>

/** The message of the standing code, or the newest with one, since the last request: an older code is never told again. */
export function currentMessage(row: Asked, newestFirst: readonly MessageRow[]): MessageRow | undefined {
  const askedAt = row.state === 'waiting_again' ? null : row.again_asked_at
  const fresh = askedAt === null ? newestFirst : newestFirst.filter((message) => message.received_at > askedAt)
  // With request and message in the same millisecond, the newest message is the answer.
  const pool = fresh.length > 0 ? fresh : newestFirst.slice(0, 1)
  const standing = pool.find((message) => message.code !== null && message.code === row.code)
  return standing ?? pool.find((message) => message.code !== null) ?? pool[0]
}

/** Falls back to the text where no code was recognised. */
export function codeOrText(message: MessageRow | undefined): string {
  return message?.code ?? message?.body ?? ''
}
