import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/ringpost/compiled', import.meta.url))

/** Node keeps what it compiled for whoever starts later: a third of the time of a start. Before the workers are there. */
export function shareCompiled(): void {
  process.env.NODE_COMPILE_CACHE ??= FOLDER
}

/** What a program that a test starts knows of the test's own environment. */
export function ownEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) }
}
