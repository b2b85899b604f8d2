import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Debian keeps these folders of daemons out of the PATH of ordinary users. */
const DAEMON_FOLDERS = ['/usr/sbin', '/usr/local/sbin']

/**
 * Returns the path of a system program, or undefined if it is missing. Throws in CI, where every test must run.
 * `places` are the folders to search in place of PATH.
 */
export function requireProgram(name: string, places?: readonly string[]): string | undefined {
  return findProgram(name, places) ?? missing(places === undefined ? name : `${places.join(' or ')}/${name}`)
}

/** Returns the path of a system program, or undefined if it is missing. */
export function findProgram(name: string, places?: readonly string[]): string | undefined {
  const folders = places ?? [...(process.env.PATH ?? '').split(delimiter), ...DAEMON_FOLDERS]
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

/** Returns the path of perl if it can load the module, otherwise undefined. */
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
