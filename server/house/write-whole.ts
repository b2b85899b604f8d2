import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a file (mode 0600) atomically, so that a full disk never leaves half a file. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const staging = `${file}.${process.pid}.new`
  try {
    await writeFile(staging, text, { mode: 0o600, flush: true })
    await rename(staging, file)
  } catch (error) {
    await rm(staging, { force: true })
    // A failed write's error names no path, but staff who must free space need it.
    throw error instanceof Error ? Object.assign(error, { path: file }) : error
  }
}
