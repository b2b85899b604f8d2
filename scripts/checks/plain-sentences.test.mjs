import { expect, test } from 'vitest'
import { findUnplainComments, findUnplainSentences } from './plain-sentences.mjs'
import { parseSource } from './source-files.mjs'

const LONG = Array.from({ length: 29 }, (_, nth) => `word${nth}`).join(' ')

test.each([
  ['/** Of handler_api; null: the default. */', 'begins without its subject'],
  ['/** null: authenticated by a session. */', 'begins without its subject'],
  ['/** The lease ends after 3 s. What was lost is sent again. */', 'begins without its subject'],
  ['/** It has ceilings. */', 'begins without its subject'],
  ['/** With `none` nothing is looked up. */', 'begins without its subject'],
  [`// ${LONG}.`, '29 words in one sentence'],
  [`// Two lines are one comment, so this one:\n// ${LONG}.`, '37 words in one sentence'],
  ['/** The key has ceilings. It pays no more. */', null],
  ['/** One-time codes expire; `one` of these. */', 'begins without its subject'],
  ['/** Ones and whatnot are words of their own. */', null],
  ['// biome-ignore lint: What follows', null],
  ["const text = 'Of all texts in strings nothing is judged'", null],
])('%s', (text, reason) => {
  const found = findUnplainComments([parseSource('web/a.ts', `${text}\nexport const a = 1`)])
  if (reason === null) expect(found).toEqual([])
  else expect(found).toEqual([expect.stringContaining(reason)])
})

test('prose of documents is judged; tables, headings and code are not', () => {
  const text = [
    '# What is there',
    '| What | One |\n|---|---|\n| Of it | x |',
    '- **Of two** one wins.\n- A lease ends.\n  Whoever comes later waits.',
    '```\nOf code nothing is said.\n```',
  ].join('\n\n')
  expect(findUnplainSentences([{ path: 'docs/a.md', text }])).toEqual([
    'docs/a.md begins without its subject: "Of two** one wins."',
    'docs/a.md begins without its subject: "Whoever comes later waits."',
  ])
})
