import { expect, it } from 'vitest'
import type { ActivationRecord, ActiveNumbers } from '#contract/activation.ts'
import { activationRecord } from '#test/builders/activation-record.ts'
import { endOfRound, type LoadRound } from './load-round.ts'

function page(lastPage: number, ...ids: number[]): ActiveNumbers {
  const data = ids.map((id) => activationRecord({ id }))
  return { status: true, total_count: 4, antifraud: [], numbers: { data, meta: { last_page: lastPage, total: 4 } } }
}
const ids = (one: ActiveNumbers | undefined) => one?.numbers.data.map(({ id }) => id)
const newRound = (): LoadRound<ActivationRecord> => ({ pages: [] })

it('compares all pages at the end of a polling, so that numbers which moved between pages are not gone', () => {
  const shown = [page(2, 4, 3), page(2, 2, 1)]
  const round = newRound()
  expect(endOfRound(round, { number: 1, page: page(3, 5, 4) }, shown)).toBeNull()
  const end = endOfRound(round, { number: 2, page: page(3, 3, 2) }, shown)
  expect([ids(end?.shown), ids(end?.fresh)]).toEqual([
    [4, 3, 2, 1],
    [5, 4, 3, 2],
  ])
})

it('ends where the list has become shorter', () => {
  const end = endOfRound(newRound(), { number: 1, page: page(1, 4) }, [page(2, 4, 3), page(2, 2, 1)])
  expect(ids(end?.fresh)).toEqual([4])
})

it('ends where the list became shorter by more than a page while it was loaded', () => {
  const shown = [page(4, 8, 7), page(4, 6, 5), page(4, 4, 3), page(4, 2, 1)]
  const round = newRound()
  expect(endOfRound(round, { number: 1, page: page(4, 8, 7) }, shown)).toBeNull()
  expect(endOfRound(round, { number: 2, page: page(3, 6, 5) }, shown)).toBeNull()
  expect(ids(endOfRound(round, { number: 3, page: page(2) }, shown)?.fresh)).toEqual([8, 7, 6, 5])
})

it('a further page that was not shown yet has nothing to compare with', () => {
  const round = newRound()
  endOfRound(round, { number: 1, page: page(2, 4, 3) }, [])
  expect(endOfRound(round, { number: 2, page: page(2, 2, 1) }, [page(2, 4, 3)])).toBeNull()
})
