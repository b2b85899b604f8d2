import type { TicketRefund } from '#contract/support/support.ts'

type Shown<Message> = { key: string; message: Message } | { key: string; refund: TicketRefund }

/** Sorts messages and refunds by time. If older messages are not loaded, earlier refunds are omitted. */
export function inOrder<Message extends { id: number; created_at: string }>(
  messages: readonly Message[],
  refunds: readonly TicketRefund[],
  hasOlder: boolean,
): Shown<Message>[] {
  const from = hasOlder ? (messages[0]?.created_at ?? '') : ''
  const lines: (Shown<Message> & { at: string })[] = [
    ...messages.map((message) => ({ key: `message ${message.id}`, at: message.created_at, message })),
    ...refunds
      .filter(({ at }) => at >= from)
      .map((refund, place) => ({ key: `refund ${refund.at} ${place}`, at: refund.at, refund })),
  ]
  return lines.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
}
