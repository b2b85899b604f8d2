import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from './run-step.mjs'

const CONFIG = "export default { test: { projects: [{ test: { name: 'unit', include: ['test/**'], retry: 1 } }] } }"
const BESIDE = `import { expect, test } from 'vitest'
test('sound', () => undefined)
test('left out', ({ skip }) => skip('no tool'))
test('broken', () => expect(1, 'each try').toBe(2))`

const lucky = (count) => `import { expect, test } from 'vitest'
for (let place = 0; place < ${count}; place += 1) {
  let tries = 0
  test('comes and goes ' + place, () => { tries += 1; expect(tries, 'the first try, SEED=4f2a').toBe(2) })
}`
const PLANTED = { two: lucky(2), 'bad-days/one': lucky(1), 'bad-days/two': lucky(2), beside: BESIDE }

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'ringpost-folder-'))
  await cp(join(ROOT, 'scripts'), join(root, 'scripts'), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  await writeFile(join(root, 'package.json'), '{ "type": "module" }')
  await writeFile(join(root, 'vitest.config.mjs'), CONFIG)
  await mkdir(join(root, 'test/bad-days'), { recursive: true })
  for (const [path, code] of Object.entries(PLANTED)) await writeFile(join(root, `test/${path}.test.mjs`), code)
})
afterAll(() => rm(root, { recursive: true }))

async function runPlanted(...files) {
  const child = spawn(process.execPath, ['scripts/run-vitest.mjs', 'unit', ...files], {
    cwd: root,
    env: { PATH: process.env.PATH },
  })
  const ended = once(child, 'close')
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  return { code, said: out + err }
}

test.each([
  [0, ['two', 'bad-days/one'], 'unit: 3 passed, 0 failed, 0 skipped'],
  [1, ['bad-days/two'], '2 of them are of money, ownership, crashes and properties, 1 at most: test/bad-days/two'],
])('it ends with %i when these come and go: %j', async (code, names, told) => {
  const run = await runPlanted(...names.map((name) => `test/${name}.test.mjs`))
  expect(run.said).toContain(told)
  const first = `test/${names[0]}.test.mjs > comes and goes 0`
  const end = run.said.slice(run.said.indexOf('unit: '))
  expect(end).toContain(`passed on a second try, mend it: ${first} (SEED=4f2a)`)
  expect(end).toContain('the first try, SEED=4f2a: expected 1 to be 2')
  expect(run.code).toBe(code)
})

test('a test that fails twice fails the run, and one that was left out is told', async () => {
  const { code, said } = await runPlanted('test/beside.test.mjs')
  expect(said).toContain('test/beside.test.mjs > left out (no tool)')
  const end = said.slice(said.lastIndexOf('  failed: test/beside.test.mjs > broken'))
  expect(end).toMatch(/each try: expected 1 to be 2(.|\n)*unit: 1 passed, 1 failed, 1 skipped/)
  expect(code).toBe(1)
})
