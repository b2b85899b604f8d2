import type { MessageRecord } from '#contract/activation.ts'
import type { MessageRow } from './queries/messages.ts'

/** The maximum number of messages shown with a number; older messages are in the number's history. */
export const MESSAGES_SHOWN = 50

/** Removes code and messages from a record, for an API key that may buy but not read. */
export function withoutText<Told extends { code: string | null; messages: MessageRecord[] }>(record: Told): Told {
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

export function foldedRecord(count: number | undefined): { folded?: number } {
  return count === undefined ? {} : { folded: count }
}
