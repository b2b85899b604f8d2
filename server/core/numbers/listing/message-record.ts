import type { MessageRecord } from '#contract/activation.ts'
import type { MessageRow } from './queries/messages.ts'

/** Older messages are in the number's history. */
export const MESSAGES_SHOWN = 50

/** For a key that may buy and not read: that a message came, and not what it says. */
export function withoutWords<Told extends { code: string | null; messages: MessageRecord[] }>(record: Told): Told {
  return { ...record, code: null, messages: [] }
}

export function toMessageRecord(row: MessageRow): MessageRecord {
  return {
    id: Number(row.id),
    sender: row.sender,
    text: row.body ?? '',
    code: row.code,
    received_at: row.received_at.toISOString(),
    ...(row.late && { late: true as const }),
    ...(row.withheld && { withheld: true as const }),
    ...(row.notice === true && { notice: true as const }),
  }
}

/** `count`: of messages that are folded into one line. */
export function foldedRecord(count: number | undefined): { folded?: number } {
  return count === undefined ? {} : { folded: count }
}
