import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const LETTERS = 12

/** Returns the seed of a run's random samples: SEED, or else the commit, or else a hash of the sources. */
export function suiteSeed({ SEED = '' }: NodeJS.ProcessEnv = process.env, root = ROOT): string {
  if (SEED !== '') return SEED
  return (commitOf(root) ?? hashOfSources(root)).slice(0, LETTERS)
}

/** Returns the current commit, or null if this folder is not the root of a git repository. */
function commitOf(root: string): string | null {
  try {
    const told = execFileSync('git', ['rev-parse', '--show-prefix', 'HEAD'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [prefix, commit = ''] = told.toString().split('\n')
    return prefix === '' ? commit : null
  } catch {
    return null
  }
}

function hashOfSources(root: string): string {
  const hash = createHash('sha256')
  const folder = join(root, 'server')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).sort()) hash.update(readFileSync(path))
  return hash.digest('hex')
}
