import { type ExampleRequest, expression } from './request.ts'

export function phpExample({ method, url, headers, body }: ExampleRequest): string {
  const headerLines = Object.entries(headers).map(([name, value]) => `        ${written(`${name}: ${value}`)},`)
  return [
    '<?php',
    `$curl = curl_init(${written(url)});`,
    'curl_setopt_array($curl, [',
    '    CURLOPT_RETURNTRANSFER => true,',
    ...(method === 'GET' ? [] : [`    CURLOPT_CUSTOMREQUEST => '${method}',`]),
    ...(headerLines.length === 0 ? [] : ['    CURLOPT_HTTPHEADER => [', ...headerLines, '    ],']),
    ...(body === null ? [] : [`    CURLOPT_POSTFIELDS => json_encode(${literal(body)}),`]),
    ']);',
    'echo curl_exec($curl);',
  ].join('\n')
}

function written(text: string): string {
  return expression(text, { quote, key: `getenv('RINGPOST_KEY')`, once: 'bin2hex(random_bytes(16))', plus: ' . ' })
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'string') return quote(value)
  if (typeof value !== 'object' || value === null) return String(value)
  return `[${Object.entries(value)
    .map(([name, one]) => `${quote(name)} => ${literal(one)}`)
    .join(', ')}]`
}
