import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { flagUrl, serviceMarkUrl } from './service-mark.ts'

function readText(path: string): string {
  return readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')
}

test('a service has a mark exactly when the build draws one', () => {
  const drawn = new Set(Object.keys(JSON.parse(readText('scripts/marks/service-icons.json'))))
  const codes = readText('server/house/seed/services.tsv').trimEnd().split('\n').slice(1)
  for (const line of codes) {
    const code = line.split('\t')[0] ?? ''
    expect(serviceMarkUrl(code), code).toBe(drawn.has(code) ? `/marks/${code}.svg` : null)
  }
  expect(serviceMarkUrl('no such service')).toBeNull()
})

test('a flag is served by the letters of its country', () => {
  expect(flagUrl('KZ')).toBe('/flags/KZ.svg')
})
