import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a private file (0600) as a whole or not at all: a disk that is full leaves no half of it for the next start. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const staging = `${file}.${process.pid}.new`
  try {
    await writeFile(staging, text, { mode: 0o600, flush: true })
    await rename(staging, file)
  } catch (error) {
    await rm(staging, { force: true })
    // A failed write does not say where; whoever has to make room wants to know.
    throw error instanceof Error ? Object.assign(error, { path: file }) : error
  }
}
