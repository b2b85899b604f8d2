import { posix } from 'node:path'

/** @typedef {import('./source-files.mjs').SourceFile} SourceFile */

const MAX_LINES = 350
/** The maximum number of source files per folder, without tests. */
const MAX_SOURCES = 20
const TEST_FILE = /\.test\.(tsx?|mjs)$/
const MAY_HOLD_SQL =
  /^server\/((house\/(money|jobs|db)|core\/privacy\/sections)\/|.*(\/queries\/|[/-]queries\.ts$))|\.test\.ts$/
const SQL = /\bSELECT\b[\s\S]*\bFROM\b|\bINSERT\s+INTO\b|\bUPDATE\b[\s\S]*\bSET\b|\bDELETE\s+FROM\b/
const MAY_READ_ENVIRONMENT = /^server\/house\/config\/config\.ts$|\.test\.ts$/
const VAGUE_NAMES = /\/(index|utils|helpers|common|types|service|manager)\.tsx?$/
/** Matches a spread of an object literal, except in JSX, where computed attributes look the same. */
const SPREAD_LITERAL = /(?<!\{)\.\.\.\{/
const SUPPRESSION = /biome-ignore|@ts-(ignore|expect-error|nocheck)/

/** Returns a sentence for each broken rule, such as too many lines in a file. @param {SourceFile[]} files */
export function findHouseViolations(files) {
  return [...files.flatMap((file) => judge(file).map((reason) => `${file.path}: ${reason}`)), ...judgeFolders(files)]
}

function judgeFolders(files) {
  const sources = new Map()
  for (const { path } of files) {
    const folder = posix.dirname(path)
    if (!TEST_FILE.test(path)) sources.set(folder, (sources.get(folder) ?? 0) + 1)
  }
  return [...sources]
    .filter(([, count]) => count > MAX_SOURCES)
    .map(([folder, count]) => `${folder}: ${count} source files, ${MAX_SOURCES} at most`)
}

function judge({ path, text, strings, imports }) {
  const reasons = []
  const lines = text.split('\n').length - 1
  if (lines > MAX_LINES) reasons.push(`${lines} lines, ${MAX_LINES} at most`)
  if (VAGUE_NAMES.test(path)) reasons.push('the name says nothing: name the idea')
  if (imports.some(({ specifier }) => specifier.startsWith('../../')))
    reasons.push('climbs two folders: import by #name')
  if (!path.startsWith('scripts/') && SPREAD_LITERAL.test(text)) reasons.push('spreads a literal: write its members')
  if (!path.startsWith('scripts/') && SUPPRESSION.test(text)) reasons.push('suppresses a check')
  if (!path.startsWith('server/')) return reasons
  const statement = MAY_HOLD_SQL.test(path) ? undefined : strings.find((each) => SQL.test(each))
  if (statement !== undefined) {
    reasons.push(`SQL belongs in queries.ts or queries/, money/, jobs/ or db/: ${statement.trim().slice(0, 60)}`)
  }
  if (!MAY_READ_ENVIRONMENT.test(path) && text.includes('process.env')) {
    reasons.push('only server/house/config/config.ts reads the environment')
  }
  return reasons
}
