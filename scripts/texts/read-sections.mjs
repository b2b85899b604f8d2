import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ROOT } from '../run-step.mjs'

/**
 * Reads the sections of page texts in one language. The file `two-factor.json` becomes the key `twoFactor`.
 * @param {('initial' | 'lazy')[]} extents
 * @returns {Promise<Record<string, object>>}
 */
export async function readSections(language, extents) {
  const files = await listSections(language, extents)
  const sections = await Promise.all(files.map(async (path) => [keyOf(path), JSON.parse(await readText(path))]))
  const twice = sections.find(([key], at) => sections.findIndex(([other]) => other === key) < at)
  if (twice !== undefined) throw new Error(`web/locales/${language} has ${twice[0]} in two files`)
  return Object.fromEntries(sections)
}

export async function listSections(language, extents) {
  const folders = extents.map((extent) => `web/locales/${language}/${extent}`)
  const listed = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(ROOT, folder), { recursive: true })
      return names.filter((name) => name.endsWith('.json')).map((name) => `${folder}/${name}`)
    }),
  )
  return listed.flat().sort()
}

function readText(path) {
  return readFile(join(ROOT, path), 'utf8')
}

function keyOf(path) {
  return basename(path, '.json').replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())
}
