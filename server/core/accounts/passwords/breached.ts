import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { Context } from '#server/house/context.ts'

const LINE_BYTES = 80
const HASH_LENGTH = 40

/**
 * Returns true if a password is in the Have I Been Pwned list. The sorted SHA-1 list has 40 GB, so it is searched on
 * disk.
 */
export async function isBreached(ctx: Context, password: string): Promise<boolean> {
  const path = ctx.config.breachedPasswordsFile
  if (path === null) return false
  const wanted = createHash('sha1').update(password).digest('hex').toUpperCase()
  await using file = await open(path)
  // The result is awaited before the return, because `await using` closes the file on return.
  return await holds(file, wanted)
}

async function holds(file: FileHandle, wanted: string): Promise<boolean> {
  let [from, to] = [0, (await file.stat()).size]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    const line = await lineAfter(file, middle)
    if (line.hash === wanted) return true
    if (line.hash === '' || line.hash > wanted) to = middle
    else from = line.end
  }
  return false
}

/** Returns the list's first line that begins at byte `at` or later; its hash is empty at the end of the file. */
async function lineAfter(file: FileHandle, at: number): Promise<{ hash: string; end: number }> {
  // The read starts one byte before `at`: a line feed in that byte means that a line begins at `at`.
  const start = Math.max(0, at - 1)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LINE_BYTES * 2), 0, LINE_BYTES * 2, start)
  const text = buffer.toString('latin1', 0, bytesRead)
  const begin = at === 0 ? 0 : text.indexOf('\n') + 1
  if (at > 0 && begin === 0) return { hash: '', end: at }
  const stop = text.indexOf('\n', begin)
  const line = text.slice(begin, stop === -1 ? undefined : stop)
  return { hash: line.slice(0, HASH_LENGTH).toUpperCase(), end: start + begin + line.length + 1 }
}
