import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Patch, PLANTED_FAULTS, type PlantedFault } from './faults.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const OUTPUT_BYTES = 64 * 1024 * 1024
const SHOWN_LINES = 20

// Nodes do not run as root, so they must be able to read the copy.
const copy = await mkdtemp('/var/tmp/ringpost-planted-')
try {
  await chmod(copy, 0o755)
  const archive = join(copy, 'copy.tar')
  await run('git', ['archive', '-o', archive, 'HEAD'], { cwd: ROOT })
  await run('tar', ['-x', '-f', archive, '-C', copy])
  for (const name of ['node_modules', 'dist']) await symlink(join(ROOT, name), join(copy, name))
  const [, , only = ''] = process.argv
  for (const fault of PLANTED_FAULTS.filter(({ name }) => name.includes(only))) {
    if (!(await isFound(fault))) process.exitCode = 1
  }
} finally {
  await rm(copy, { recursive: true, force: true })
}

/** Checks that the check passes without the fault, and finds the fault once it is planted. */
async function isFound(fault: PlantedFault): Promise<boolean> {
  const { foundBy, name } = fault
  const before = await check(foundBy)
  const originals = await plant(fault.patches)
  const after = await check(foundBy)
  for (const [file, text] of originals) await writeFile(file, text)
  const by = 'test' in foundBy ? `${foundBy.file}, "${foundBy.test}"` : `the round "${foundBy.round}"`
  if (before.isRight && !after.isRight && after.hasFound) {
    console.log(`✓ ${name}\n  found by ${by}`)
    return true
  }
  const shown = (before.isRight ? after : before).output.trimEnd().split('\n').slice(-SHOWN_LINES)
  const why = before.isRight ? 'does not find it' : 'fails without it'
  console.log(`✗ ${name}\n  ${by} ${why}:\n${shown.join('\n')}`)
  return false
}

async function plant(patches: readonly Patch[]): Promise<Map<string, string>> {
  const originals = new Map<string, string>()
  for (const { file, from, to } of patches) {
    const path = join(copy, file)
    const text = await readFile(path, 'utf8')
    if (!originals.has(path)) originals.set(path, text)
    if (text.split(from).length !== 2) throw new Error(`${file} has not once: ${from}`)
    await writeFile(
      path,
      text.replace(from, () => to),
    )
  }
  return originals
}

type Checked = { isRight: boolean; hasFound: boolean; output: string }

async function check(foundBy: PlantedFault['foundBy']): Promise<Checked> {
  if ('test' in foundBy) {
    const args = ['scripts/run-vitest.mjs', 'unit', foundBy.file]
    return judge(await outcome(args, { cwd: copy }), `failed: ${foundBy.file} > ${foundBy.test}`)
  }
  const folder = await mkdtemp('/var/tmp/ringpost-planted-cluster-')
  await chmod(folder, 0o755)
  const args = [
    'scripts/soak.mjs',
    'cluster',
    '--minutes',
    '1',
    '--seed',
    '1',
    '--folder',
    folder,
    '--fault',
    foundBy.round,
  ]
  const result = await outcome(args, { cwd: ROOT, env: { ...process.env, SOAK_ROOT: copy } })
  await rm(folder, { recursive: true, force: true })
  return judge(result, foundBy.complaint)
}

function judge({ isRight, output }: { isRight: boolean; output: string }, complaint: string): Checked {
  return { isRight, output, hasFound: output.includes(complaint) }
}

function outcome(args: string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
  return run(process.execPath, args, { ...options, maxBuffer: OUTPUT_BYTES }).then(
    ({ stdout, stderr }) => ({ isRight: true, output: stdout + stderr }),
    (error: { stdout: string; stderr: string }) => ({ isRight: false, output: error.stdout + error.stderr }),
  )
}
