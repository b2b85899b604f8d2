import type { FastifyRequest } from 'fastify'
import { malformedBody } from '#server/house/errors/errors.ts'

export type Parameters = Readonly<Record<string, string>>

/** The texts that JavaScript and Python clients send for a missing value, which other services ignore too. */
const ABSENT = new Set(['', 'undefined', 'null', 'None'])

const LINE_END = /\r?\n/
const PART = /^\r?\n(.*?)\r?\n\r?\n(.*)$/s
const FIELD_NAME = /;\s*name="?([^";\r\n]+)/i
const FILE_NAME = /;\s*filename/i

/** A PHP client writes a list as `name[]=a&name[]=b`. */
const LIST_MARK = '[]'

/**
 * Merges query and body. The body overrides the query, and the last repetition earlier ones, as in PHP. The body's
 * format is detected, because content types are unreliable. Throws MALFORMED_BODY for unreadable JSON, because a
 * maximum price in it must not be lost.
 */
export function readParameters(request: FastifyRequest): Parameters {
  const body = typeof request.body === 'string' ? readBody(request.body.trim()) : []
  const merged = new Map<string, string>()
  const lists = new Map<string, string[]>()
  for (const [written, value] of [...Object.entries(request.query ?? {}), ...body]) {
    const name = written.trim()
    if (name.endsWith(LIST_MARK)) {
      const list = name.slice(0, -LIST_MARK.length)
      const entries = lists.get(list) ?? []
      // Entries are added in place, because copying thousands for each would be slow.
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

function readBody(body: string): [string, unknown][] {
  if (body === '') return []
  if (body.startsWith('{') || body.startsWith('[')) return readJson(body)
  if (body.startsWith('--')) return readMultipart(body)
  return [...new URLSearchParams(body)]
}

function readJson(body: string): [string, unknown][] {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    throw malformedBody()
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw malformedBody()
  return Object.entries(parsed)
}

/** Reads fields that are no files. The boundary is the first line, because some clients omit it from the header. */
function readMultipart(body: string): [string, string][] {
  const [boundary = ''] = body.split(LINE_END, 1)
  return body.split(boundary).flatMap((part): [string, string][] => {
    const [, head = '', value = ''] = PART.exec(part) ?? []
    const name = FIELD_NAME.exec(head)?.[1]
    return name === undefined || FILE_NAME.test(head) ? [] : [[name, value]]
  })
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
      // If a parameter is repeated, the last one counts. Lists of this API are comma-separated.
      return Array.isArray(value) ? toText(value.at(-1)) : ''
    default:
      return ''
  }
}
