import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type TemporaryFolder = AsyncDisposable & { root: string; path(name: string): string }

/** Makes a temporary folder for one test. `await using` removes it at the end with its contents. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const root = await mkdtemp(join(tmpdir(), 'ringpost-folder-'))
  return {
    root,
    path: (name) => join(root, name),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  }
}
