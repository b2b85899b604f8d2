import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { buyOne } from '#test/builders/activation-rows.ts'
import { BANK_KEY } from '#test/fakes/sim-bank/bank-house.ts'
import { BANK_INTAKE_KEY, openBank } from '#test/fakes/sim-bank/open-bank.ts'
import { openPlatformHouse, PLATFORM_KEY } from '#test/fakes/sim-bank/platform-house.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { requireProgram } from '#test/harness/programs.ts'

const isMissing = requireProgram('curl') === undefined
const run = promisify(execFile)

async function pageOf(name: string) {
  const page = await readFile(new URL(`../../../../docs/api/${name}.md`, import.meta.url), 'utf8')
  const [, command = ''] = /```sh\n(.*?)```/s.exec(page) ?? []
  return { page, command }
}

const type = async (command: string, env: Record<string, string>) =>
  (await run('bash', ['-ec', command], { env: { PATH: process.env.PATH, ...env } })).stdout

test.skipIf(isMissing)('docs/api/sim-bank.md: what is typed for the bank works', async () => {
  await using t = await startTestApp()
  await using _bank = await openBank(t)
  const { phone } = await buyOne(t, await t.makeUser())
  const { command } = await pageOf('sim-bank')
  const env = { ADDRESS: `${t.url}/intake/bank/${BANK_INTAKE_KEY}`, KEY: BANK_KEY, TO: phone }
  expect(await type(command, env)).toBe('{"status":"SUCCESS"}')
  await t.ctx.background.idle()
  const { rows } = await t.ctx.db.query({ text: 'SELECT code FROM activations' })
  expect(rows).toEqual([{ code: '48213' }])
})

test.skipIf(isMissing)('docs/api/agent.md: what is typed for the platform is answered as the page says', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const agent = await t.makeUser({ balance: '1000' })
  await t.makeApiKey(agent)
  await using _house = await openPlatformHouse(t, { agent })
  const { page, command } = await pageOf('agent')
  const [, answers = ''] = /```\n( *\{"countryList.*?)```/s.exec(page) ?? []
  const said = await type(command, { ADDRESS: `${t.url}/agent/hub`, KEY: PLATFORM_KEY })
  expect(said).toBe(answers.replaceAll(/^ +/gm, ''))
})
