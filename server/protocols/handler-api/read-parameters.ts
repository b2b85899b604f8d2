import type { FastifyRequest } from 'fastify'
import type { Parameters } from './action.ts'

/** What JavaScript and Python write for a value that is not there. The field's services ignore such values. */
const ABSENT = new Set(['', 'undefined', 'null', 'None'])

/**
 * The parameters of a request: query and body merged; where both have one, the body's counts, and of a repeated one the
 * last, as in PHP. Clients send GET, POST with everything in the query, forms, PHP's multipart forms and JSON, not always
 * under the right content type, so a body is told by its looks. One that cannot be read has no parameters. A value that is
 * `ABSENT` is not there at all, whichever parameter it is of.
 */
export async function readParameters(request: FastifyRequest): Promise<Parameters> {
  const body = typeof request.body === 'string' ? await readBody(request.body.trim()) : []
  const merged = new Map<string, string>()
  for (const [name, value] of [...Object.entries(request.query ?? {}), ...body]) {
    const text = toText(value)
    if (!ABSENT.has(text)) merged.set(name.trim(), text)
  }
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

/** The boundary is the first line without its dashes: also where a client forgot to name it. */
async function readMultipart(body: string): Promise<[string, unknown][]> {
  const boundary = body.slice(2, body.search(/\r|\n|$/))
  try {
    const headers = { 'content-type': `multipart/form-data; boundary="${boundary.replaceAll(/["\\]/g, '')}"` }
    // The body was trimmed, and a multipart form ends in a line end.
    const form = await new Response(`${body}\r\n`, { headers }).formData()
    return [...form]
  } catch {
    return []
  }
}

function toText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.trim()
    case 'number':
    case 'boolean':
      return String(value)
    case 'object':
      // A parameter repeated in a query, or a list in JSON. Lists of this protocol are written with commas.
      return Array.isArray(value) ? toText(value.at(-1)) : ''
    default:
      return ''
  }
}
