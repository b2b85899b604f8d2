import { expect, it } from 'vitest'
import type { ActiveNumbers } from '#contract/activation.ts'
import { activationRecord } from '#test/builders/activation-record.ts'
import { areTorn } from './torn-pages.ts'

function page(total: number, ...ids: number[]): ActiveNumbers {
  const data = ids.map((id) => activationRecord({ id }))
  return { status: true, total_count: total, antifraud: [], numbers: { data, meta: { last_page: 2, total } } }
}

it.each<[string, boolean, ActiveNumbers[]]>([
  ['one page is whole', false, [page(3, 3, 2)]],
  ['pages that fit are whole', false, [page(4, 4, 3), page(4, 2, 1)]],
  ['a number ended before the second page was asked for', true, [page(4, 4, 3), page(3, 1)]],
  ['a number came in between', true, [page(4, 4, 3), page(5, 3, 2)]],
  ['an event told of the end, and the second page lacks a number', true, [page(3, 4), page(3, 1)]],
  ['a number that two pages have counts once', true, [page(4, 4, 3), page(4, 3, 1)]],
])('%s', (_name, torn, pages) => {
  expect(areTorn(pages)).toBe(torn)
})
