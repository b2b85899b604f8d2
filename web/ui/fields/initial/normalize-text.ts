/** Returns text without leading and repeated spaces (specification 5). Never use it for passwords. */
export function normalizeText(text: string): string {
  return text.trimStart().replace(/\s+/g, ' ')
}
