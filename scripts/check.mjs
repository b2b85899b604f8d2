import { findBorderViolations } from './checks/borders.mjs'
import { findChangelogViolations, readChangelog } from './checks/changelog.mjs'
import { findIncompatibleMigrations, readReleased } from './checks/compatible-migrations.mjs'
import { findOtherWords, readDecided, readTexts } from './checks/decided-words.mjs'
import { findMigrationViolations, readChecksums } from './checks/frozen-migrations.mjs'
import { findHouseViolations } from './checks/house-rules.mjs'
import { findLostPaths, readTree } from './checks/named-paths.mjs'
import { findUnplainComments, findUnplainSentences } from './checks/plain-sentences.mjs'
import { readSourceFiles } from './checks/source-files.mjs'
import { findStyleViolations, readStyles } from './checks/styles.mjs'
import { findDraftViolations, findLocaleViolations, findUnusedTexts } from './checks/text-keys.mjs'
import { TYPES_AND_PROMISES } from './checks/types-and-promises.mjs'
import { findNode } from './pinned-node.mjs'
import { runQuietly, withNodeOnPath } from './run-step.mjs'
import { closeRunner, emptyResult } from './suite/runner-result.mjs'
import { listLanguages, readSections } from './texts/read-sections.mjs'

const TOOLS = [
  { name: 'types and promises', args: TYPES_AND_PROMISES },
  {
    name: 'format and lint',
    args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--colors=off', '.'],
  },
  { name: 'dead code', args: ['node_modules/knip/bin/knip.js', '--no-progress'] },
  { name: 'typed client as the calls are', args: ['scripts/generate-client.ts', '--check'] },
  { name: 'tables of the documents as the code is', args: ['scripts/generate-docs.ts', '--check'] },
  { name: 'content', args: ['scripts/check-content.ts'] },
  { name: 'schema and statements as they are', args: ['scripts/write-sql.ts', '--check'] },
  { name: 'page of the dialects', args: ['scripts/docs/dialects-page.ts'] },
]

const results = []
const node = await findNode()
for (const tool of TOOLS) {
  results.push(await runQuietly({ name: tool.name, command: node, args: tool.args, env: withNodeOnPath(node) }))
}
const files = await readSourceFiles()
results.push(report('borders', findBorderViolations(files)))
results.push(report('migrations as they landed', findMigrationViolations(await readChecksums())))
results.push(report('migrations that the release before can run on', findIncompatibleMigrations(await readReleased())))
results.push(report('changelog', findChangelogViolations(await readChangelog())))
results.push(report('house rules', findHouseViolations(files)))
results.push(report('styles', findStyleViolations(await readStyles(), files)))
const texts = { ru: await textsOf('ru'), en: await textsOf('en') }
const tree = await readTree()
results.push(report('paths in the documents', findLostPaths(tree)))
results.push(report('plain sentences', [...findUnplainComments(files), ...findUnplainSentences(tree.documents)]))
results.push(report('texts in both languages', [...findLocaleViolations(texts), ...(await judgeDrafts(texts.en))]))
results.push(report('decided words', findOtherWords(await readTexts(files), await readDecided())))
results.push(report('texts that are shown', findUnusedTexts(await readSections('en', ['initial', 'lazy']), files)))

const failed = results.filter((passed) => !passed).length
closeRunner({ ...emptyResult('check'), passed: results.length - failed, failed })

function report(name, violations) {
  console.log(`${violations.length === 0 ? '✓' : '✗'} ${name}`)
  for (const violation of violations) console.error(`  ${violation}`)
  return violations.length === 0
}

async function judgeDrafts(english) {
  const drafts = (await listLanguages()).filter((language) => !(language in texts))
  const judged = drafts.map(async (language) => findDraftViolations(language, await textsOf(language), english))
  return (await Promise.all(judged)).flat()
}

/** Groups page texts by folder (`initial` or `lazy`), to find a section whose folder differs between the languages. */
async function textsOf(language) {
  return { initial: await readSections(language, ['initial']), lazy: await readSections(language, ['lazy']) }
}
