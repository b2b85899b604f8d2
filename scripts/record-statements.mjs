// Runs the named tests, or all tests, and records the SQL statements that they send in docs/statements.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { currentStatements } from './database/current-statements.ts'
import { withMigratedDatabase } from './database/migrated-database.ts'
import { readNamedSources } from './database/named-in-sources.ts'
import {
  groupStatements,
  parseStatements,
  readStatementFiles,
  writeStatementFiles,
} from './database/statement-files.ts'
import { runAloud } from './run-step.mjs'

const folder = await mkdtemp(join(tmpdir(), 'ringpost-statements-'))
try {
  const env = { ...process.env, RECORD_STATEMENTS_INTO: folder }
  const args = ['scripts/run-vitest.mjs', 'unit', ...process.argv.slice(2)]
  // Statements of a failed test are recorded too.
  if (!(await runAloud({ command: process.execPath, args, env }))) process.exitCode = 1
  const known = { sources: await readNamedSources(), shown: await readShown(), sent: await readSent() }
  const statements = await withMigratedDatabase((client) => currentStatements(client, known))
  await writeStatementFiles(groupStatements(statements))
  console.log(`docs/statements shows ${statements.length} statements; ${known.sent.length} were sent now.`)
} finally {
  await rm(folder, { recursive: true })
}

async function readShown() {
  return [...(await readStatementFiles()).values()].flatMap(parseStatements)
}

async function readSent() {
  const names = await readdir(folder)
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.flatMap((text) => text.trimEnd().split('\n').map(JSON.parse))
}
