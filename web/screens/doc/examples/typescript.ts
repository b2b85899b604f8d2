import { type ExampleRequest, KEY, ONCE } from './request.ts'

/** Writes a call of `fetch`, which Node, Deno, Bun and browsers have. */
export function fetchExample({ method, url, headers, body }: ExampleRequest): string {
  const headerLines = Object.entries(headers).map(([name, value]) => `    ${property(name)}: ${written(value)},`)
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headerLines.length === 0 ? [] : ['  headers: {', ...headerLines, '  },']),
    ...(body === null ? [] : [`  body: JSON.stringify(${literal(body)}),`]),
  ]
  return [
    options.length === 0
      ? `const reply = await fetch(${written(url)})`
      : `const reply = await fetch(${written(url)}, {`,
    ...options,
    ...(options.length === 0 ? [] : ['})']),
    'console.log(await reply.text())',
  ].join('\n')
}

function property(name: string): string {
  return /^\w+$/.test(name) ? name : `'${name}'`
}

function written(text: string): string {
  if (text === ONCE) return 'crypto.randomUUID()'
  const filled = text.replaceAll(KEY, KEY_IN_TEMPLATE)
  return filled === text ? quote(text) : `\`${filled}\``
}

/** In pieces, because the linter takes a quoted template for a mistake. */
const KEY_IN_TEMPLATE = ['$', '{process.env.RINGPOST_KEY}'].join('')

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

export function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'string') return quote(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const pairs = Object.entries(value).map(([name, one]) => `${property(name)}: ${literal(one)}`)
  return `{ ${pairs.join(', ')} }`
}
