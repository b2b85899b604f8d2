import { closeSync, openSync, readSync } from 'node:fs'
import type { EnvironmentReader } from './environment.ts'

export type AccountSettings = {
  /** A session ends this long after its beginning, however often it is refreshed. */
  sessionDays: number
  /** Hashes of passwords that were leaked, in order; null: only our own list of common ones counts. */
  breachedPasswordsFile: string | null
}

const HASH_LINE = /^[0-9A-F]{40}(?::\d+)?\r?\n/i
const LINE_BYTES = 80

/** `SESSION_DAYS` and `BREACHED_PASSWORDS_FILE`, whose first line is looked at: a wrong file is told of at start. */
export function readAccountSettings(read: EnvironmentReader): AccountSettings {
  const breachedPasswordsFile = read.optionalText('BREACHED_PASSWORDS_FILE')
  if (breachedPasswordsFile !== null && !HASH_LINE.test(firstBytes(breachedPasswordsFile))) {
    read.problem('BREACHED_PASSWORDS_FILE', 'must be a file whose lines begin with a SHA-1 in hex, in order')
  }
  return { sessionDays: read.integer('SESSION_DAYS', 90, { min: 1, max: 365 }), breachedPasswordsFile }
}

/** Empty when it cannot be read. */
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
