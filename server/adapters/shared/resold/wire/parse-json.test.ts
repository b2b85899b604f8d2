import { expect, test } from 'vitest'
import { readPrices } from '#server/adapters/five-sim/wire/read-prices.ts'
import { runWithoutYielding, runYielding } from '#server/house/jobs/run-yielding.ts'
import { seededRandom } from '#test/simulation/routed-market.ts'
import { parseJson } from './parse-json.ts'

const PIECE = 16
function outcomeOf(parse: () => unknown): unknown {
  try {
    return { value: parse() }
  } catch (error) {
    return error instanceof SyntaxError ? 'syntax' : error instanceof RangeError ? 'range' : error
  }
}

const inPieces = (text: string) => outcomeOf(() => runWithoutYielding(parseJson(text, PIECE)))

test('a text in pieces is what JSON.parse reads, whatever stands in keys and values', () => {
  const random = seededRandom(3)
  const TEXTS = ['', 'a', '"', '\\', '\\"', '{', '}],', ': ', 'ключ', '\u2028', '__proto__', '7']
  const text = () => TEXTS[random.below(TEXTS.length)] ?? ''
  // JSON.parse of Node 24 may reuse a key with a backslash from an earlier text (a bug), so no key has one.
  const key = () => text().replaceAll('\\', '')
  const draw = (level: number): unknown => {
    const kind = random.below(level > 2 ? 3 : 5)
    if (kind === 0) return text()
    if (kind === 1) return [null, true, -1.5e3, 0][random.below(4)]
    if (kind === 2) return {}
    const values = Array.from({ length: random.below(6) }, () => draw(level + 1))
    return kind === 3 ? values : Object.fromEntries(values.map((value, place) => [`${key()}${place % 4}`, value]))
  }
  let split = 0
  let refused = 0
  for (let round = 0; round < 2_000; round += 1) {
    const json = JSON.stringify(draw(0), null, random.below(3))
    if (json.length > PIECE) split += 1
    const read = inPieces(json)
    if (read === 'range') refused += 1
    else expect(read).toEqual({ value: JSON.parse(json) })
    // A text with a missing or doubled character is refused, as JSON.parse refuses it.
    const at = random.below(json.length)
    const broken =
      random.below(2) === 0 ? json.slice(0, at) + json.slice(at + 1) : json.slice(0, at) + json.slice(at - 1)
    const judged = inPieces(broken)
    if (judged !== 'range') expect([broken, judged]).toEqual([broken, outcomeOf(() => JSON.parse(broken))])
  }
  expect(split - refused).toBeGreaterThan(300)
})

test('others are served while megabytes are parsed and read', async () => {
  const operators = { any: { cost: 1.5, count: 3 }, beeline: { cost: 2, count: 0 } }
  const products = Object.fromEntries(Array.from({ length: 500 }, (_, place) => [`product${place}`, operators]))
  const text = JSON.stringify(
    Object.fromEntries(Array.from({ length: 40 }, (_, place) => [`country${place}`, products])),
  )
  let served = 0
  const count = () => {
    served += 1
    ticket = setImmediate(count)
  }
  let ticket = setImmediate(count)
  const json = await runYielding(parseJson(text))
  const parsed = served
  const read = await runYielding(readPrices(json, { nesting: 'country', operators: 'each' }))
  clearImmediate(ticket)
  expect(read?.pairs).toHaveLength(20_000)
  // No piece has more than 128 KiB, or more than 2 000 entries plus those of one product.
  expect(parsed).toBeGreaterThanOrEqual(Math.floor(text.length / (2 * 128 * 1024)))
  expect(served - parsed).toBeGreaterThanOrEqual(40_000 / 2_002 - 1)
})

test('what would be parsed in one go, or has countless members, is no list of prices', () => {
  expect(inPieces(JSON.stringify({ a: 'x'.repeat(100) }))).toBe('range')
  expect(inPieces(`${'[1,'.repeat(30)}2${']'.repeat(30)}`)).toBe('range')
  expect(inPieces(`[${'0,'.repeat(100_000)}0]`)).toBe('range')
  expect(inPieces(`{"a": "${'x'.repeat(50)}}`)).toBe('syntax')
  expect(inPieces('')).toBe('syntax')
})
