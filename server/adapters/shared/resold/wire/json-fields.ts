export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function textOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value === 'string' && value !== '') return value
  return null
}

/** Reads a time, which is UTC if it has no zone. Returns null if the value is no time. */
export function readTime(value: unknown): { at: Date; zoned: boolean } | null {
  const text = textOf(value)
  if (text === null || !/^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}/.test(text)) return null
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(text)
  const at = new Date(`${text.replace(' ', 'T')}${zoned ? '' : 'Z'}`)
  return Number.isNaN(at.getTime()) ? null : { at, zoned }
}
