/** Returns true for `1` and `true`, and false for anything else. */
export function readFlag(text: string | undefined): boolean {
  return text === '1' || text?.toLowerCase() === 'true'
}
