import { expect, test, vi } from 'vitest'
import { rankByName } from '#contract/formats/search-names.ts'
import { readServiceNicknames } from '#server/house/seed/nicknames.ts'
import { readSeedServices } from '#server/house/seed/seed-tables.ts'

vi.mock(import('#contract/formats/typing-mistakes.ts'), { spy: true })

const NOTHING = ['q1234', 's123', 'szzzzzzzzzzz', 'тннннннннн', 'abcdefghijkl', 'mmmm mmmm mmmm', 'x'.repeat(100)]

// Finding A-2: a search without a match used to split all names again, which blocked the only thread for 7 ms.
test('A-2: a search that finds nothing looks closely at few of two thousand names', async () => {
  const nicknames = readServiceNicknames()
  const services = readSeedServices().map(({ code, nameEn, nameRu }) => ({
    id: code,
    name: nameEn,
    also: [nameRu, ...(nicknames.get(code) ?? [])],
  }))
  expect(services.length).toBeGreaterThan(2_000)
  const { mistakesIn } = await import('#contract/formats/typing-mistakes.ts')
  rankByName(services, 'once, so that the names are folded')
  using looks = vi.spyOn(String.prototype, 'indexOf')
  using parts = vi.spyOn(String.prototype, 'matchAll')
  for (const search of NOTHING) {
    for (const spy of [looks, parts, vi.mocked(mistakesIn)]) spy.mockClear()
    expect(rankByName(services, search)).toEqual([])
    const work = { looks: looks.mock.calls.length, compared: vi.mocked(mistakesIn).mock.calls.length }
    expect(parts).not.toHaveBeenCalled()
    expect(work.looks, search).toBeLessThan(500)
    expect(work.compared, search).toBeLessThan(2_000)
  }
})
