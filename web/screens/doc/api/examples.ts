import type { ReferenceCall } from '#contract/calls/reference-calls.ts'
import { fillPath, toQuery } from '#web/session/api-client.ts'

type Values = ReferenceCall['example']

export function valuesIn({ fields, example }: ReferenceCall, place: 'address' | 'body'): Values {
  const names = fields.filter((field) => (field.in === 'body') === (place === 'body')).map(({ name }) => name)
  return Object.fromEntries(names.flatMap((name) => (name in example ? [[name, example[name] ?? null]] : [])))
}

export function addressOf({ path }: Pick<ReferenceCall, 'path'>, values: Record<string, unknown>): string {
  const filled = fillPath(path, values)
  return filled.path + toQuery(filled.rest)
}

/** Returns a curl command that works unchanged, with the API key in the variable RINGPOST_KEY. */
export function curlExample(call: ReferenceCall, site: string): string {
  const body = valuesIn(call, 'body')
  const hasBody = Object.keys(body).length > 0
  const lines = [
    `curl ${methodOption(call, hasBody)}"${site}${addressOf(call, valuesIn(call, 'address'))}"`,
    ...(call.scope === null ? [] : ['-H "Authorization: Bearer $RINGPOST_KEY"']),
    ...(call.once ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(hasBody ? ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body)}'`] : []),
  ]
  return lines.join(' \\\n  ')
}

/** Returns curl's option -X, or nothing if curl itself chooses: GET without a body, POST with a body. */
function methodOption({ method }: ReferenceCall, hasBody: boolean): string {
  return method === 'GET' || (method === 'POST' && hasBody) ? '' : `-X ${method} `
}

export function clientExample(site: string): string {
  return [
    `import { createRingpost } from 'ringpost'`,
    '',
    `const ringpost = createRingpost({ site: '${site}', key: process.env.RINGPOST_KEY ?? '' })`,
  ].join('\n')
}

/** Returns a call of clients/typescript: path (in camel case) and query are one argument, the body is the second. */
export function typescriptExample(call: ReferenceCall): string {
  const inPath = new Set(call.fields.filter((field) => field.in === 'path').map(({ name }) => name))
  const address = Object.entries(valuesIn(call, 'address')).map(([name, value]) => [
    inPath.has(name) ? camelCase(name) : name,
    value,
  ])
  const given = [Object.fromEntries(address) as Values, valuesIn(call, 'body')].filter(
    (one) => Object.keys(one).length > 0,
  )
  return `const reply = await ringpost.${call.id.replace('_', '.')}(${given.map(literal).join(', ')})`
}

function camelCase(name: string): string {
  return name.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase())
}

function literal(value: Values[string] | Values): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'string') return `'${value}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const pairs = Object.entries(value).map(([name, one]) => `${name}: ${literal(one)}`)
  return `{ ${pairs.join(', ')} }`
}
