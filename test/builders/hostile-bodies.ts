import fc from 'fast-check'
import { expect } from 'vitest'
import { z } from 'zod'
import { splitKey } from '#server/house/http/call.ts'
import { calls } from '#server/programs/app.ts'
import { asText } from '#test/harness/calls.ts'
import type { TestApp } from '#test/harness/harness.ts'

const NASTY = [
  `'; DROP TABLE users; --`,
  `<script>alert(1)</script>`,
  `\${7*7}{{7*7}}`,
  `../../etc/passwd`,
  `\0`,
  `a\0b`,
  `\ud800`,
  `\u202e\uffff`,
  'x'.repeat(5_000),
  ' ',
  '',
  '-1',
  '0x10',
  '1e3',
  'NaN',
  '9007199254740993',
  '99999999999999999999999',
  'null',
  '__proto__',
  'constructor',
  '١٢٣٤٥٦',
  '123456',
  'aaaaa-bbbbb',
  'a@b.c',
  `${'a'.repeat(64)}@example.test`,
] as const

const hostileValue = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  fc.double(),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.constantFrom(...NASTY), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('id', '__proto__', 'toString', 'length'), fc.constantFrom(...NASTY), { maxKeys: 2 }),
)

type JsonSchema = {
  type?: string
  minLength?: number
  maxLength?: number
  pattern?: string
  enum?: unknown[]
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
}

/** Generates hostile bodies for the schema of a call: fields are missing, wrong or unknown. */
export function bodiesOf(schema: z.ZodType): fc.Arbitrary<Record<string, unknown>> {
  // The type `any` stands for parts of the schema that JSON Schema cannot express.
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    fc.oneof({ weight: 3, arbitrary: plausible(field) }, { weight: 2, arbitrary: hostileValue }),
  ])
  const known = fc.record<Record<string, unknown>>(Object.fromEntries(fields), { requiredKeys: [] })
  const strange = fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'toString', 'role', 'x'), hostileValue, {
    maxKeys: 2,
  })
  return fc
    .tuple(known, fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, strange))
    .map(([right, wrong]) => ({ ...wrong, ...right }))
}

function plausible(field: JsonSchema): fc.Arbitrary<unknown> {
  if (field.anyOf !== undefined) return fc.oneof(...field.anyOf.map(plausible))
  if (field.enum !== undefined) return fc.constantFrom(...field.enum)
  if (field.properties !== undefined) {
    return fc.record(
      Object.fromEntries(Object.entries(field.properties).map(([name, inner]) => [name, plausible(inner)])),
    )
  }
  if (field.type === 'boolean') return fc.boolean()
  if (field.type === 'integer' || field.type === 'number') return fc.nat()
  if (field.pattern !== undefined) return fc.stringMatching(new RegExp(field.pattern), { size: 'small' })
  const maxLength = Math.min(field.maxLength ?? 40, 300)
  return fc.string({ minLength: Math.min(field.minLength ?? 0, maxLength), maxLength })
}

const AT_ONCE = 25

/**
 * Sends `runs` hostile bodies to a call and expects no fault of the server. `before` gets each batch's number and moves
 * the clock, because of rate limits. Returns how often each status was answered.
 */
export async function hammer(
  t: TestApp,
  key: string,
  input: { runs: number; token?: string; headers?: Record<string, string>; before?: (batch: number) => void },
): Promise<Map<number, number>> {
  const call = calls.find((one) => one.key === key)
  if (call === undefined) throw new Error(`there is no call ${key}`)
  const { method, path } = splitKey(key)
  const bodies = fc.sample(bodiesOf(call.input), input.runs)
  const statuses = new Map<number, number>()
  for (let start = 0; start < bodies.length; start += AT_ONCE) {
    const batch = start / AT_ONCE
    input.before?.(batch)
    const work = bodies.slice(start, start + AT_ONCE).map(async (body, place) => {
      const response = await t.app.inject({
        method: method as 'GET' | 'POST' | 'DELETE' | 'PATCH',
        remoteAddress: addressOf(start + place),
        ...requestOf(method, path, body),
        headers: {
          ...(method !== 'GET' && method !== 'DELETE' && { 'content-type': 'application/json' }),
          ...(input.token !== undefined && { authorization: `Bearer ${input.token}` }),
          ...input.headers,
        },
      })
      if (!isAnswer(response)) {
        const log = t.log.lines.slice(-3)
        expect.unreachable(JSON.stringify({ key, body, status: response.statusCode, reply: response.body, log }))
      }
      statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1)
    })
    await Promise.all(work)
  }
  expect(t.log.lines.filter(({ level }) => level === 'error')).toEqual([])
  return statuses
}

function isAnswer({ statusCode, body }: { statusCode: number; body: string }): boolean {
  if (statusCode < 400) return true
  const { status, code } = JSON.parse(body) as { status?: unknown; code?: unknown }
  return statusCode < 500 && status === false && typeof code === 'string'
}

/** Returns the address of the nth body's sender, which is a new one for every hundredth body. */
function addressOf(run: number): string {
  return run % 100 === 0 ? `10.${(run >> 16) & 255}.${(run >> 8) & 255}.${run & 255}` : '127.0.0.1'
}

function requestOf(method: string, path: string, body: Record<string, unknown>): { url: string; payload?: string } {
  const rest = new Map(Object.entries(body))
  const url = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    // A path segment of one or two dots would change the path of the request.
    return encodeURIComponent(asText(value)).replaceAll('.', '%2E') || '%20'
  })
  if (method !== 'GET' && method !== 'DELETE') return { url, payload: JSON.stringify(Object.fromEntries(rest)) }
  const pairs = [...rest].map(([name, value]) => [name, asText(value)])
  return { url: pairs.length > 0 ? `${url}?${new URLSearchParams(pairs)}` : url }
}
