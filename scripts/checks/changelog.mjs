import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../run-step.mjs'

const HEADING = /^## (\d+\.\d+\.\d+) — (unreleased|\d{4}-\d{2}-\d{2})$/

/** @returns {Promise<{ text: string, version: string }>} the changelog, and the version of package.json */
export async function readChangelog() {
  const text = await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8')
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  return { text, version }
}

/**
 * Finds faults of the changelog, whose newest release stands first.
 * @param {{ text: string, version: string }} input
 */
export function findChangelogViolations({ text, version }) {
  const [, ...sections] = text.split(/^(?=## )/m)
  const releases = sections.map(readSection)
  const violations = releases.flatMap(judge)
  if (releases[0]?.version !== version)
    violations.push(`CHANGELOG.md begins with ${releases[0]?.version ?? 'no release'}, package.json has ${version}`)
  return violations
}

function readSection(section) {
  const [heading, ...lines] = section.split('\n')
  const [, version, date] = HEADING.exec(heading) ?? []
  return { heading, version, date, hasEntry: lines.some((line) => line.startsWith('- ')) }
}

function judge({ heading, version, date, hasEntry }, nth, releases) {
  const reasons = []
  if (version === undefined) reasons.push('must be like `## 1.2.3 — 2026-01-31` or `## 1.2.3 — unreleased`')
  if (date === 'unreleased' && nth > 0) reasons.push('is unreleased, but only the newest release may be')
  if (date !== undefined && date !== 'unreleased' && !isDate(date)) reasons.push(`has no such day as ${date}`)
  if (!hasEntry) reasons.push('has no entry: a line that begins with `- `')
  const newer = releases[nth - 1]?.version
  if (newer !== undefined && version !== undefined && compareVersions(version, newer) >= 0)
    reasons.push(`stands below ${newer}, which must be the greater version`)
  return reasons.map((reason) => `CHANGELOG.md: "${heading}" ${reason}`)
}

function isDate(text) {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** Compares two versions x.y.z by number: 0.10.0 is greater than 0.9.0. */
export function compareVersions(a, b) {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2]
}
