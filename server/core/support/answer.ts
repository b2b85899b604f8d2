import { notify } from '#server/core/notifications/notify.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { announceMessage } from './announce.ts'
import { queueMailCheck } from './queries/mails.ts'
import { noteAnswered } from './queries/messages.ts'
import type { MessageRow, TicketRow } from './queries/row.ts'
import { lockMember, lockTicket } from './queries/tickets.ts'
import { ticketPath } from './ticket-path.ts'
import { findWritten, writeMessage } from './write-message.ts'

/**
 * Writes an answer, or a note that users never see. The caller has checked that the author is staff. Throws NOT_FOUND,
 * TOO_MANY_REQUESTS, TOO_MANY_FILES, INVALID_INPUT.
 */
export async function answerTicket(
  ctx: Context,
  input: {
    ticketId: bigint
    staffId: number
    kind: 'staff' | 'note'
    text: string
    files: number[]
    idempotencyKey: string | undefined
    /** The caller's work in the transaction that stores a new message. An error rolls the message back. */
    alongside?: (tx: Db, written: { ticket: TicketRow; message: MessageRow }) => Promise<void>
  },
): Promise<MessageRow> {
  const { ticketId, staffId, kind } = input
  const wanted = { ...input, authorId: staffId }
  const written = await transaction(ctx.db, async (tx) => {
    await lockMember(tx, staffId)
    const ticket = await lockTicket(tx, { id: ticketId, userId: null })
    if (ticket === null) throw notFound()
    const earlier = await findWritten(tx, wanted)
    if (earlier !== null) return { ticket, message: earlier, isNew: false }
    const message = await writeMessage(ctx, tx, wanted)
    if (kind === 'staff') {
      await noteAnswered(tx, { id: ticketId, staffId, now: ctx.clock.now() })
      await queueMailCheck(tx, { ticketId, afterMs: 0, despiteChat: false })
      await tellMember(tx, { ticket, message }, ctx.clock.now())
    }
    await input.alongside?.(tx, { ticket, message })
    return { ticket, message, isNew: true }
  })
  if (written.isNew && kind === 'staff') announceMessage(ctx, written)
  return written.message
}

async function tellMember(
  tx: Db,
  { ticket, message }: { ticket: TicketRow; message: MessageRow },
  now: Date,
): Promise<void> {
  const { id, user_id: userId, subject } = ticket
  const dedupeKey = `ticket-answer:${message.id}`
  await notify(tx, { userId, kind: 'ticket-answer', details: { subject }, link: ticketPath(id), dedupeKey }, now)
}
