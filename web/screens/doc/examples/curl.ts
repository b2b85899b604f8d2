import { type ExampleRequest, KEY, ONCE } from './request.ts'

export function curlExample({ method, url, headers, body }: ExampleRequest): string {
  const lines = [
    `curl ${methodOption(method, body !== null)}"${filled(url)}"`,
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${filled(value)}"`),
    ...(body === null ? [] : [`-d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`]),
  ]
  return lines.join(' \\\n  ')
}

/** Returns curl's option -X, or nothing if curl itself chooses: GET without a body, POST with a body. */
function methodOption(method: string, hasBody: boolean): string {
  return method === 'GET' || (method === 'POST' && hasBody) ? '' : `-X ${method} `
}

function filled(text: string): string {
  return text.replaceAll(KEY, '$RINGPOST_KEY').replaceAll(ONCE, '$(openssl rand -hex 16)')
}
