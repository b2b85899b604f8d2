import fc from 'fast-check'
import { expect, test } from 'vitest'
import { monogramOf } from './mark.tsx'

test.each([
  ['Avito', 'Av'],
  ['Any other', 'AO'],
  ['Другой сервис', 'ДС'],
  ['Ozon', 'Oz'],
  ['DoorDash', 'DD'],
  ['inDriver', 'ID'],
  ['OVO', 'OV'],
  ['7-Eleven', '7E'],
  ['ВкусВилл', 'ВВ'],
  ['Zé Delivery', 'ZD'],
  ['炙热星河', '炙'],
  ['Kuaishou 快手', 'Ku'],
  ['X', 'X'],
  ['«»', '#'],
])('%s becomes %s', (name, letters) => {
  expect(monogramOf(name).letters).toBe(letters)
})

test('any name gives one or two letters and a hue, the same each time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      const monogram = monogramOf(name)
      expect([1, 2]).toContain([...monogram.letters].length)
      expect(monogram.hue).toBeGreaterThanOrEqual(0)
      expect(monogram.hue).toBeLessThan(360)
      expect(monogramOf(name)).toEqual(monogram)
    }),
  )
})

test('neighbouring names get different colours', () => {
  const hues = new Set(Array.from({ length: 50 }, (_, at) => monogramOf(`Service ${at}`).hue))
  expect(hues.size).toBeGreaterThan(35)
})
