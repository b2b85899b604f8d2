import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT, runQuietly } from './run-step.mjs'

/** A package that only tests need. An update must keep the test tools if this package is installed. */
const TEST_TOOL = 'node_modules/vitest'

/**
 * Installs missing or outdated packages. An interrupted installation is repeated, because npm writes its list of
 * packages last.
 */
export async function ensureInstalled({ withTestTools }) {
  const wanted = await readPackages('package-lock.json')
  const present = await readPackages('node_modules/.package-lock.json')
  if (isComplete(wanted, present, withTestTools)) return
  const dev = withTestTools || TEST_TOOL in present
  const args = ['ci', dev ? '--include=dev' : '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const done = await runQuietly({ name: `packages installed${dev ? ' with test tools' : ''}`, ...npm(args) })
  if (!done) throw new Error('The packages could not be installed: see above.')
}

/**
 * Returns whether all needed packages are installed. An optional package may be absent, but if present its version must
 * match. Packages that build the pages are optional for npm, because a finished `dist/` runs without them, but needed here.
 */
export function isComplete(wanted, present, withTestTools) {
  const building = Object.keys(wanted['']?.optionalDependencies ?? {}).map((name) => `node_modules/${name}`)
  const isNeeded = (path, entry) =>
    withTestTools || building.includes(path) || (entry.dev !== true && entry.devOptional !== true)
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true
    if (path in present) return present[path].version === entry.version
    if (entry.optional === true && (entry.os !== undefined || !building.includes(path))) return true
    return !isNeeded(path, entry)
  })
}

async function readPackages(file) {
  try {
    return JSON.parse(await readFile(join(ROOT, file), 'utf8')).packages ?? {}
  } catch (error) {
    if (error.code === 'ENOENT' && file !== 'package-lock.json') return {}
    throw error
  }
}

function npm(args) {
  const script = process.env.npm_execpath
  if (script?.endsWith('.js')) return { command: process.execPath, args: [script, ...args] }
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args }
}
