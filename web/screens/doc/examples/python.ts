import { type ExampleRequest, expression, holds, KEY, ONCE } from './request.ts'

export function pythonExample(request: ExampleRequest): string {
  const { method, url, headers, body } = request
  const imports = [
    ...(body === null ? [] : ['json']),
    ...(holds(request, KEY) ? ['os'] : []),
    ...(holds(request, ONCE) ? ['uuid'] : []),
  ]
  const headerLines = Object.entries(headers).map(([name, value]) => `        "${name}": ${written(value)},`)
  return [
    ...(imports.length === 0 ? [] : [`import ${imports.join(', ')}`]),
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    `    ${written(url)},`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    ...(headerLines.length === 0 ? [] : ['    headers={', ...headerLines, '    },']),
    ...(body === null ? [] : [`    data=json.dumps(${literal(body)}).encode(),`]),
    ')',
    'with urlopen(request) as reply:',
    '    print(reply.read().decode())',
  ].join('\n')
}

function written(text: string): string {
  return expression(text, {
    quote: (piece) => JSON.stringify(piece),
    key: 'os.environ["RINGPOST_KEY"]',
    once: 'str(uuid.uuid4())',
    plus: ' + ',
  })
}

function literal(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}: ${literal(one)}`)
    .join(', ')}}`
}
