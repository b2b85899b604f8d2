import type { ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import type { MessageRow } from '#server/core/numbers/listing/queries/messages.ts'

export const MESSAGES_READ = 20

type Asked = Pick<ActivationRow, 'state' | 'again_asked_at' | 'code'>

/**
 * Returns the message with the activation's current code, or else the newest message, if possible one with a code.
 * Messages before the buyer's request for another code are left out, unless the number still waits for that code.
 */
export function currentMessage(row: Asked, newestFirst: readonly MessageRow[]): MessageRow | undefined {
  const askedAt = row.state === 'waiting_again' ? null : row.again_asked_at
  const fresh = askedAt === null ? newestFirst : newestFirst.filter((message) => message.received_at > askedAt)
  // If the request and a message share a millisecond, no message seems newer, so the newest one is the reply.
  const pool = fresh.length > 0 ? fresh : newestFirst.slice(0, 1)
  const standing = pool.find((message) => message.code !== null && message.code === row.code)
  return standing ?? pool.find((message) => message.code !== null) ?? pool[0]
}

export function codeOrText(message: MessageRow | undefined): string {
  return message?.code ?? message?.body ?? ''
}
