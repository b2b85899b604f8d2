import type { About } from '#contract/support/support.ts'
import { SUPPORT_CATEGORIES, type SupportCategory } from '#contract/support/support-constants.ts'
import { EMPTY_MESSAGE, type MessageDraft, readMessageDraft } from '#web/support/message-draft.ts'

/** `about` is kind and id of a purchase or payment, or empty. */
export type TicketDraft = MessageDraft & { category: SupportCategory; subject: string; about: string }

export function keyOf({ kind, id }: Pick<About, 'kind' | 'id'>): string {
  return `${kind} ${id}`
}

export function firstDraft(wanted: About | undefined, subject: string): TicketDraft {
  const category = wanted?.kind === 'payment' ? 'payment' : 'number'
  return { ...EMPTY_MESSAGE, category, subject, about: wanted === undefined ? '' : keyOf(wanted) }
}

export function readTicketDraft(kept: unknown): Partial<TicketDraft> | null {
  const message = readMessageDraft(kept)
  if (message === null) return null
  const { category, subject, about } = kept as Partial<Record<keyof TicketDraft, unknown>>
  const known = SUPPORT_CATEGORIES.find((one) => one === category)
  return {
    ...message,
    ...(known === undefined ? {} : { category: known }),
    ...(typeof subject === 'string' ? { subject } : {}),
    ...(typeof about === 'string' ? { about } : {}),
  }
}
