import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { calls } from '#server/programs/app.ts'
import { buyOne } from '#test/builders/activation-rows.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { randomRuns } from '#test/harness/random-runs.ts'

const PATHS = ['history', 'movements', 'history.csv', 'movements.csv', 'statistics', 'quality']
const RUNS = randomRuns({ suite: 40, soak: 4_000 })
const AT_ONCE = 20

const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const filter = fc.record(
  {
    from: day,
    to: fc.oneof(day, fc.constant('9999-12-31')),
    time_zone: fc.constantFrom('UTC', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Africa/Monrovia', '+05:30', 'etc/gmt+12'),
    search: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => !text.includes('\0') && text.isWellFormed()),
      fc.stringMatching(/^[#+]?\d{0,40}$/),
      fc.constantFrom('%', '_', `' OR 1=1 --`, '999999999999999999', '🙂'),
    ),
    cursor: fc.stringMatching(/^\d{1,16}\.\d{1,18}$/),
    services_ids: fc.constantFrom('tg', 'tg,wa', "'", 'constructor,__proto__'),
    countries_ids: fc.constantFrom('0', '2,7', '1000000'),
    mode: fc.constantFrom('activation', 'rent'),
    outcome: fc.constantFrom('active', 'received', 'returned'),
    direction: fc.constantFrom('in', 'out'),
    per_page: fc.constantFrom('1', '100'),
  },
  { requiredKeys: [] },
)

test('whatever is asked of the past, no answer is a fault of ours', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser()
  await buyOne(t, buyer)
  const statuses = new Map<number, number>()
  for (const path of PATHS) {
    const filters = fc.sample(filter, RUNS)
    for (let start = 0; start < RUNS; start += AT_ONCE) {
      const work = filters.slice(start, start + AT_ONCE).map(async (given) => {
        const url = `/api/v1/${path}?${new URLSearchParams(knownTo(path, given))}`
        const reply = await t.app.inject({ url, headers: { authorization: `Bearer ${buyer.token}` } })
        expect(reply.statusCode, `${url} ${JSON.stringify(t.log.lines.slice(-2))}`).toBeLessThan(500)
        statuses.set(reply.statusCode, (statuses.get(reply.statusCode) ?? 0) + 1)
      })
      await Promise.all(work)
    }
  }
  expect(statuses.get(200)).toBeGreaterThan(RUNS / 4)
  expect([...statuses.keys()].filter((status) => ![200, 422, 429].includes(status))).toEqual([])
})

/** Keeps only the fields of the call's schema, because validation refuses unknown fields. */
function knownTo(path: string, given: Record<string, string>): Record<string, string> {
  const input = calls.find(({ key }) => key === `GET /api/v1/${path}`)?.input
  if (!(input instanceof z.ZodObject)) throw new Error(`there is no call for ${path}`)
  return Object.fromEntries(Object.entries(given).filter(([name]) => name in input.shape))
}
