import type { AboutInput } from '#contract/support/support.ts'
import type { SupportCategory } from '#contract/support/support-constants.ts'
import { announceToStaff } from '#server/core/support/announce-to-staff.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { idempotencyConflict } from '#server/house/errors/buying-errors.ts'
import { tooManyRequests } from '#server/house/errors/errors.ts'
import { hashParts } from '#server/house/hash-parts.ts'
import { requireAbout } from './about.ts'
import { announceMessage } from './announce.ts'
import { MAX_TICKETS_A_DAY, openLimitOf } from './limits.ts'
import type { AboutRow } from './queries/about.ts'
import type { MessageRow, TicketRow } from './queries/row.ts'
import { countOpen, findTicketByKey, insertTicket, lockMember } from './queries/tickets.ts'
import { tooManyTickets } from './support-errors.ts'
import { writeMessage } from './write-message.ts'

/** The time after which a user who opened the day's maximum of tickets may retry. */
const COME_AGAIN_SECONDS = 3_600

export type TicketWish = {
  userId: number
  category: SupportCategory
  subject: string
  text: string
  about: AboutInput | undefined
  files: number[]
  idempotencyKey: string | undefined
}

/**
 * Opens a ticket. Throws NOT_FOUND (also for a purchase of another user), TOO_MANY_TICKETS, TOO_MANY_REQUESTS,
 * TOO_MANY_FILES, INVALID_INPUT, IDEMPOTENCY_CONFLICT.
 */
export async function openTicket(ctx: Context, wish: TicketWish): Promise<TicketRow> {
  const about = wish.about === undefined ? null : await requireAbout(ctx, wish.userId, wish.about)
  const inputHash = wish.idempotencyKey === undefined ? null : hashWish(wish)
  const { ticket, message } = await transaction(ctx.db, async (tx) => {
    // The lock serialises requests with one idempotency key and makes the limits exact.
    const openLimit = openLimitOf(await lockMember(tx, wish.userId))
    const earlier = await findEarlier(tx, wish, inputHash)
    return earlier === null
      ? insert(ctx, tx, { wish, about, inputHash, openLimit })
      : { ticket: earlier, message: null }
  })
  if (message !== null) {
    announceMessage(ctx, { ticket, message })
    ctx.background.run('announce', () => announceToStaff(ctx, ticket.id))
  }
  return ticket
}

async function insert(
  ctx: Context,
  tx: Db,
  {
    wish,
    about,
    inputHash,
    openLimit,
  }: { wish: TicketWish; about: AboutRow | null; inputHash: string | null; openLimit: number },
): Promise<{ ticket: TicketRow; message: MessageRow }> {
  const { userId, category, subject, text, files } = wish
  const rowOf = (kind: AboutRow['kind']) => (about?.kind === kind ? about.row_id : null)
  const ticket = await insertTicket(tx, {
    userId,
    category,
    subject,
    inputHash,
    activationId: rowOf('activation'),
    rentalId: rowOf('rental'),
    paymentId: rowOf('payment'),
    idempotencyKey: wish.idempotencyKey ?? null,
    openLimit,
    dayLimit: MAX_TICKETS_A_DAY,
    now: ctx.clock.now(),
  })
  if (ticket === null) throw await explainRefusal(tx, userId, openLimit)
  const message = await writeMessage(ctx, tx, { ticketId: ticket.id, authorId: userId, kind: 'member', text, files })
  return { ticket, message }
}

async function explainRefusal(tx: Db, userId: number, openLimit: number): Promise<Error> {
  if ((await countOpen(tx, userId)) >= openLimit) return tooManyTickets(openLimit)
  return tooManyRequests(COME_AGAIN_SECONDS)
}

async function findEarlier(tx: Db, wish: TicketWish, inputHash: string | null): Promise<TicketRow | null> {
  if (wish.idempotencyKey === undefined) return null
  const earlier = await findTicketByKey(tx, { userId: wish.userId, key: wish.idempotencyKey })
  if (earlier !== null && earlier.input_hash !== inputHash) throw idempotencyConflict()
  return earlier
}

function hashWish({ category, subject, text, about, files }: TicketWish): string {
  return hashParts([category, subject, text, about?.kind, about?.id, files])
}
