import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../run-step.mjs'

const FOLDER = join(ROOT, 'migrations')
/** The file that is generated from all migrations and is no migration itself. */
const SCHEMA = 'schema.sql'
/** The list of checksums has the format of `sha256sum`. */
export const LIST = join(FOLDER, 'checksums')

/**
 * Computes the checksums of the migration files (`files`), and reads those in the list of checksums (`frozen`).
 * @returns {Promise<{ files: Map<string, string>, frozen: Map<string, string> }>}
 */
export async function readChecksums() {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql') && name !== SCHEMA).sort()
  const files = new Map()
  for (const name of names) files.set(name, checksumOf(await readFile(join(FOLDER, name))))
  const lines = (await readFile(LIST, 'utf8')).split('\n').filter((line) => line !== '')
  return { files, frozen: new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)])) }
}

/** Returns a sentence for each migration that was changed, removed or added since the list of checksums was written. */
export function findMigrationViolations({ files, frozen }) {
  const violations = []
  for (const [name, checksum] of frozen) {
    if (!files.has(name)) violations.push(`migrations/${name} has landed and is gone: put it back`)
    else if (files.get(name) !== checksum)
      violations.push(`migrations/${name} has landed and was edited: put it back, and change the tables by a new file`)
  }
  for (const name of files.keys()) {
    if (!frozen.has(name))
      violations.push(`migrations/${name} is new: \`node scripts/freeze-migrations.mjs\` adds its checksum`)
  }
  return violations
}

function checksumOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}
