import { join } from 'node:path'
import { ContentMistakes, FACT_NAMES } from '#server/surfaces/site/content/content-file.ts'
import { readContent } from '#server/surfaces/site/content/read-content.ts'

const facts = Object.fromEntries(FACT_NAMES.map((name) => [name, name]))
try {
  await readContent(join(import.meta.dirname, '../content'), { ru: facts, en: facts })
} catch (error) {
  if (!(error instanceof ContentMistakes)) throw error
  for (const mistake of error.mistakes) console.error(mistake)
  process.exitCode = 1
}
