/** `1` and `true` are yes; anything else is no. */
export function readFlag(text: string | undefined): boolean {
  return text === '1' || text?.toLowerCase() === 'true'
}
