import type { z } from 'zod'

export type Schema = z.core.JSONSchema.JSONSchema
export type Schemas = Readonly<Record<string, unknown>>

const INDENT = '  '
const DEEPEST = 6

export function typeOfInput(schema: Schema): string {
  return write(schema, { schemas: {}, limits: true, depth: 0 })
}

export function typeOfReply(schema: Schema, schemas: Schemas): string {
  return write(schema, { schemas, limits: false, depth: 0 })
}

type Writing = { schemas: Schemas; limits: boolean; depth: number }

function write(schema: Schema, writing: Writing): string {
  if (schema.$ref !== undefined) return writeNamed(schema.$ref, writing)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.map((choice) => write(toSchema(choice), writing)).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  switch (schema.type) {
    case 'array':
      return writeArray(schema, writing)
    case 'object':
      return writeObject(schema, writing)
    case 'string':
      return (schema.format ?? 'string') + range(schema.minLength, schema.maxLength, writing)
    case 'integer':
    case 'number':
      return schema.type + range(schema.minimum, schema.maximum, writing)
    default:
      return schema.type ?? 'unknown'
  }
}

function writeNamed(ref: string, writing: Writing): string {
  const name = ref.split('/').at(-1) ?? ref
  const named = writing.schemas[name]
  if (named === undefined || writing.depth > DEEPEST) return name
  return write(toSchema(named), writing)
}

function writeArray(schema: Schema, writing: Writing): string {
  const item = write(toSchema(schema.items), writing)
  const isLong = item.includes(' ') && !item.includes('\n')
  return (isLong ? `(${item})[]` : `${item}[]`) + range(schema.minItems, schema.maxItems, writing)
}

function writeObject(schema: Schema, writing: Writing): string {
  const inner = { ...writing, depth: writing.depth + 1 }
  const { properties, additionalProperties: others } = schema
  if (properties === undefined) {
    return typeof others === 'object' ? `{ [key]: ${write(others, inner)} }` : 'object'
  }
  const required = new Set(schema.required)
  const pad = INDENT.repeat(inner.depth)
  const lines = Object.entries(properties).map(
    ([name, value]) => `${pad}${name}${required.has(name) ? '' : '?'}: ${write(toSchema(value), inner)}`,
  )
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${INDENT.repeat(writing.depth)}}`
}

function range(least: number | undefined, most: number | undefined, { limits }: Writing): string {
  const from = isLimit(least) ? least : null
  const to = isLimit(most) ? most : null
  if (!limits || (from === null && to === null)) return ''
  if (to === null) return ` ≥ ${from}`
  return from === null ? ` ≤ ${to}` : ` ${from}…${to}`
}

/** Returns true if a number should be shown as a limit, which the largest and smallest safe integers are not. */
function isLimit(value: number | undefined): value is number {
  return value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER
}

/** Returns the value as a schema. `true`, Zod's only schema that is no object, allows anything like an empty schema. */
export function toSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {}
}
