import { MINUTE } from '#contract/time.ts'
import { ticketPath } from '#server/core/support/ticket-path.ts'
import type { Notice } from './buyer-rows.ts'
import { at, type PastFacts, type StoredOrder } from './order-rows.ts'
import type { StoredTopUp } from './payment-rows.ts'
import type { Row } from './row-queries.ts'
import { type PastTicket, pastTickets } from './tickets.ts'

type Known = {
  buyerId: number
  otherIds: readonly number[]
  orders: readonly StoredOrder[]
  topUps: readonly StoredTopUp[]
  ids: readonly bigint[]
}

export const TICKETS = pastTickets.length

export function ticketRows(known: Known, facts: PastFacts): { tickets: Row[]; messages: Row[]; notices: Notice[] } {
  const written = pastTickets.map((ticket, place) => ({
    ticket,
    id: known.ids[place] ?? 0n,
    userId: ticket.of === 'buyer' ? known.buyerId : (known.otherIds[ticket.of] ?? known.buyerId),
  }))
  return {
    tickets: written.map((one) => ticketRow(one, known, facts)),
    messages: written.flatMap(({ ticket, id, userId }) =>
      ticket.lines.map(({ by, agoMinutes, text }) => ({
        ticket_id: id,
        author_id: by === 'member' ? userId : facts.staffId,
        kind: by,
        body: text,
        created_at: at(facts.nowMs - agoMinutes * MINUTE),
      })),
    ),
    notices: written.flatMap(({ ticket, id }) => answerNotice(ticket, { id, nowMs: facts.nowMs })),
  }
}

function ticketRow(
  { ticket, id, userId }: { ticket: PastTicket; id: bigint; userId: number },
  known: Known,
  facts: PastFacts,
): Row {
  const { lines, isClosed = false, isUnread = false, isTaken = false } = ticket
  const time = (minutes: number) => at(facts.nowMs - minutes * MINUTE)
  const shown = lines.filter(({ by }) => by !== 'note')
  const [first, last] = [shown[0], shown.at(-1)]
  if (first === undefined || last === undefined) throw new Error('a ticket has a message')
  const lastAnswer = shown.findLast(({ by }) => by === 'staff')
  const waiting = shown.slice(lastAnswer === undefined ? 0 : shown.indexOf(lastAnswer) + 1)
  const isOpen = !isClosed && waiting.length > 0
  const closedAfterMinutes = isClosed ? 6 : 0
  return {
    id,
    user_id: userId,
    category: ticket.category,
    subject: ticket.subject,
    ...aboutOf(ticket, userId, { known, beforeMs: facts.nowMs - first.agoMinutes * MINUTE }),
    state: isClosed ? 'closed' : isOpen ? 'open' : 'answered',
    waits_since: isOpen ? time(waiting[0]?.agoMinutes ?? 0) : null,
    answered_by: lastAnswer === undefined ? null : facts.staffId,
    unread_member: isUnread ? 1 : 0,
    unread_staff: isOpen ? waiting.length : 0,
    messages_count: shown.length,
    created_at: time(first.agoMinutes),
    changed_at: time(last.agoMinutes - closedAfterMinutes),
    closed_at: isClosed ? time(last.agoMinutes - closedAfterMinutes) : null,
    taken_by: isTaken || lastAnswer !== undefined ? facts.staffId : null,
    taken_at: isTaken || lastAnswer !== undefined ? time((lastAnswer ?? lines.at(-1) ?? first).agoMinutes) : null,
  }
}

/** Finds the member's newest purchase or payment of the kind that was there when the ticket was opened. */
function aboutOf(
  { about }: PastTicket,
  userId: number,
  { known, beforeMs }: { known: Known; beforeMs: number },
): { activation_id: bigint | null; payment_id: bigint | null } {
  const order = known.orders.findLast(
    (one) => one.userId === userId && one.endedAtMs < beforeMs && one.messages.length > 0 === (about === 'code'),
  )
  const topUp = known.topUps.findLast((one) => one.userId === userId && one.atMs < beforeMs)
  return {
    activation_id: about === 'code' || about === 'no-code' ? (order?.id ?? null) : null,
    payment_id: about === 'payment' ? (topUp?.id ?? null) : null,
  }
}

function answerNotice(
  { of, lines, subject, isUnread }: PastTicket,
  { id, nowMs }: { id: bigint; nowMs: number },
): Notice[] {
  const answer = lines.findLast(({ by }) => by === 'staff')
  if (of !== 'buyer' || answer === undefined) return []
  const told = {
    kind: 'ticket-answer',
    details: { subject },
    link: ticketPath(id),
    key: `ticket-answer:${id}`,
  } as const
  return [{ ...told, atMs: nowMs - answer.agoMinutes * MINUTE, isUnread: isUnread === true }]
}
