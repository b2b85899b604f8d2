import type { ReferenceCall } from '#contract/calls/reference-calls.ts'

export type Typed = { fields: Readonly<Record<string, string>>; body: string }
/** The errors by field name. The body's error has the key `body`. */
export type FormErrors = Readonly<Record<string, 'required' | 'notJson'>>
export type Read = { address: Record<string, string>; body: object | null; errors: FormErrors }

/** Reads the form of a call. Reports only missing path fields and a body that is no object. */
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

/** Returns true if an HTTP header can carry the text. An API key with other characters was not copied completely. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text)
}
