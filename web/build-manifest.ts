import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InterfaceLocale } from '#contract/settings/languages.ts'
import type { PageAssets } from './page-assets.tsx'
import { HOME_FILE, OTHER_SCREENS_FILE } from './screens/load-screen.ts'

type ManifestEntry = { file: string; imports?: string[]; isDynamicEntry?: boolean; css?: string[]; assets?: string[] }
export type BuildManifest = Record<string, ManifestEntry>

const ENTRY = 'web/entry-client.tsx'
const EARLY = 'web/entry-early.ts'
/** The face of codes is not preloaded, because most pages show no code. */
const PRELOADED_FONT = /^assets\/inter-.*\.woff2$/

export function readBuildManifest(): { manifest: BuildManifest; buildId: string } {
  const file = join(import.meta.dirname, '../client/.vite/manifest.json')
  const text = readFileSync(file, 'utf8')
  const buildId = createHash('sha256').update(text).digest('hex').slice(0, 12)
  // The cast is safe, because the build that made this bundle wrote the manifest.
  return { manifest: JSON.parse(text) as BuildManifest, buildId }
}

export function assetsFor(manifest: BuildManifest, screen: { file: string; locale: InterfaceLocale }): PageAssets {
  const wanted = [ENTRY, screen.file, `web/locales/${screen.locale}/initial`]
  if (screen.file !== HOME_FILE) wanted.push(OTHER_SCREENS_FILE)
  const keys = new Set<string>()
  for (const key of wanted) collect(manifest, key, keys)
  const entries = [...keys].map((key) => entryOf(manifest, key))
  const entry = entryOf(manifest, ENTRY).file
  return {
    early: `/${entryOf(manifest, EARLY).file}`,
    entry: `/${entry}`,
    styles: unique(entries.flatMap(({ css = [] }) => css)),
    modules: unique(entries.map(({ file }) => file).filter((file) => file !== entry)),
    fonts: unique(entries.flatMap(({ assets = [] }) => assets.filter((asset) => PRELOADED_FONT.test(asset)))),
  }
}

function collect(manifest: BuildManifest, key: string, found: Set<string>): void {
  if (found.has(key)) return
  found.add(key)
  for (const next of entryOf(manifest, key).imports ?? []) collect(manifest, next, found)
}

function entryOf(manifest: BuildManifest, key: string): ManifestEntry {
  const entry = manifest[key]
  if (entry === undefined)
    throw new Error(`the build has no ${key}: run the build again, or correct web/navigation/routes.ts`)
  return entry
}

function unique(files: string[]): string[] {
  return [...new Set(files)].map((file) => `/${file}`)
}
