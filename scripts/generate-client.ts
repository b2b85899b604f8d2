// Writes clients/typescript/src/api.ts, the calls with an API key, from the OpenAPI document. `--check` only compares.
import { readFile, writeFile } from 'node:fs/promises'
import { generateApi } from 'swagger-typescript-api'
import { describeCalls } from '#server/house/http/openapi.ts'
import { calls } from '#server/programs/app.ts'
import { isForPrograms } from '#server/surfaces/site/reference/for-programs.ts'

const TARGET = new URL('../clients/typescript/src/api.ts', import.meta.url)

const { files } = await generateApi({
  spec: JSON.parse(JSON.stringify(describeCalls(calls.filter(isForPrograms)))),
  fileName: 'api.ts',
  output: false,
  silent: true,
  httpClientType: 'fetch',
  moduleNameFirstTag: true,
  singleHttpClient: true,
  extractRequestParams: true,
  extractRequestBody: true,
  extractResponseBody: true,
  unwrapResponseData: true,
})
const [file] = files
if (file === undefined) throw new Error('nothing was generated')
const text = erasable(withoutRepeats(file.fileContent))
if (process.argv.includes('--check')) {
  const current = await readFile(TARGET, 'utf8').catch(() => '')
  if (current !== text) {
    console.error('clients/typescript/src/api.ts is not what `npm run client` writes')
    process.exitCode = 1
  }
} else await writeFile(TARGET, text)

/** Shortens `activations.activationsCancel` to `activations.cancel`; types keep their full names. */
function withoutRepeats(generated: string): string {
  let group = ''
  return generated
    .split('\n')
    .map((line) => {
      group = /^ {2}(\w+) = \{$/.exec(line)?.[1] ?? group
      const name = /^ {4}(\w+): \($/.exec(line)?.[1] ?? /^ {4}(\w+): \(.*=>$/.exec(line)?.[1]
      if (name === undefined || !name.startsWith(group)) return line
      const own = name.slice(group.length)
      return line.replace(name, own.charAt(0).toLowerCase() + own.slice(1))
    })
    .join('\n')
}

/** Replaces enums, because Node can run only TypeScript whose types can be erased. */
function erasable(generated: string): string {
  return generated.replaceAll(/export enum (\w+) \{([^}]*)\}/g, (_all, name: string, members: string) => {
    const pairs = members.replaceAll(' = ', ': ')
    return `export const ${name} = {${pairs}} as const;\nexport type ${name} = (typeof ${name})[keyof typeof ${name}];`
  })
}
