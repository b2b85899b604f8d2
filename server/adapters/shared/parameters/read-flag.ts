export function readFlag(text: string | undefined): boolean {
  return text === '1' || text?.toLowerCase() === 'true'
}
