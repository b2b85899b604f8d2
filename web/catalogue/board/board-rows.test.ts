import { expect, test } from 'vitest'
import { type BoardRow, cheapestOf, heatOf, readBoardView, shownRows, withParam } from './board-rows.ts'

function row(id: number, name: string, figures: Partial<BoardRow>): BoardRow {
  const rest = {
    slug: name.toLowerCase(),
    iso2: '',
    price: '10.00',
    count: 1,
    success_share: null,
    median_seconds: null,
  }
  return { id, name, ...rest, ...figures }
}
const ROWS = [
  row(1, 'Peru', { price: '9.50', count: 40, success_share: 0.799, median_seconds: 12 }),
  row(2, 'Åland', { price: '100.00', count: 7, success_share: 0.93, median_seconds: 4 }),
  row(3, 'Zambia', { price: '30.00', count: 900 }),
  row(4, 'Chad', { price: '20.00', count: 3, success_share: 0.29, median_seconds: 300 }),
]

test.each([
  ['price', [1, 4, 3, 2]],
  ['share', [2, 1, 4, 3]],
  ['time', [2, 1, 4, 3]],
  ['stock', [3, 1, 2, 4]],
  ['name', [2, 4, 1, 3]],
  ['popular', [1, 2, 3, 4]],
] as const)('N-8: rows are sorted by %s, those without the figure last', (sort, ids) => {
  expect(shownRows(ROWS, { sort, minShare: 0 }, 'en').map(({ id }) => id)).toEqual(ids)
})

test('a least share leaves out lower shares and rows without one, by the percentage that a row shows', () => {
  const shown = (minShare: 0 | 50 | 70 | 80 | 90) =>
    shownRows(ROWS, { sort: 'price', minShare }, 'en').map(({ id }) => id)
  expect([shown(0), shown(70), shown(80), shown(90)]).toEqual([[1, 4, 3, 2], [1, 2], [2], [2]])
  expect(cheapestOf(shownRows(ROWS, { sort: 'stock', minShare: 70 }, 'en'))?.id).toBe(1)
  expect(cheapestOf([])).toBeUndefined()
})

test('the heat has a step for each least share that is offered', () => {
  expect([null, 0, 0.49, 0.5, 0.7, 0.799, 0.8, 0.9, 1].map(heatOf)).toEqual([null, 0, 0, 1, 2, 2, 3, 4, 4])
})

test('the address has the view, and other values mean the default', () => {
  const read = (query: string) => readBoardView(new URLSearchParams(query))
  expect(read('sort=time&min_share=80')).toEqual({ sort: 'time', minShare: 80 })
  expect(read('sort=cost&min_share=81')).toEqual({ sort: 'price', minShare: 0 })
  expect(withParam('?service=tg&sort=time', 'sort', '')).toBe('?service=tg')
  expect(withParam('?service=tg', 'min_share', '80')).toBe('?service=tg&min_share=80')
})
