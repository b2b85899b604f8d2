import type { FastifyRequest } from 'fastify'

/** Query and body merged: trimmed text, never empty. */
export type Parameters = Readonly<Record<string, string>>

/** How JavaScript and Python write a missing value; the field's services ignore it too. */
const ABSENT = new Set(['', 'undefined', 'null', 'None'])

/** A PHP client writes a list as `name[]=a&name[]=b`. */
const LIST_MARK = '[]'

/**
 * The body wins over the query and the last repetition wins, as in PHP. Content types are unreliable, so the body's
 * format is detected. An unreadable body has no parameters.
 */
export async function readParameters(request: FastifyRequest): Promise<Parameters> {
  const body = typeof request.body === 'string' ? await readBody(request.body.trim()) : []
  const merged = new Map<string, string>()
  const lists = new Map<string, string[]>()
  for (const [written, value] of [...Object.entries(request.query ?? {}), ...body]) {
    const name = written.trim()
    if (name.endsWith(LIST_MARK)) {
      const list = name.slice(0, -LIST_MARK.length)
      const entries = lists.get(list) ?? []
      // In place: a body of thousands of entries must not be copied for each.
      entries.push(...entriesOf(value))
      lists.set(list, entries)
    } else {
      const text = toText(value)
      if (!ABSENT.has(text)) merged.set(name, text)
    }
  }
  for (const [name, entries] of lists) if (entries.length > 0) merged.set(name, entries.join())
  return Object.fromEntries(merged)
}

async function readBody(body: string): Promise<[string, unknown][]> {
  if (body === '') return []
  if (body.startsWith('{')) return readJson(body)
  if (body.startsWith('--')) return readMultipart(body)
  return [...new URLSearchParams(body)]
}

function readJson(body: string): [string, unknown][] {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : []
  } catch {
    return []
  }
}

/** The boundary is the first line, because some clients omit it from the header. */
async function readMultipart(body: string): Promise<[string, unknown][]> {
  const boundary = body.slice(2, body.search(/\r|\n|$/))
  try {
    const headers = { 'content-type': `multipart/form-data; boundary="${boundary.replaceAll(/["\\]/g, '')}"` }
    // The trimmed body lost its line end, which multipart requires.
    const form = await new Response(`${body}\r\n`, { headers }).formData()
    return [...form]
  } catch {
    return []
  }
}

function entriesOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(toText).filter((text) => !ABSENT.has(text))
}

function toText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.trim()
    case 'number':
    case 'boolean':
      return String(value)
    case 'object':
      // The last of a repeated parameter counts; lists of this protocol are comma-separated.
      return Array.isArray(value) ? toText(value.at(-1)) : ''
    default:
      return ''
  }
}
