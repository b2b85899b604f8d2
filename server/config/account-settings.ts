import { closeSync, openSync, readSync } from 'node:fs'
import type { EnvironmentReader } from './environment.ts'

export type AccountSettings = {
  /** A refresh does not extend it. */
  sessionDays: number
  /** Sorted hashes; null: only our own list of common passwords counts. */
  breachedPasswordsFile: string | null
}

const HASH_LINE = /^[0-9A-F]{40}(?::\d+)?\r?\n/i
const LINE_BYTES = 80

/** The first line is checked, so a wrong file fails the start. */
export function readAccountSettings(read: EnvironmentReader): AccountSettings {
  const breachedPasswordsFile = read.optionalText('BREACHED_PASSWORDS_FILE')
  if (breachedPasswordsFile !== null && !HASH_LINE.test(firstBytes(breachedPasswordsFile))) {
    read.problem('BREACHED_PASSWORDS_FILE', 'must be a file whose lines begin with a SHA-1 in hex, in order')
  }
  return { sessionDays: read.integer('SESSION_DAYS', 90, { min: 1, max: 365 }), breachedPasswordsFile }
}

function firstBytes(path: string): string {
  try {
    const file = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(LINE_BYTES)
      return bytes.toString('latin1', 0, readSync(file, bytes))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}
