import { LISTENERS } from './listeners.ts'
import { type CodeLanguage, isPlainKey } from './request.ts'
import { VERIFIERS } from './verifiers.ts'

/** Returns a program that no single request describes, for the reader's site and key. */
export function programExample(
  program: 'verify' | 'listen',
  language: CodeLanguage,
  { site, apiKey }: { site: string; apiKey: string },
): string {
  if (program === 'verify') return VERIFIERS[language]
  const { text, keyFromEnvironment } = LISTENERS[language]
  const filled = isPlainKey(apiKey) ? text.replaceAll(keyFromEnvironment, quoted(language, apiKey)) : text
  return filled.replaceAll('{site}', site)
}

function quoted(language: CodeLanguage, apiKey: string): string {
  if (language === 'curl') return apiKey
  return language === 'go' || language === 'python' ? `"${apiKey}"` : `'${apiKey}'`
}
