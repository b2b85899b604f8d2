import { expect, it } from 'vitest'
import { rowsInView, scrollTopFor } from './row-window.ts'

it.each([
  ['the top', { scrollTop: 0, height: 240, count: 1000 }, { start: 0, end: 11 }],
  ['the middle', { scrollTop: 4_800, height: 240, count: 1000 }, { start: 94, end: 111 }],
  ['half a row on', { scrollTop: 4_824, height: 240, count: 1000 }, { start: 94, end: 112 }],
  ['the end', { scrollTop: 47_760, height: 240, count: 1000 }, { start: 989, end: 1000 }],
  ['a short list', { scrollTop: 0, height: 240, count: 3 }, { start: 0, end: 3 }],
  ['nothing', { scrollTop: 0, height: 240, count: 0 }, { start: 0, end: 0 }],
  ['a list that became shorter than the scroll', { scrollTop: 4_800, height: 240, count: 20 }, { start: 20, end: 20 }],
  ['pulled above the top', { scrollTop: -40, height: 240, count: 1000 }, { start: 0, end: 11 }],
])('in view at %s', (_name, view, rows) => {
  expect(rowsInView(view)).toEqual(rows)
})

it.each([
  ['seen already', 2, 0, 0],
  ['half hidden below', 5, 20, 48],
  ['far below', 100, 0, 4_608],
  ['above', 3, 500, 144],
])('a row %s', (_name, index, scrollTop, expected) => {
  expect(scrollTopFor(index, { scrollTop, height: 240 })).toBe(expected)
})
