import { curlExample } from './curl.ts'
import { goExample } from './go.ts'
import { phpExample } from './php.ts'
import { pythonExample } from './python.ts'
import { type CodeLanguage, type ExampleRequest, withKey } from './request.ts'
import { fetchExample } from './typescript.ts'

const WRITERS: Readonly<Record<CodeLanguage, (request: ExampleRequest) => string>> = {
  curl: curlExample,
  typescript: fetchExample,
  python: pythonExample,
  php: phpExample,
  go: goExample,
}

/** Writes a request as a whole program that prints the reply, with the standard library of its language alone. */
export function writeExample(language: CodeLanguage, request: ExampleRequest, apiKey: string): string {
  return WRITERS[language](withKey(request, apiKey))
}
