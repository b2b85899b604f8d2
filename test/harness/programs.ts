import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Debian keeps daemons out of the path of ordinary users. */
const DAEMON_FOLDERS = ['/usr/sbin', '/usr/local/sbin']

/**
 * Where a program of the system is; undefined when it is not installed, and then the run says so by name. In CI
 * (`CI=true`) that is a failure: there everything runs. `places`: where it must be, when not in the path.
 */
export function requireProgram(name: string, places?: readonly string[]): string | undefined {
  const folders = places ?? [...(process.env.PATH ?? '').split(delimiter), ...DAEMON_FOLDERS]
  const path = folders.map((folder) => join(folder, name)).find(isExecutable)
  return path ?? missing(places === undefined ? name : `${places.join(' or ')}/${name}`)
}

/** The same for a module of Perl: the path of perl, when it can load the module. */
export function requirePerlModule(module: string): string | undefined {
  const perl = requireProgram('perl')
  if (perl === undefined) return undefined
  return spawnSync(perl, [`-M${module}`, '-e', '1']).status === 0 ? perl : missing(`the Perl module ${module}`)
}

function missing(name: string): undefined {
  if (process.env.CI === 'true') throw new Error(`${name} is not installed: in CI every test runs`)
  console.warn(`NOT RUN: tests that need ${name}, which is not installed`)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
