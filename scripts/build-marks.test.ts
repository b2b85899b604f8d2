import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSeedCountries, readSeedServices } from '#server/house/seed/seed-tables.ts'

const run = promisify(execFile)
const script = new URL('build-marks.mjs', import.meta.url).pathname
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marks-'))
  await run(process.execPath, [script, join(folder, 'first')])
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function readAll(name: string): Promise<Map<string, string>> {
  const files = await readdir(join(folder, name), { recursive: true, withFileTypes: true })
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
  const entries = await Promise.all(
    paths.map(async (path) => [path.slice(join(folder, name).length + 1), await readFile(path, 'utf8')] as const),
  )
  return new Map(entries.sort(([a], [b]) => a.localeCompare(b)))
}

test('every service of the table of icons gets a tile, and the index names exactly those', async () => {
  const icons = JSON.parse(await readFile(new URL('marks/service-icons.json', import.meta.url), 'utf8'))
  const services = readSeedServices().map((service) => service.code)
  const files = await readAll('first')
  const codes = Object.keys(icons)
  expect(codes.length).toBeGreaterThan(150)
  expect(services).toEqual(expect.arrayContaining(codes))
  expect(JSON.parse(files.get('marks/index.json') ?? '')).toEqual(codes)
  expect([...files.keys()].filter((name) => /^marks\/.*\.svg$/.test(name))).toHaveLength(codes.length)
  for (const code of codes) {
    expect(files.get(`marks/${code}.svg`), code).toMatch(
      /^<svg xmlns="[^"]+" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#[0-9a-f]{6}"\/>.*<path .*<\/svg>\n$/,
    )
  }
})

test('every country has a flag', async () => {
  const files = await readAll('first')
  for (const { iso2 } of readSeedCountries()) expect(files.get(`flags/${iso2}.svg`), iso2).toContain('<svg')
})

test('a second run gives the same bytes, and nothing in a drawing is loaded or run', async () => {
  await run(process.execPath, [script, join(folder, 'second')])
  const files = await readAll('first')
  expect(await readAll('second')).toEqual(files)
  for (const [name, text] of files) expect(text, name).not.toMatch(/<script|<style|href=|url\(http|\son\w+=/i)
})
