import type { SupportFile } from '#contract/support/support.ts'

export type MessageDraft = { text: string; files: SupportFile[] }

export const EMPTY_MESSAGE: MessageDraft = { text: '', files: [] }

/** What another version of the page kept may have another shape. */
export function readMessageDraft(kept: unknown): MessageDraft | null {
  if (typeof kept !== 'object' || kept === null || !('text' in kept) || typeof kept.text !== 'string') return null
  const files = 'files' in kept && Array.isArray(kept.files) ? kept.files : []
  // Only this module writes them; what the server does not know it refuses.
  return { text: kept.text, files: files as SupportFile[] }
}
