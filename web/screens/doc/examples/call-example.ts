import type { ReferenceCall } from '#contract/calls/reference-calls.ts'
import { fillPath, toQuery } from '#web/session/api-client.ts'
import { type CodeLanguage, type ExampleRequest, isPlainKey, KEY, ONCE } from './request.ts'
import { literal } from './typescript.ts'
import { writeExample } from './write-example.ts'

type Values = ReferenceCall['example']
type Reader = { site: string; apiKey: string }

/** Writes a call of our own API. The TypeScript is for our typed client; other languages need no library. */
export function callExample(call: ReferenceCall, language: CodeLanguage, { site, apiKey }: Reader): string {
  if (language !== 'typescript') return writeExample(language, requestOf(call, site), apiKey)
  return [
    clientExample({ site, apiKey }),
    '',
    typescriptExample(call),
    'console.log(JSON.stringify(reply, null, 2))',
  ].join('\n')
}

export function requestOf(call: ReferenceCall, site: string): ExampleRequest {
  const body = valuesIn(call, 'body')
  const hasBody = Object.keys(body).length > 0
  return {
    method: call.method,
    url: site + addressOf(call, valuesIn(call, 'address')),
    headers: {
      ...(call.scope !== null && { Authorization: `Bearer ${KEY}` }),
      ...(call.once && { 'Idempotency-Key': ONCE }),
      ...(hasBody && { 'Content-Type': 'application/json' }),
    },
    body: hasBody ? body : null,
  }
}

export function valuesIn({ fields, example }: ReferenceCall, place: 'address' | 'body'): Values {
  const names = fields.filter((field) => (field.in === 'body') === (place === 'body')).map(({ name }) => name)
  return Object.fromEntries(names.flatMap((name) => (name in example ? [[name, example[name] ?? null]] : [])))
}

export function addressOf({ path }: Pick<ReferenceCall, 'path'>, values: Record<string, unknown>): string {
  const filled = fillPath(path, values)
  return filled.path + toQuery(filled.rest)
}

export function clientExample({ site, apiKey }: Reader): string {
  const key = isPlainKey(apiKey) ? `'${apiKey}'` : `process.env.RINGPOST_KEY ?? ''`
  return [
    `import { createRingpost } from 'ringpost'`,
    '',
    `const ringpost = createRingpost({ site: '${site}', key: ${key} })`,
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
