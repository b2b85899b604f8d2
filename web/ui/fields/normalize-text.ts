/** What a text field makes of its input: no space before it, and one where several were (product.md section 5). Never for passwords. */
export function normalizeText(text: string): string {
  return text.trimStart().replace(/\s+/g, ' ')
}
