import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../run-step.mjs'
import { compareVersions } from './changelog.mjs'

/**
 * @typedef {{ version: string, lastMigration: string }} Release
 * @typedef {{ name: string, text: string }} File
 */

const FOLDER = join(ROOT, 'migrations')
/** The first line of a migration that names the oldest release that can run afterwards; `migrate.ts` reads it too. */
const NEEDS = /^-- needs: (\d+\.\d+\.\d+)\n/
const NEEDS_LIKE = /^--\s*needs\b.*\d/i
const NAME = '((?:"?\\w+"?\\.)?"?\\w+"?)'
const COLUMN = '(?:COLUMN\\s+)?"?\\w+"?\\s+'

const NEW_TABLE = pattern(`\\bCREATE\\s+(?:(?:LOCAL|GLOBAL|TEMP|TEMPORARY|UNLOGGED)\\s+)*TABLE\\s+(?!IF\\s)${NAME}`)
const OLD_TABLE = pattern(`\\b(?:TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?|RENAME\\s+TO\\s+)${NAME}`)
const ALTER_TABLE = pattern(`\\bALTER\\s+TABLE\\s+(?:IF\\s+EXISTS\\s+)?(?:ONLY\\s+)?${NAME}\\s([^;]*)`)
const DROP_TABLE = pattern('\\bDROP\\s+TABLE\\s+(?:IF\\s+EXISTS\\s+)?([^;]*)')
const UNIQUE_INDEX = pattern(`\\bCREATE\\s+UNIQUE\\s+INDEX\\b[^;]*?\\sON\\s+(?:ONLY\\s+)?${NAME}`)
const DROP_OTHER = pattern('\\bDROP\\s+(?:MATERIALIZED\\s+)?(VIEW|TYPE|DOMAIN|SEQUENCE|SCHEMA|FUNCTION|PROCEDURE)\\s')
const RENAME_OTHER = pattern('\\bALTER\\s+(?!TABLE\\b)(\\w+)\\s[^;]*?\\bRENAME\\s')

/** Actions of ALTER TABLE that the release before cannot live with, on a table that it knows. */
const ACTIONS = [
  [/^RENAME\b/i, 'RENAME'],
  [/^DROP\s+(?!CONSTRAINT\b)/i, 'DROP COLUMN'],
  [new RegExp(`^ALTER\\s+${COLUMN}(?:SET\\s+DATA\\s+)?TYPE\\b`, 'i'), 'ALTER COLUMN TYPE'],
  [new RegExp(`^ALTER\\s+${COLUMN}SET\\s+NOT\\s+NULL\\b`, 'i'), 'SET NOT NULL'],
  // The release before may leave the column out of its INSERT.
  [new RegExp(`^ALTER\\s+${COLUMN}DROP\\s+DEFAULT\\b`, 'i'), 'DROP DEFAULT'],
  [/^ADD\s+(?:CONSTRAINT|CHECK|UNIQUE|FOREIGN|EXCLUDE|PRIMARY)\b/i, 'ADD CONSTRAINT'],
  [
    /^ADD\s(?!.*\b(?:DEFAULT|GENERATED|\w*SERIAL)\b).*(?:\bNOT\s+NULL\b|\bPRIMARY\s+KEY\b)/is,
    'NOT NULL without DEFAULT',
  ],
]

/** @returns {Promise<{ files: File[], releases: Release[], version: string }>} `version` is that of package.json */
export async function readReleased() {
  const names = (await readdir(FOLDER)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort()
  const files = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(join(FOLDER, name), 'utf8') })),
  )
  const releases = JSON.parse(await readFile(join(FOLDER, 'releases.json'), 'utf8'))
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  return { files, releases, version }
}

/**
 * Finds migrations of the coming release on which the release before could not run.
 * @param {{ files: File[], releases: Release[], version: string }} input `files` in the order of their numbers
 */
export function findIncompatibleMigrations({ files, releases, version }) {
  const faults = findListFaults({ files, releases, version })
  if (faults.length > 0) return faults
  const { lastMigration, version: last } = releases.at(-1)
  const advice = `stops release ${last}: leave it to a later release, or begin the file with \`-- needs: …\``
  const isOut = ({ name }) => name <= `${lastMigration}.sql`
  const stripped = files.map((file) => ({ ...file, sql: withoutWords(file.text) }))
  const coming = stripped.filter((file) => !isOut(file))
  const old = namesIn(stripped.filter(isOut), OLD_TABLE)
  const free = new Set([...namesIn(coming, NEW_TABLE)].filter((name) => !old.has(name)))
  return coming.flatMap((file) => {
    const reasons = judgeHeader(file.text, releases) ?? findBreaks(file.sql, free).map((what) => `${what} ${advice}`)
    return reasons.map((reason) => `migrations/${file.name}: ${reason}`)
  })
}

