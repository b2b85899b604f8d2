import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const ROOT = join(import.meta.dirname, '../..')
const INSTALLED = '.installed-for-bench'

/** Clones a git revision into a folder, which later runs reuse, and installs and builds it there. */
export async function checkOut(revision: string): Promise<{ folder: string; commit: string }> {
  const { stdout } = await run('git', ['rev-parse', '--verify', `${revision}^{commit}`], { cwd: ROOT })
  const commit = stdout.trim()
  const folder = join(homedir(), '.cache/ringpost-bench', commit.slice(0, 12))
  if (!existsSync(join(folder, INSTALLED))) await install(folder, commit)
  return { folder, commit }
}

async function install(folder: string, commit: string): Promise<void> {
  const begun = `${folder}-begun`
  for (const left of [folder, begun]) await rm(left, { recursive: true, force: true })
  await mkdir(begun, { recursive: true })
  console.log(`installing ${commit.slice(0, 12)} in ${folder}`)
  await run('git', ['clone', '--quiet', '--no-checkout', ROOT, begun])
  await run('git', ['checkout', '--quiet', '--detach', commit], { cwd: begun })
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: begun, maxBuffer: 16 * 1024 * 1024 })
  await build(begun)
  await writeFile(join(begun, INSTALLED), '')
  await rename(begun, folder)
}

export async function build(folder: string): Promise<void> {
  await run(process.execPath, ['scripts/build.mjs'], { cwd: folder, maxBuffer: 16 * 1024 * 1024 })
}
