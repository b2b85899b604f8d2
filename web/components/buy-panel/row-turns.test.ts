import { expect, it } from 'vitest'
import { countSeen, itemAtTurn, nextTurn, type Turn, turnTo, wholeTurn } from '#web/components/buy-panel/row-turns.ts'

const END = 5
const all = wholeTurn('', ['a', 'b', 'c', 'd', 'e', 'f'])

it('shows every item of a list that nobody searches', () => {
  expect(shown(all)).toBe('abcde')
})

it('shows other contents one place at a time, and at the rest what stood there', () => {
  const turn = turnTo(all, { contents: 'x', items: ['u', 'v', 'w', 'x', 'y'], end: END })
  expect(shown(turn)).toBe('ubcde')
  expect(shown(nextTurn(turn))).toBe('uvcde')
  expect(shown(nextTurn(nextTurn(turn)))).toBe('uvwde')
})

it('spends no turn on what stays the same', () => {
  const turn = turnTo(all, { contents: 'x', items: ['a', 'v', 'c', 'd', 'y'], end: END })
  expect(shown(turn)).toBe('avcde')
  expect(shown(nextTurn(turn))).toBe('avcdy')
  expect(nextTurn(turn).ready).toBe(END)
})

it('goes on from what is seen when the contents change again before all had their turn', () => {
  const first = turnTo(all, { contents: 'x', items: ['u', 'v', 'w', 'x', 'y'], end: END })
  expect(shown(turnTo(first, { contents: 'xy', items: ['1', '2', '3', '4', '5'], end: END }))).toBe('1bcde')
})

it('shows nothing of before behind the end of a shorter list', () => {
  expect(shown(turnTo(all, { contents: 'x', items: ['u', 'v', 'w'], end: END }))).toBe('ubc')
  expect(shown(turnTo(all, { contents: 'x', items: [], end: END }))).toBe('')
})

it('keeps what stood behind the end of a shorter list, unseen, and shows it again by turns', () => {
  const shorter = turnTo(all, { contents: 'x', items: ['a'], end: END })
  expect(shown(shorter)).toBe('a')
  expect(places(shorter)).toBe('abcde')
  const nothing = turnTo(shorter, { contents: 'xy', items: [], end: END })
  expect([shown(nothing), places(nothing)]).toEqual(['', 'abcde'])
  const longer = turnTo(shorter, { contents: '', items: ['a', 'b', 'C', 'd'], end: END })
  expect([longer, nextTurn(longer), nextTurn(nextTurn(longer))].map(shown)).toEqual(['ab', 'abC', 'abCd'])
})

it('makes rows where none were by turns too', () => {
  const turn = turnTo(wholeTurn('x', ['u']), { contents: '', items: all.items, end: END })
  expect([turn, nextTurn(turn), nextTurn(nextTurn(turn))].map(shown)).toEqual(['a', 'ab', 'abc'])
  expect(shown(turnTo(wholeTurn('x', []), { contents: '', items: all.items, end: END }))).toBe('a')
})

it('shows at once what the same contents became: prices and stock do not wait', () => {
  const turn = turnTo(all, { contents: '', items: ['A', 'B', 'C'], end: END })
  expect(shown(turn)).toBe('ABC')
  expect(turnTo(turn, { contents: '', items: turn.items, end: END })).toBe(turn)
})

/** What is seen. */
function shown(turn: Turn<string>): string {
  return places(turn).slice(0, countSeen(turn))
}

/** What stands at the places, seen or not. */
function places(turn: Turn<string>): string {
  return Array.from({ length: END }, (_, place) => itemAtTurn(turn, place) ?? '').join('')
}
