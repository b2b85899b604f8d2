export const CODE_LANGUAGES = ['curl', 'typescript', 'python', 'php', 'go'] as const
export type CodeLanguage = (typeof CODE_LANGUAGES)[number]
export const CODE_LANGUAGE_NAMES: Readonly<Record<CodeLanguage, string>> = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
}

/** The two values that each language writes its own way: the reader's API key, and a new idempotency key. */
export const KEY = '{key}'
export const ONCE = '{once}'

/** A request of a program. The address and the headers may contain KEY, and the headers ONCE. */
export type ExampleRequest = {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: Readonly<Record<string, unknown>> | null
}

/** Replaces KEY by the key that the reader pasted. Without a usable key, the examples read RINGPOST_KEY. */
export function withKey(request: ExampleRequest, apiKey: string): ExampleRequest {
  if (!isPlainKey(apiKey)) return request
  const fill = (text: string) => text.replaceAll(KEY, apiKey)
  const headers = Object.entries(request.headers).map(([name, value]) => [name, fill(value)])
  return { ...request, url: fill(request.url), headers: Object.fromEntries(headers) as ExampleRequest['headers'] }
}

/** Returns true if examples may contain the key. Other characters would need quotes in five languages. */
export function isPlainKey(apiKey: string): boolean {
  return /^[\w-]{1,100}$/.test(apiKey)
}

type Spelling = {
  quote: (text: string) => string
  key: string
  once: string
  plus: string
}

/** Writes a text as an expression that joins quoted pieces with the values of KEY and ONCE. */
export function expression(text: string, { quote, key, once, plus }: Spelling): string {
  const pieces = text.split(/(\{key\}|\{once\})/).filter((piece) => piece !== '')
  return pieces.map((piece) => (piece === KEY ? key : piece === ONCE ? once : quote(piece))).join(plus)
}

export function holds(request: ExampleRequest, mark: string): boolean {
  return request.url.includes(mark) || Object.values(request.headers).some((value) => value.includes(mark))
}
