/**
 * `npm start`: from a fresh clone to a running demo. Runs on Node 20, which installs the Node that the server needs.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { buildPages } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { findNode } from './pinned-node.mjs'
import { ROOT, withNodeOnPath } from './run-step.mjs'

/** The terminal sends Ctrl-C to everybody, and npm sends it on once more: within this time it is the same one. */
const SAME_SIGNAL_MS = 500
const PARENT_CHECK_MS = 500

try {
  await ensureInstalled({ withTestTools: false })
  const node = await findNode()
  await buildPages({ node })
  process.exitCode = await serve(node)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** Runs the server until it ends, and passes on what it is told. */
function serve(node) {
  const env = { DEMO: '1', ...withNodeOnPath(node) }
  // In a group of its own the server hears each signal once, from us.
  const detached = process.platform !== 'win32'
  const server = spawn(node, ['server/main.ts', ...process.argv.slice(2)], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
    detached,
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    let lastAt = Number.NEGATIVE_INFINITY
    process.on(signal, () => {
      const now = performance.now()
      if (now - lastAt > SAME_SIGNAL_MS) server.kill(signal)
      lastAt = now
    })
  }
  watchParent(() => server.kill('SIGTERM'))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  })
}

/** npm passes SIGTERM on to a shell that dies of it without a word to us: then we are nobody's child any more. */
function watchParent(whenGone) {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    whenGone()
  }, PARENT_CHECK_MS)
  timer.unref()
}
