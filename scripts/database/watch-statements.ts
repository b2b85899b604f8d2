import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { notAsShown, takeSent } from './sent-statements.ts'
import { parseStatements, readStatementFiles } from './statement-files.ts'

// Runs in every test file. A named SQL statement that docs/statements lacks fails the test file, or is recorded.

const folder = process.env.RECORD_STATEMENTS_INTO

afterAll(async () => {
  const sent = takeSent()
  if (sent.length === 0) return
  if (folder !== undefined) {
    const lines = sent.map((statement) => `${JSON.stringify(statement)}\n`)
    await appendFile(join(folder, `${process.pid}.jsonl`), lines.join(''))
    return
  }
  const files = await readStatementFiles()
  const names = notAsShown(sent, [...files.values()].flatMap(parseStatements))
  if (names.length === 0) return
  const path = expect.getState().testPath?.slice(process.cwd().length + 1) ?? ''
  throw new Error(
    `docs/statements does not show as sent: ${names.join(', ')}. \`node scripts/record-statements.mjs ${path}\` records it.`,
  )
})
