import type { ActivationRecord, MessageRecord } from '#contract/activation.ts'
import type { NumberRecord } from '#web/live/numbers-cache.ts'

/** Its words are not shown, because nobody has paid for them. */
export function isClosed({ notice, withheld }: MessageRecord): boolean {
  return notice === true && withheld === true
}

/** They can still be opened. Newest first. */
export function closedNotices({ state, messages }: Pick<ActivationRecord, 'state' | 'messages'>): MessageRecord[] {
  if (state !== 'waiting') return []
  return messages.filter(isClosed).toSorted((one, other) => other.id - one.id)
}

/** All but the notices that can be opened: these stand together, in ticket/closed-notice.tsx. */
export function listedMessages(record: NumberRecord): MessageRecord[] {
  return record.state === 'waiting' ? record.messages.filter((message) => !isClosed(message)) : record.messages
}
