import type { ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import type { MessageRow } from '#server/core/numbers/listing/queries/messages.ts'

export const MESSAGES_READ = 20

type Asked = Pick<ActivationRow, 'state' | 'again_asked_at' | 'code'>

/**
 * Returns the message of the current code, or the newest message with a code. After a request for another code, earlier
 * codes are never returned.
 */
export function currentMessage(row: Asked, newestFirst: readonly MessageRow[]): MessageRow | undefined {
  const askedAt = row.state === 'waiting_again' ? null : row.again_asked_at
  const fresh = askedAt === null ? newestFirst : newestFirst.filter((message) => message.received_at > askedAt)
  // If the request and a message share a millisecond, no message seems newer. The newest message is then the reply.
  const pool = fresh.length > 0 ? fresh : newestFirst.slice(0, 1)
  const standing = pool.find((message) => message.code !== null && message.code === row.code)
  return standing ?? pool.find((message) => message.code !== null) ?? pool[0]
}

export function codeOrText(message: MessageRow | undefined): string {
  return message?.code ?? message?.body ?? ''
}
