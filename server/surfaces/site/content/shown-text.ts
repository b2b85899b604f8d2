import type { FileKind } from './content-file.ts'
import type { Text } from './read-content.ts'

export function shownText({ front, html, headings }: Text<FileKind>) {
  return { title: front.title, description: front.description, updated: front.updated, html, headings }
}
