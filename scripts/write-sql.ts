// Writes migrations/schema.sql from a freshly migrated database, and docs/statements from today's sources. `--check`
// compares instead, and also compares the types of rows with what the statements return.
import { readFile, writeFile } from 'node:fs/promises'
import { currentStatements, neverSent } from './database/current-statements.ts'
import { withMigratedDatabase } from './database/migrated-database.ts'
import { readNamedSources } from './database/named-in-sources.ts'
import { rowDifferences } from './database/row-differences.ts'
import { schemaText } from './database/schema-text.ts'
import {
  groupStatements,
  parseStatements,
  readStatementFiles,
  writeStatementFiles,
} from './database/statement-files.ts'

const SCHEMA = new URL('../migrations/schema.sql', import.meta.url)

const sources = await readNamedSources()
const files = await readStatementFiles()
const shown = [...files.values()].flatMap(parseStatements)
const { schema, statements } = await withMigratedDatabase(async (client) => ({
  schema: await schemaText(client),
  statements: await currentStatements(client, { sources, shown }),
}))
const grouped = groupStatements(statements)
if (process.argv.includes('--check')) {
  await compare()
  rowDifferences({ sources, statements }).forEach(refuse)
} else {
  await writeFile(SCHEMA, schema)
  await writeStatementFiles(grouped)
}
for (const name of neverSent(sources, statements)) {
  refuse(`no test sends ${name}: write one and \`node scripts/record-statements.mjs\` with it, or delete the statement`)
}

async function compare(): Promise<void> {
  const names = new Set([...files.keys(), ...grouped.keys()])
  const paths = [...names]
    .filter((name) => files.get(name) !== grouped.get(name))
    .map((name) => `docs/statements/${name}`)
  if ((await readFile(SCHEMA, 'utf8').catch(() => '')) !== schema) paths.unshift('migrations/schema.sql')
  for (const path of paths) refuse(`${path} is not what \`node scripts/write-sql.ts\` writes`)
}

function refuse(why: string): void {
  console.error(why)
  process.exitCode = 1
}
