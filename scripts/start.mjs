/** Starts the service. Runs on Node 20 and installs the Node version that the server needs. */
import { join } from 'node:path'
import { buildPages } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { keepServing } from './keep-serving.mjs'
import { findNode } from './pinned-node.mjs'
import { ROOT, withNodeOnPath } from './run-step.mjs'

/** These settings make glibc return freed memory (30 MB after a burst). By default, each thread keeps its own arena. */
const FREED_MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' }

try {
  await ensureInstalled({ withTestTools: false })
  const node = await findNode()
  await buildPages({ node })
  process.exitCode = await serve(node)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function serve(node) {
  // Caches compiled code, as speed-up-imports.ts does, but also that of the program's first file.
  const cache = { NODE_COMPILE_CACHE: join(ROOT, 'dist/compile-cache') }
  const env = { DEMO: '1', ...cache, ...FREED_MEMORY, ...withNodeOnPath(node) }
  const args = ['server/main.ts', ...process.argv.slice(2)]
  return keepServing({ command: node, args, cwd: ROOT, env }).ended
}
