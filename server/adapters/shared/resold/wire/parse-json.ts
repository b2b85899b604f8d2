import { KIBIBYTE } from '#contract/time.ts'
import type { Yielding } from '#server/house/jobs/run-yielding.ts'

/** The length up to which a text is parsed at once, which takes about a millisecond. */
const PIECE_LENGTH = 128 * KIBIBYTE
/** The maximum nesting of values longer than a piece. A price list has two levels: countries and services. */
const MOST_LEVELS = 3
const MOST_MEMBERS = 100_000

type Reading = { text: string; pieceLength: number; left: number }
type Span = { from: number; to: number; level: number }

/**
 * Parses megabytes of JSON in pieces. Throws SyntaxError like JSON.parse. Throws RangeError for a text or number longer
 * than a piece, or for too many levels.
 */
export function* parseJson(text: string, pieceLength: number = PIECE_LENGTH): Yielding<unknown> {
  return yield* parseSpan({ text, pieceLength, left: pieceLength }, { from: 0, to: text.length, level: 0 })
}

function* parseSpan(reading: Reading, span: Span): Yielding<unknown> {
  const { text, pieceLength } = reading
  const from = skipSpace(text, span.from, span.to)
  let { to } = span
  while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1
  if (to - from <= pieceLength) return JSON.parse(text.slice(from, to))
  const opening = text[from]
  if (opening !== '{' && opening !== '[') throw new RangeError('one value is too long')
  if (span.level >= MOST_LEVELS) throw new RangeError('what is long lies too deep')
  if (text[to - 1] !== (opening === '{' ? '}' : ']')) throw new SyntaxError('it is not closed')
  const inside = { from: from + 1, to: to - 1, level: span.level + 1 }
  return opening === '{' ? Object.fromEntries(yield* parseMembers(reading, inside)) : yield* parseItems(reading, inside)
}

function* parseMembers(reading: Reading, { to, level, ...span }: Span): Yielding<[string, unknown][]> {
  const { text } = reading
  const members: [string, unknown][] = []
  let at = skipSpace(text, span.from, to)
  while (at < to) {
    if (members.length >= MOST_MEMBERS) throw new RangeError('it has too many members')
    const keyEnd = text[at] === '"' ? endOfText(text, at) : at
    const key: unknown = JSON.parse(text.slice(at, keyEnd))
    const colon = skipSpace(text, keyEnd, to)
    if (typeof key !== 'string' || text[colon] !== ':') throw new SyntaxError('a member has no name')
    const end = yield* findEnd(reading, colon + 1, to)
    members.push([key, yield* parseSpan(reading, { from: colon + 1, to: end, level })])
    at = afterComma(text, end, to)
  }
  return members
}

function* parseItems(reading: Reading, { from, to, level }: Span): Yielding<unknown[]> {
  const { text } = reading
  const items: unknown[] = []
  let at = skipSpace(text, from, to)
  while (at < to) {
    if (items.length >= MOST_MEMBERS) throw new RangeError('it has too many members')
    const end = yield* findEnd(reading, at, to)
    items.push(yield* parseSpan(reading, { from: at, to: end, level }))
    at = afterComma(text, end, to)
  }
  return items
}

/** Returns the start of the next member. Throws if none follows the comma. */
function afterComma(text: string, end: number, to: number): number {
  if (end >= to) return to
  const at = skipSpace(text, end + 1, to)
  if (at >= to) throw new SyntaxError('nothing follows a comma')
  return at
}

/** Returns the position of the comma behind a value, or `to`. Values are validated only when they are parsed. */
function* findEnd(reading: Reading, from: number, to: number): Yielding<number> {
  const { text, pieceLength } = reading
  let depth = 0
  let pauseAt = from + pieceLength
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfText(text, at) - 1
    else if (code === BRACE || code === BRACKET) depth += 1
    else if (code === BRACE_END || code === BRACKET_END) depth -= 1
    else if (code === COMMA && depth === 0) return yield* passBy(reading, from, at)
    if (depth < 0) throw new SyntaxError('it is closed too early')
    if (at < pauseAt) continue
    pauseAt = at + pieceLength
    yield
  }
  return yield* passBy(reading, from, to)
}

const [QUOTE, COMMA, BRACE, BRACE_END, BRACKET, BRACKET_END] = [34, 44, 123, 125, 91, 93]

/** Counts characters towards the next pause, so that many short values pause like one long value. */
function* passBy(reading: Reading, from: number, end: number): Yielding<number> {
  reading.left -= end - from
  if (reading.left <= 0) {
    reading.left = reading.pieceLength
    yield
  }
  return end
}

function endOfText(text: string, from: number): number {
  let at = from
  for (;;) {
    at = text.indexOf('"', at + 1)
    if (at === -1) throw new SyntaxError('a text is not closed')
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
}

function skipSpace(text: string, from: number, to: number): number {
  let at = from
  while (at < to && isSpace(text.charCodeAt(at))) at += 1
  return at
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13
}
