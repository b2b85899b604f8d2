import { expect, test } from 'vitest'
import { parseSource } from './source-files.mjs'
import { findStyleViolations } from './styles.mjs'

const page = parseSource('web/a.tsx', 'export const A = () => <p className={`row $' + '{b} row-price`}>{c}</p>')

test.each([
  ['web/a.css', '.row { color: #fff }', 'the colour #fff belongs in web/tokens.css'],
  ['web/a.css', '.row { color: rgb(0 0 0 / 0.5) }', 'the colour rgb( belongs in web/tokens.css'],
  ['web/tokens.css', ':root { --paper: #fff }', null],
  ['web/public/offline.css', '.alone { color: #fff }', null],
  ['web/a.css', '/* #fff */ .row { background: hsl(var(--hue) 28% 88%) }', null],
  ['web/a.css', '@media (width < 64rem) { .row:hover > .row-price { margin: 0.5rem } }', null],
  ['web/a.css', '.row { margin: 0 } .gone[data-open] { margin: 0 }', 'nothing has the class gone'],
  ['web/a.css', '@keyframes b { 0.5% { opacity: 0 } }', null],
])('%s: %s', (path, text, reason) => {
  const expected = reason === null ? [] : [`${path}: ${reason}`]
  expect(findStyleViolations([{ path, text }], [page])).toEqual(expected)
})

test('a class is not used by its test, and no page names a colour of its own', () => {
  const alone = parseSource('web/a.test.tsx', "export const name = 'gone'")
  const style = { path: 'web/a.css', text: '.gone { margin: 0 }' }
  expect(findStyleViolations([style], [alone])).toEqual(['web/a.css: nothing has the class gone'])
  const own = parseSource('web/b.tsx', "export const look = 'p-2 bg-[#ff0000]'")
  expect(findStyleViolations([], [own])).toEqual(['web/b.tsx: bg-[#ff0000] is a colour of its own'])
})
