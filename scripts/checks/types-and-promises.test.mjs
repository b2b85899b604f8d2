import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ROOT } from '../run-step.mjs'
import { TYPES_AND_PROMISES } from './types-and-promises.mjs'

const run = promisify(execFile)

/** Each case is a function's body, and true if the check refuses it. */
const CASES = [
  // Regression test: this statement once stood in activations/buy.ts.
  ['void work()', true],
  ['work()', true],
  ['work().then((done) => done + 1)', true],
  ['list.map(async () => 1)', true],
  ['if (list.length > 0) work()', true],
  ['list.length > 0 && work()', true],
  ['take(() => void work())', true],
  ['take(async () => { await work() })', true],
  ['take(work)', true],
  ['list.forEach(async () => { await work() })', true],
  ['const options: { done(): void } = { done: async () => { await work() } }\n  return options.done', true],
  ['if (work()) return', true],
  ['return { ...work() }', true],
  ['return new Promise(async (resolve) => resolve(await work()))', true],
  ['const count: number = await name()\n  return count', true],
  ['await work()', false],
  ['return work()', false],
  ['work().catch(report)', false],
  ['const both = await Promise.all([work(), work()])\n  return both', false],
  ['take(() => { work().catch(report) })', false],
]

test('a promise that nobody awaits or catches is found, and so is a wrong type', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ringpost-promises-'))
  try {
    for (const name of ['.oxlintrc.json', 'tsconfig.json', 'package.json'])
      await cp(join(ROOT, name), join(folder, name))
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    await mkdir(join(folder, 'server'))
    const path = (index) => `server/planted-${index}.ts`
    for (const [index, [statement]] of CASES.entries()) await writeFile(join(folder, path(index)), planted(statement))
    const args = [...TYPES_AND_PROMISES, 'server']
    const { stdout } = await run(process.execPath, args, { cwd: folder }).catch((error) => error)
    const refused = CASES.map(([statement], index) => [statement, stdout.includes(path(index))])
    expect(refused).toEqual(CASES)
  } finally {
    await rm(folder, { recursive: true })
  }
})

function planted(statement) {
  return `declare const work: () => Promise<number>
declare const name: () => Promise<string>
declare const report: (error: unknown) => void
declare const take: (call: () => void) => void
declare const list: readonly number[]
export async function planted() {
  ${statement}
}
export const names = [work, name, report, take, list]
`
}
