import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SECOND } from '#contract/time.ts'

export type Release = {
  version: string
  /** Null if the commit is not known, for example because git is not installed. */
  commit: string | null
}

const ROOT = new URL('../../', import.meta.url)
const GIT_LIMIT_MS = 2 * SECOND

/** The version of this release, x.y.z. */
export const VERSION = readVersion()

/** Reads the release that runs. Never throws, because a service without git must start too. */
export async function readRelease(root: URL = ROOT): Promise<Release> {
  return { version: VERSION, commit: await readCommit(fileURLToPath(root)) }
}

async function readCommit(root: string): Promise<string | null> {
  // If --git-dir were missing, git would search the folders above, and refuse a folder that a different user owns.
  const args = ['--git-dir', `${root}.git`, 'rev-parse', 'HEAD']
  const limits = { timeout: GIT_LIMIT_MS, killSignal: 'SIGKILL', maxBuffer: 1_000 } as const
  return promisify(execFile)('git', args, limits).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )
}

function readVersion(): string {
  // The cast is safe, because `npm run check` compares the version with that of CHANGELOG.md.
  return (JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { version: string }).version
}
