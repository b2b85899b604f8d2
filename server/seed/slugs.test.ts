import { expect, test } from 'vitest'
import { readCountrySlugs, readServiceSlugs } from './slugs.ts'

test('each service and country has one slug at most, and the field’s where they differ from our names', () => {
  const services = readServiceSlugs()
  const countries = readCountrySlugs()
  for (const slugs of [services, countries]) {
    expect(new Set(slugs.values()).size).toBe(slugs.size)
    for (const slug of slugs.keys()) expect(slug).toMatch(/^[a-z0-9]+$/)
  }
  const meant = ['telegram', 'vkontakte', 'google', 'mailru', 'openai', 'twitter', 'other'].map((slug) =>
    services.get(slug),
  )
  expect(meant).toEqual(['tg', 'vk', 'go', 'ma', 'dr', 'tw', 'ot'])
  const places = ['russia', 'england', 'usa', 'hongkong', 'kazakhstan', 'czech', 'unitedkingdom'].map((slug) =>
    countries.get(slug),
  )
  expect(places).toEqual(['0', '16', '187', '14', '2', '63', undefined])
})
