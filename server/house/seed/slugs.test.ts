import { expect, test } from 'vitest'
import { readSeedCountries, readSeedServices } from './seed-tables.ts'
import { operatorSlug, readCountrySlugs, readServiceSlugs, withOwn } from './slugs.ts'

test('each service and country has exactly one slug, and the field’s where they differ from our names', () => {
  const services = readServiceSlugs()
  const countries = readCountrySlugs()
  for (const slugs of [services, countries]) {
    expect(new Set(slugs.values()).size).toBe(slugs.size)
    for (const slug of slugs.keys()) expect(slug).toMatch(/^[a-z0-9]+$/)
  }
  expect([services.size, countries.size]).toEqual([readSeedServices().length, readSeedCountries().length])
  const meant = ['telegram', 'vkontakte', 'google', 'mailru', 'openai', 'twitter', 'other'].map((slug) =>
    services.get(slug),
  )
  expect(meant).toEqual(['tg', 'vk', 'go', 'ma', 'dr', 'tw', 'ot'])
  const places = ['russia', 'england', 'usa', 'hongkong', 'kazakhstan', 'czech', 'unitedkingdom'].map((slug) =>
    countries.get(slug),
  )
  expect(places).toEqual(['0', '16', '187', '14', '2', '63', undefined])
})

test('a service of the operator’s own has its code, and nobody else’s slug', () => {
  const slugs = withOwn(new Map([['hm', 'zz']]), ['zz', 'hm', 'My_Own'])
  expect([...slugs]).toEqual([
    ['hm', 'zz'],
    ['hmx', 'hm'],
    ['myown', 'My_Own'],
  ])
  expect(['Tele2', 'Beeline KZ', '-../x', 'Any', 'Мегафон'].map(operatorSlug)).toEqual([
    'tele2',
    'beelinekz',
    'x',
    'other',
    'other',
  ])
})
