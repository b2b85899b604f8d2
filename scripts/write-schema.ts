// Writes migrations/schema.sql from a freshly migrated database. `--check` compares instead.
import { readFile, writeFile } from 'node:fs/promises'
import { withMigratedDatabase } from './database/migrated-database.ts'
import { schemaText } from './database/schema-text.ts'

const TARGET = new URL('../migrations/schema.sql', import.meta.url)

const text = await withMigratedDatabase(schemaText)
if (!process.argv.includes('--check')) await writeFile(TARGET, text)
else if ((await readFile(TARGET, 'utf8').catch(() => '')) !== text) {
  console.error('migrations/schema.sql is not as the migrations leave it: run `node scripts/write-schema.ts`')
  process.exitCode = 1
}
