import { type ExampleRequest, expression, holds, ONCE } from './request.ts'

export function goExample(request: ExampleRequest): string {
  const { method, url, headers, body } = request
  const once = holds(request, ONCE)
  const imports = [
    ...(once ? ['crypto/rand', 'fmt'] : []),
    ...['io', 'log', 'net/http', 'os'],
    ...(body === null ? [] : ['strings']),
  ]
  const sent = body === null ? 'nil' : `strings.NewReader(\`${JSON.stringify(body)}\`)`
  return [
    'package main',
    '',
    'import (',
    ...imports.map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    ...(once ? ['\tonce := make([]byte, 16)', '\trand.Read(once)'] : []),
    `\trequest, err := http.NewRequest("${method}", ${written(url)}, ${sent})`,
    ...FAIL,
    ...Object.entries(headers).map(([name, value]) => `\trequest.Header.Set("${name}", ${written(value)})`),
    '\treply, err := http.DefaultClient.Do(request)',
    ...FAIL,
    '\tdefer reply.Body.Close()',
    '\tio.Copy(os.Stdout, reply.Body)',
    '}',
  ].join('\n')
}

const FAIL = ['\tif err != nil {', '\t\tlog.Fatal(err)', '\t}']

function written(text: string): string {
  return expression(text, {
    quote: (piece) => JSON.stringify(piece),
    key: 'os.Getenv("RINGPOST_KEY")',
    once: 'fmt.Sprintf("%x", once)',
    plus: ' + ',
  })
}
