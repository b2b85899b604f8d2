import type { SupportFile } from '#contract/support/support.ts'

export type MessageDraft = { text: string; files: SupportFile[] }

export const EMPTY_MESSAGE: MessageDraft = { text: '', files: [] }

/** Returns a stored draft; null if another version of the page stored it in another format. */
export function readMessageDraft(kept: unknown): MessageDraft | null {
  if (typeof kept !== 'object' || kept === null || !('text' in kept) || typeof kept.text !== 'string') return null
  const files = 'files' in kept && Array.isArray(kept.files) ? kept.files : []
  // The cast is safe, because only this module writes the files, and the server refuses unknown files.
  return { text: kept.text, files: files as SupportFile[] }
}
