import { expect, test } from 'vitest'
import { activationRecord } from '#test/builders/activation-record.ts'
import type { NumbersFilter } from '#web/live/numbers-cache.ts'
import { loadNumbers } from './load-numbers.ts'

/** Has `total` numbers, and records the questions as `page of per_page`. */
function listOf(total: number) {
  const asked: string[] = []
  const load = async ({ page, per_page = 10 }: NumbersFilter & { page: number }) => {
    asked.push(`${page} of ${per_page}`)
    const count = Math.max(0, Math.min(per_page, total - (page - 1) * per_page))
    const data = Array.from({ length: count }, (_, index) => activationRecord({ id: index + 1 }))
    const meta = { last_page: Math.max(1, Math.ceil(total / per_page)), total }
    return { status: true as const, antifraud: [], total_count: total, numbers: { data, meta } }
  }
  return { asked, load }
}

test.each<[total: number, page: number, filter: NumbersFilter, asked: string[], count: number]>([
  [0, 1, {}, ['1 of 10'], 0],
  [10, 1, {}, ['1 of 10'], 10],
  [14, 1, {}, ['1 of 10', '1 of 100'], 14],
  [130, 2, {}, ['2 of 100'], 30],
  [130, 2, { ended: '1' }, ['2 of 10'], 10],
])('3.4: of %i numbers, page %i with %j asks %j', async (total, page, filter, expected, count) => {
  const { asked, load } = listOf(total)
  const { numbers } = await loadNumbers(load, { ...filter, per_page: 10 }, page)
  expect([asked, numbers.data.length]).toEqual([expected, count])
})
