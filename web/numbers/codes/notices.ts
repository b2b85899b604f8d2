import type { ActivationRecord, MessageRecord } from '#contract/activation.ts'
import type { NumberRecord } from '#web/live/numbers-cache.ts'

/** Returns true for a notice (a message without a code) that the buyer has not paid to read. */
export function isClosed({ notice, withheld }: MessageRecord): boolean {
  return notice === true && withheld === true
}

export function closedNotices({ state, messages }: Pick<ActivationRecord, 'state' | 'messages'>): MessageRecord[] {
  if (state !== 'waiting') return []
  return messages.filter(isClosed).toSorted((one, other) => other.id - one.id)
}

/** Returns all messages except notices that the buyer can pay to read, which closed-notice.tsx shows. */
export function listedMessages(record: NumberRecord): MessageRecord[] {
  return record.state === 'waiting' ? record.messages.filter((message) => !isClosed(message)) : record.messages
}
