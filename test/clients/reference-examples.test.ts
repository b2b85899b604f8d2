import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { calls } from '#server/programs/app.ts'
import { describeReference } from '#server/surfaces/site/reference/describe-reference.ts'
import { clientExample, typescriptExample } from '#web/screens/doc/examples/call-example.ts'

test('every TypeScript example of /doc/api compiles against the client', async () => {
  const shown = describeReference(calls, 'en').data.flatMap((group) => group.calls)
  const lines = shown.map((call) => `{ ${typescriptExample(call)}; void reply }`)
  expect(lines).toContain(
    `{ const reply = await ringpost.activations.create({ service_id: 'tg', country_id: 2, max_price: '20.00' }); void reply }`,
  )
  const source = [clientExample({ site: 'https://ringpost.example', apiKey: '' }), ...lines].join('\n')
  const folder = await mkdtemp(join(process.cwd(), 'clients/typescript/examples-'))
  try {
    const client = source.replace(`'ringpost'`, `'../src/ringpost.ts'`)
    await writeFile(join(folder, 'examples.ts'), client)
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: '../../../tsconfig.json', include: ['examples.ts'] }),
    )
    const tsc = promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', '-p', folder])
    expect(await tsc.catch((error: { stdout: string }) => error)).toMatchObject({ stdout: '' })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
