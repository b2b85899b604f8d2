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

/** Reads the sections of a language as pages show them: what a draft does not have yet is in English. */
export async function readWholeSections(language, extents) {
  return fillIn(await readSections(language, extents), await readSections('en', extents))
}

function fillIn(texts, standard) {
  const filled = { ...texts }
  for (const [key, text] of Object.entries(standard)) {
    if (filled[key] === undefined) filled[key] = text
    else if (typeof text === 'object') filled[key] = fillIn(filled[key], text)
  }
  return filled
}

export async function listLanguages() {
  const entries = await readdir(join(ROOT, 'web/locales'), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
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
