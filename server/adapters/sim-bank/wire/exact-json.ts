/**
 * Parses JSON with whole numbers of any size. The protocol's ids may have 19 digits, so unsafe numbers become bigint.
 * Returns null if the text is no JSON object.
 */
export function parseExact(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text, toExact)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

export function writeExact(value: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(value).filter(([, each]) => each !== undefined)
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${write(each)}`).join(',')}}`
}

function write(value: unknown): string {
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
}

const WHOLE = /^\d{1,20}$/

function toExact(this: unknown, _name: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value
  return WHOLE.test(source) ? BigInt(source) : value
}
