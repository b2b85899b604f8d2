import { expect, test } from 'vitest'
import { compareVersions, findChangelogViolations, readChangelog } from './changelog.mjs'

const judge = (text) => findChangelogViolations({ text: `# Changes\n\n${text}`, version: '0.10.0' })

test('the changelog is in order', async () => {
  expect(findChangelogViolations(await readChangelog())).toEqual([])
})

test('releases fall by number, and only the newest may be unreleased', () => {
  expect(judge('## 0.10.0 — unreleased\n- a\n\n## 0.9.0 — 2026-02-28\n### Buyers\n- b\n')).toEqual([])
  expect(judge('## 0.10.0 — 2026-03-01\n- a\n')).toEqual([])
  expect(['0.9.0', '0.10.0', '1.0.0', '0.9.10'].sort(compareVersions)).toEqual(['0.9.0', '0.9.10', '0.10.0', '1.0.0'])
})

test.each([
  ['', 'CHANGELOG.md begins with no release, package.json has 0.10.0'],
  ['## 0.9.0 — unreleased\n- a\n', 'CHANGELOG.md begins with 0.9.0, package.json has 0.10.0'],
  ['## 0.10.0 — unreleased\nWords.\n', '"## 0.10.0 — unreleased" has no entry'],
  ['## 0.10.0 — unreleased\n- a\n## 0.9.0 — unreleased\n- a\n', 'only the newest release may be'],
  ['## 0.10.0 — unreleased\n- a\n## 0.10.0 — 2026-01-01\n- a\n', 'stands below 0.10.0'],
  ['## 0.10.0 — unreleased\n- a\n## 0.11.0 — 2026-01-01\n- a\n', 'stands below 0.10.0'],
  ['## 0.10.0 — 2026-02-30\n- a\n', 'has no such day as 2026-02-30'],
  ['## 0.10.0 — soon\n- a\n', 'must be like'],
  ['## 0.10.0 — unreleased\n- a\n## Older\n- a\n', '"## Older" must be like'],
])('a fault is named: %j', (text, reason) => {
  expect(judge(text).join('\n')).toContain(reason)
})