/** Returns the faults of the header that names the needed release, or undefined if the file has no such header. */
function judgeHeader(text, releases) {
  const needs = NEEDS.exec(text)?.[1]
  if (needs === undefined)
    return NEEDS_LIKE.test(text) ? ['the first line must be like `-- needs: 1.2.3`, and nothing else'] : undefined
  return releases.some(({ version }) => version === needs) ? [] : [`needs ${needs}, which is not out`]
}

function findListFaults({ files, releases, version }) {
  const names = new Set(files.map(({ name }) => name))
  const faults = releases.flatMap((release, nth) => {
    const before = releases[nth - 1]
    const reasons = []
    if (!names.has(`${release.lastMigration}.sql`)) reasons.push(`has no migration ${release.lastMigration}`)
    if (compareVersions(release.version, version) > 0) reasons.push(`is newer than package.json, ${version}`)
    if (!/^[0-9a-f]{40}$/.test(release.commit))
      reasons.push('needs the full commit, which the test of the upgrade checks out')
    if (before === undefined) return reasons.map((reason) => `${release.version} ${reason}`)
    if (compareVersions(before.version, release.version) >= 0) reasons.push(`must be greater than ${before.version}`)
    if (before.lastMigration > release.lastMigration) reasons.push(`ends before ${before.version} does`)
    return reasons.map((reason) => `${release.version} ${reason}`)
  })
  if (releases.length === 0) faults.push('names no release')
  return faults.map((fault) => `migrations/releases.json: ${fault}`)
}

/** Returns what in a migration the release before cannot live with, such as "DROP COLUMN on users". */
function findBreaks(sql, free) {
  const breaks = []
  for (const [, name, actions] of sql.matchAll(ALTER_TABLE)) {
    if (free.has(plain(name))) continue
    for (const action of splitList(actions)) {
      const bare = withoutBrackets(action).replaceAll(/\bSET\s+DEFAULT\b/gi, '')
      const [, what] = ACTIONS.find(([matching]) => matching.test(bare)) ?? []
      if (what !== undefined) breaks.push(`${what} on ${plain(name)}`)
    }
  }
  for (const [, names] of sql.matchAll(DROP_TABLE)) {
    for (const name of names.replace(/\s+(?:CASCADE|RESTRICT)\s*$/i, '').split(','))
      if (!free.has(plain(name))) breaks.push(`DROP TABLE ${plain(name)}`)
  }
  for (const [, name] of sql.matchAll(UNIQUE_INDEX))
    if (!free.has(plain(name))) breaks.push(`CREATE UNIQUE INDEX on ${plain(name)}`)
  for (const [, kind] of sql.matchAll(DROP_OTHER)) breaks.push(`DROP ${kind.toUpperCase()}`)
  for (const [, kind] of sql.matchAll(RENAME_OTHER)) breaks.push(`RENAME of a ${kind.toLowerCase()}`)
  return breaks
}

/** Removes comments and the contents of string literals. The bodies of DO and of functions stay, because they run. */
function withoutWords(text) {
  return text.replaceAll(
    /--[^\n]*|\/\*[\s\S]*?\*\/|("(?:[^"]|"")*")|\bE'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'/gi,
    (found, identifier) => identifier ?? (found.endsWith("'") ? "''" : ' '),
  )
}

function namesIn(files, matching) {
  return new Set(files.flatMap(({ sql }) => [...sql.matchAll(matching)].map(([, name]) => plain(name))))
}

function splitList(text) {
  const parts = ['']
  let depth = 0
  for (const character of text) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (character === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts.map((part) => part.trim())
}

function withoutBrackets(text) {
  const less = text.replaceAll(/\([^()]*\)/g, ' ')
  return less === text ? text : withoutBrackets(less)
}

function plain(name) {
  return name
    .trim()
    .replaceAll('"', '')
    .replace(/^public\./i, '')
    .toLowerCase()
}

function pattern(text) {
  return new RegExp(text, 'gi')
}
