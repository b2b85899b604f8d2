import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findNode } from './pinned-node.mjs'
import { ROOT, runQuietly, withNodeOnPath } from './run-step.mjs'

const SOURCES = [
  'web',
  'contract',
  'vite.config.ts',
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/build-marks.mjs',
  'scripts/marks',
  'scripts/texts',
  'server/house/seed/countries.tsv',
]
const HASH_FILE = join(ROOT, 'dist/.build-hash')
const VITE = 'node_modules/vite/bin/vite.js'
const MARKS = 'scripts/build-marks.mjs'

/** Builds the pages. Throws if a step fails. @param {{ node: string, evenIfFresh?: boolean }} options */
export async function buildPages({ node, evenIfFresh = false }) {
  const hash = hashSources()
  const builtHash = await readFile(HASH_FILE, 'utf8').catch(() => '')
  if (!evenIfFresh && builtHash === hash) return
  await rm(HASH_FILE, { force: true })
  const env = withNodeOnPath(node)
  const done =
    (await runQuietly({ name: 'pages built for the browser', command: node, args: [VITE, 'build'], env })) &&
    // Service icons and flags are drawn after Vite's build, because Vite empties the folder `dist/client` first.
    (await runQuietly({ name: 'marks and flags drawn', command: node, args: [MARKS, 'dist/client'], env })) &&
    (await runQuietly({ name: 'pages built for the server', command: node, args: [VITE, 'build', '--ssr'], env }))
  if (!done) throw new Error('The pages could not be built: see above.')
  await mkdir(join(ROOT, 'dist'), { recursive: true })
  // The sources are hashed before the build, so an edit during the build marks the build as outdated.
  await writeFile(HASH_FILE, hash)
}

/** Hashes the sources synchronously, because a promise per file would take three times as long. */
function hashSources() {
  const hash = createHash('sha256')
  for (const source of SOURCES) addToHash(hash, source)
  return hash.digest('hex')
}

function addToHash(hash, path) {
  let names
  try {
    names = readdirSync(join(ROOT, path))
  } catch (error) {
    if (error.code !== 'ENOTDIR') throw error
    const content = readFileSync(join(ROOT, path))
    hash.update(`${path}\0${content.length}\0`).update(content)
    return
  }
  for (const name of names.sort()) if (!/\.test\.tsx?$/.test(name)) addToHash(hash, `${path}/${name}`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await buildPages({ node: await findNode(), evenIfFresh: true })
}
