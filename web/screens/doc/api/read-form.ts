import type { ReferenceCall } from '#contract/calls/reference-calls.ts'

export type Typed = { fields: Readonly<Record<string, string>>; body: string }
/** By the name of a field; `body` for the body. */
export type FormErrors = Readonly<Record<string, 'required' | 'notJson'>>
export type Read = { address: Record<string, string>; body: object | null; errors: FormErrors }

/** Names of what is missing in the path, and whether the body is an object. The server judges the rest. */
export function readForm(call: ReferenceCall, { fields, body }: Typed): Read {
  const address: Record<string, string> = {}
  const errors: Record<string, 'required' | 'notJson'> = {}
  for (const { name, in: place } of call.fields) {
    const text = (fields[name] ?? '').trim()
    if (place === 'path' && text === '') errors[name] = 'required'
    if (place !== 'body') address[name] = text
  }
  const parsed = hasBody(call) ? parseObject(body) : null
  if (hasBody(call) && parsed === null) errors.body = 'notJson'
  return { address, body: parsed, errors }
}

export function hasBody({ fields }: Pick<ReferenceCall, 'fields'>): boolean {
  return fields.some((field) => field.in === 'body')
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** What an HTTP header can carry: a key with anything else was not copied whole. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text)
}
