import { readFile, writeFile } from 'node:fs/promises'
import { expect } from 'vitest'

type Replies = Readonly<Record<string, unknown>>

const LONGEST_LIST = 2
const LONGEST_TEXT = 300
const SITE = 'https://ringpost.example'

/**
 * Compares replies of the running service with the file that /doc shows, by shape. `node scripts/docs/record-replies.mjs`
 * writes the file in place of comparing.
 */
export async function expectRecorded(file: string, replies: Replies): Promise<void> {
  const path = new URL(`../../server/surfaces/site/reference/${file}`, import.meta.url)
  const tidied = JSON.parse(JSON.stringify(replies), (_name, value: unknown) => tidy(value)) as Replies
  if (process.env.RECORD_REPLIES === '1') {
    await writeFile(path, `${JSON.stringify(tidied, null, 2)}\n`)
    return
  }
  const recorded = JSON.parse(await readFile(path, 'utf8')) as Replies
  expect(Object.keys(recorded).sort()).toEqual(Object.keys(tidied).sort())
  expect(shapeOf(recorded)).toEqual(shapeOf(tidied))
}

/** Shortens what nobody reads to the end, and replaces what differs between two runs. */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST)
  if (typeof value !== 'string') return value
  const text = value
    .replaceAll(/http:\/\/(127\.0\.0\.1|localhost):\d+/g, SITE)
    .replaceAll(`${SITE}/hook`, 'https://shop.example/hook')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '7f0d1f5e-5a5e-4b39-9d1d-2b6a6a3f4c11')
    .replaceAll(/whsec_[\w+/=]+/g, 'whsec_…')
    .replaceAll(/[\w.+-]+@[\w.-]+\.(test|example)/g, 'you@shop.example')
  return text.length > LONGEST_TEXT && !isJson(text) ? `${text.slice(0, LONGEST_TEXT)}…` : text
}

/** Returns a value with each leaf replaced by its type. Records whose keys are data count as lists. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value === 'string') return shapeOfText(value)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]))
}

/** Replies of protocols are texts: JSON by its shape, words with each number replaced. */
function shapeOfText(text: string): unknown {
  if (!isJson(text)) return /^[A-Z_]+(:|$)/.test(text) ? text.replaceAll(/\d+/g, '0') : 'text'
  return shapeOf(JSON.parse(text))
}

function isJson(text: string): boolean {
  return /^[[{]/.test(text)
}

/** Returns the text of JSON with line breaks. Numbers stay as they are written: 13.00 is not 13. */
export function withLines(text: string): string {
  if (!isJson(text)) return text
  const numbers: string[] = []
  const marked = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?/g, (piece) =>
    piece.startsWith('"') ? piece : `"#${numbers.push(piece) - 1}#"`,
  )
  const written = JSON.stringify(JSON.parse(marked), null, 2)
  return written.replaceAll(/"#(\d+)#"/g, (_all, at: string) => numbers[Number(at)] ?? '')
}
