import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes the file atomically, so that a full disk never leaves half a file. The mode is 0600. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const staging = `${file}.${process.pid}.new`
  try {
    await writeFile(staging, text, { mode: 0o600, flush: true })
    await rename(staging, file)
  } catch (error) {
    await rm(staging, { force: true })
    // The error of a failed write names no path, but staff who must free space need the path.
    throw error instanceof Error ? Object.assign(error, { path: file }) : error
  }
}
