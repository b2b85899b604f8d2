import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from './run-step.mjs'

const CONFIG = "export default { test: { projects: [{ test: { name: 'unit', include: ['*.test.mjs'], retry: 1 } }] } }"
const TESTS = `import { expect, test } from 'vitest'
let tries = 0
test('a fault that comes and goes', () => { tries += 1; expect(tries, 'the first try').toBe(2) })
test('sound', () => undefined)
test('left out', ({ skip }) => skip('no tool'))`

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'ringpost-folder-'))
  await cp(join(ROOT, 'scripts'), join(root, 'scripts'), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  await writeFile(join(root, 'package.json'), '{ "type": "module" }')
  await writeFile(join(root, 'vitest.config.mjs'), CONFIG)
  await writeFile(join(root, 'planted.test.mjs'), TESTS)
})
afterAll(() => rm(root, { recursive: true }))

async function runPlanted(ci) {
  const env = { PATH: process.env.PATH, CI: ci }
  const child = spawn(process.execPath, ['scripts/run-vitest.mjs', 'unit'], { cwd: root, env })
  const ended = once(child, 'close')
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  return { code, said: out + err }
}

test.each([
  ['true', 1, 'unit: 1 passed, 1 failed, 1 skipped', 'passed on a second try, which fails here: planted.test.mjs'],
  ['', 0, 'unit: 2 passed, 0 failed, 1 skipped', 'passed on a second try: planted.test.mjs'],
])('with CI=%j a test that needed a second try ends the run with %i', async (ci, code, closing, told) => {
  const run = await runPlanted(ci)
  expect(run.said).toContain(`${told} > a fault that comes and goes`)
  expect(run.said).toContain('the first try: expected 1 to be 2')
  expect(run.said).toContain('planted.test.mjs > left out (no tool)')
  expect(run.said).toContain(closing)
  // Whoever has only the last lines of a run reads there what failed, and why.
  const summary = run.said.slice(run.said.lastIndexOf('  failed: planted.test.mjs > a fault that comes and goes'))
  if (ci !== '')
    expect(summary).toMatch(/\(passed on a second try\)\n.*the first try: expected 1 to be 2(.|\n)*unit: 1 passed/)
  expect(run.code).toBe(code)
})
