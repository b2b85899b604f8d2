import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectBooksRight } from '#test/builders/activation-rows.ts'
import { fakeRentOffers } from '#test/fakes/fake-rent.ts'
import { randomRuns } from '#test/harness/random-runs.ts'
import { startFiveSimTest } from '#test/services/five-sim-service.ts'
import { WORDS } from '../wire/words.ts'
import { fiveSimCalls } from './calls.ts'

const NAMES = [
  'maxPrice',
  'reuse',
  'voice',
  'forwarding',
  'number',
  'ref',
  'category',
  'limit',
  'offset',
  'order',
  'reverse',
  'country',
  'product',
  'operator',
  'id',
  'product_name',
  'price',
  '__proto__',
  'constructor',
  'lang',
  'api_key',
]
const hostile = fc.constantFrom(
  'undefined',
  'null',
  'None',
  '',
  `'; DROP TABLE activations; --`,
  `1' OR '1'='1`,
  '<script>alert(1)</script>',
  '\0',
  '\u{feff}',
  '1e309',
  'NaN',
  '-1',
  '٣',
  '9'.repeat(190),
  '9'.repeat(400),
  '%',
  '../../etc/passwd',
  '\r\nSet-Cookie: a=b',
  '__proto__',
  'toString',
  '🦊',
)
const sound = fc.constantFrom(
  'kazakhstan',
  'england',
  'any',
  'altel',
  'telegram',
  'whatsapp',
  '1day',
  '3hours',
  '100000001',
  '500000001',
  '13',
  '12.5',
  '1',
  '0',
  'true',
  'hosting',
  'ru',
  '77050100001',
)
const text = fc.string({ unit: 'binary', maxLength: 30 }).filter((value) => value.isWellFormed())
const value = fc.oneof(sound, sound, hostile, text)
const parameters = fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), value), {
  selector: ([name]) => name,
  maxLength: 6,
})

test('17.3: any parameters of any call give JSON or a known word, and the books stay right', async () => {
  await using f = await startFiveSimTest({ rentOffers: fakeRentOffers, balance: '100000' })
  const asked = fc.record({
    call: fc.constantFrom(...fiveSimCalls),
    parts: fc.array(value, { minLength: 3 }),
    parameters,
  })
  const ours = Object.entries(WORDS).flatMap(([word, entry]) => ('ours' in entry ? [word] : []))
  const isKnown = new Set<unknown>([...ours, ''])
  await fc.assert(
    fc.asyncProperty(asked, async ({ call, parts, parameters }) => {
      const { method } = call
      const left = [...parts]
      const path = call.path.replaceAll(/:\w+/g, () => encodeURIComponent(left.pop() ?? 'any'))
      const query = new URLSearchParams(parameters).toString()
      const inBody = method !== 'GET' && parts.length % 2 === 0
      const body = inBody ? JSON.stringify(Object.fromEntries(parameters)) : undefined
      const said = await f.ask(inBody ? path : `${path}?${query}`, { method, ...(body !== undefined && { body }) })
      const { status, type } = said
      if (type === 'application/json') expect(status).toBe(200)
      else expect({ status, isKnown: isKnown.has(said.body), body: said.body }).toMatchObject({ isKnown: true })
      expect(status).toBeLessThan(500)
    }),
    { numRuns: randomRuns({ suite: 300, soak: 20_000 }) },
  )
  expect(f.t.log.lines.filter(({ level }) => level === 'error')).toEqual([])
  await expectBooksRight(f.t.ctx)
})
